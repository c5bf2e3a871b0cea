// The same sums with the sizes of both images in structs, as the article has them: other address
// arithmetic, other counts of registers.
//
// wavesim: --global 32,64 --local 32,8 --arg window=24 --arg threshold=1000
// wavesim: --arg in=random:25344 --arg out=zero:2048
// 288 columns of 88 rows, and 256 of 64
// wavesim: --arg im=bytes:200100005800000020010000 --arg om=bytes:000100004000000000010000

typedef struct View {
	int width, height, stride;
} View;

kernel void density(View im, global const ushort *in, View om, global ushort8 *out, int window,
                    ushort threshold)
{
	int x = get_global_id(0);
	int y = get_global_id(1);
	int a1 = y * im.stride;
	int a2 = a1 + window;
	int a3 = (y + window) * im.stride;
	int a4 = a3 + window;

	ushort8 sum = vload8(x, in + a4) + vload8(x, in + a1) - vload8(x, in + a2) - vload8(x, in + a3);

	out += y * om.stride >> 3;
	out[x] = sum >= threshold ? sum : (ushort8)(0);
}
