/* Lane operations whose result is f32 f64. See lanes.h. */
#define LANES_FILE lanes_flt
#define SEL_b1(...)
#define SEL_i8(...)
#define SEL_i16(...)
#define SEL_i32(...)
#define SEL_i64(...)
#define SEL_i128(...)
#define SEL_f32(...) __VA_ARGS__
#define SEL_f64(...) __VA_ARGS__
#include "sim/lanes.h"
