// The same result as expression.cl, one corner after the other, in the hope that the compiler then
// needs registers for one corner only.
//
// wavesim: --global 32,64 --local 32,4 --arg in_stride=288 --arg out_stride=256
// wavesim: --arg window=24 --arg threshold=1000
// wavesim: --arg in=random:25344 --arg out=zero:2048

kernel void density(global const ushort *in, global ushort8 *out, int in_stride, int out_stride,
                    int window, ushort threshold)
{
	int x = get_global_id(0);
	int y = get_global_id(1);
	global const ushort *a1 = in + y * in_stride;
	global const ushort *a2 = a1 + window;
	global const ushort *a3 = in + (y + window) * in_stride;
	global const ushort *a4 = a3 + window;

	ushort8 sum = 0;
	sum += vload8(x, a4);
	sum += vload8(x, a1);
	sum -= vload8(x, a2);
	sum -= vload8(x, a3);

	out[y * (out_stride / 8) + x] = sum >= threshold ? sum : (ushort8)(0);
}
