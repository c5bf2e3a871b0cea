// As builtins-vec, with types of 32 and 64 bits.
//
// wavesim: --global 64 --local 32 --arg out=zero:65536

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

ulong hash64(uint x)
{
	return (ulong)hash(x) << 32 | hash(x ^ 0x9e3779b9u);
}

#define FAMILY(type, n, at) { \
	type##n a, b, c; \
	for (uint i = 0; i < n; i++) { \
		((type *)&a)[i] = (type)hash64(gid + i); \
		((type *)&b)[i] = (type)hash64(gid + i + 50); \
		((type *)&c)[i] = (type)hash64(gid + i + 90); \
	} \
	type##n r = rotate(a, b) ^ mul_hi(a, b) ^ mad_hi(a, b, c) ^ clz(a) ^ popcount(b); \
	r ^= mad_sat(a, b, c) ^ add_sat(a, b) ^ sub_sat(a, b) ^ hadd(a, b) ^ rhadd(a, b); \
	r ^= convert_##type##n(abs(a)) ^ convert_##type##n(abs_diff(a, b)); \
	r ^= min(a, b) ^ max(a, c) ^ clamp(a, min(b, c), max(b, c)) ^ max(a, (type)3); \
	vstore##n(r, 0, (global type *)(out + gid * 768 + at)); }
#define ALL(type, at) FAMILY(type, 2, at) FAMILY(type, 3, at + 16) FAMILY(type, 4, at + 40) \
	FAMILY(type, 8, at + 72) FAMILY(type, 16, at + 136)

kernel void builtins(global ulong *out)
{
	uint gid = get_global_id(0);
	ALL(int, 0)
	ALL(ulong, 256)
}
