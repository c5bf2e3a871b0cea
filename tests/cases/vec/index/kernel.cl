// A component chosen at run time, through a pointer, a union and an array of vectors.
//
// wavesim: --global 128 --local 64 --arg in=random:1024 --arg out=zero:512

typedef union {
	int8 v;
	int e[8];
	short half_words[16];
} Words;

kernel void index(global const int8 *in, global int *out)
{
	uint gid = get_global_id(0);
	int8 v = in[gid];
	Words w;
	w.v = v;
	uint k = (gid * 5 + (uint)v.s0) & 7;
	w.e[k] = -1;
	w.half_words[(gid & 7) * 2] += 3;
	int *p = (int *)&v;
	p[7 - k] += 100;
	out[gid * 4] = w.v.s3 + w.v.s7;
	out[gid * 4 + 1] = p[k];
	out[gid * 4 + 2] = v.s5 ^ w.e[5];
	out[gid * 4 + 3] = ((global const int *)in)[gid * 8 + k];
}
