kernel void nothing(int n) {}
