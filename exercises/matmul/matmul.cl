// wavesim: --global 64x64 --local 16x16 --arg n=64 --arg a=random(0,9):4096 --arg b=random(0,9):4096 --arg c=zero:4096
kernel void matmul(global const int *a, global const int *b, global int *c, int n)
{
	local int ta[16][16], tb[16][16];
	// …
}
