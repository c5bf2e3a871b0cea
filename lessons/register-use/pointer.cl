// Takes a pointer and leaves it alone.
//
// wavesim: --global 1024 --local 64 --arg a=zero:1024

kernel void pointer(global float *a)
{
}
