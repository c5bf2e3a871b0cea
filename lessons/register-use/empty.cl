// Does nothing. What it takes is what every kernel takes.
//
// wavesim: --global 1024 --local 64

kernel void empty(void)
{
}
