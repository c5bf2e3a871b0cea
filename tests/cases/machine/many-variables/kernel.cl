// More than 3,000 values of variables: names are noted before -O3, and those that are live still have them.
// wavesim: --global 64 --local 64 --arg o=zero:64 --arg a=iota:65 --arg n=3
#define V1(p, i) uint v##p##i = (last ^ a[0x##p##i & 63]) * (0x##p##i * 2 + 3); last = v##p##i;
#define V16(p) V1(p, 0) V1(p, 1) V1(p, 2) V1(p, 3) V1(p, 4) V1(p, 5) V1(p, 6) V1(p, 7) \
	V1(p, 8) V1(p, 9) V1(p, a) V1(p, b) V1(p, c) V1(p, d) V1(p, e) V1(p, f)
#define V256(p) V16(p##0) V16(p##1) V16(p##2) V16(p##3) V16(p##4) V16(p##5) V16(p##6) V16(p##7) \
	V16(p##8) V16(p##9) V16(p##a) V16(p##b) V16(p##c) V16(p##d) V16(p##e) V16(p##f)
kernel void k(global uint *o, global const uint *a, int n)
{
	uint g = get_global_id(0), last = g;
	V256(0) V256(1) V256(2) V256(3) V256(4) V256(a) V256(c)
	uint ninth = v009 ^ a[g + 1];
#pragma unroll 1
	for (int i = 0; i < n; i++) {
		ninth = ninth * 5 + vcff;
		vabc ^= ninth;
	}
	o[g] = last + ninth + vabc;
}
