/* Lane operations whose result is i8 i16 i32. See lanes.h. */
#define LANES_FILE lanes_int
#define SEL_b1(...)
#define SEL_i8(...) __VA_ARGS__
#define SEL_i16(...) __VA_ARGS__
#define SEL_i32(...) __VA_ARGS__
#define SEL_i64(...)
#define SEL_i128(...)
#define SEL_f32(...)
#define SEL_f64(...)
#include "sim/lanes.h"
