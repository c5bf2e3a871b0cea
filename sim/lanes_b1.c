/* Lane operations whose result is b1. See lanes.h. */
#define LANES_FILE lanes_b1
#define SEL_b1(...) __VA_ARGS__
#define SEL_i8(...)
#define SEL_i16(...)
#define SEL_i32(...)
#define SEL_i64(...)
#define SEL_i128(...)
#define SEL_f32(...)
#define SEL_f64(...)
#include "sim/lanes.h"
