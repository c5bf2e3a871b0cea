// wavesim: --global 32x16 --local 16x4 --arg n=13 --arg row=random:13 --arg column=random:13 --arg out=zero:169
kernel void outer(global const int *row, global const int *column, global int *out, uint n)
{
	// out(x, y) = row[x] + column[y]
}
