// The same tiles as transpose-lds.cl, by lanes: blocks of 4 x 4 change places, then blocks of 2 x 2 within these, then
// elements. At each step a lane gives half of its row to a partner and gets half of the partner's.
//
// wavesim: --global 131072 --local 256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

// upper: does the lane keep the first half of what it holds? It gives the other.
#define EXCHANGE(a, b, by) \
	{ \
		uint given = upper ? b : a; \
		given = sub_group_shuffle_xor(given, by); \
		a = upper ? a : given; \
		b = upper ? given : b; \
	}

kernel void transpose(global const uint8 *in, global uint8 *out)
{
	uint lane = get_sub_group_local_id();
	uint8 x = in[get_global_id(0)];

	bool upper = !(lane & 4);
	EXCHANGE(x.s0, x.s4, 4) EXCHANGE(x.s1, x.s5, 4) EXCHANGE(x.s2, x.s6, 4) EXCHANGE(x.s3, x.s7, 4)
	upper = !(lane & 2);
	EXCHANGE(x.s0, x.s2, 2) EXCHANGE(x.s1, x.s3, 2) EXCHANGE(x.s4, x.s6, 2) EXCHANGE(x.s5, x.s7, 2)
	upper = !(lane & 1);
	EXCHANGE(x.s0, x.s1, 1) EXCHANGE(x.s2, x.s3, 1) EXCHANGE(x.s4, x.s5, 1) EXCHANGE(x.s6, x.s7, 1)

	out[get_global_id(0)] = x;
}
