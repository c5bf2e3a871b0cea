// The built-in function of integers fits better. It must be known although no text but this one names it.
float __attribute__((overloadable)) clamp(float x, int low, int high) { return x < low ? low : x > high ? high : x; }

int limit(int x) { return clamp(x, 0, 100000000); }
