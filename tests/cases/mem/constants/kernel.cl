// Program-scope constants of every shape: tables, structs, strings, doubles, tables of vectors.
//
// wavesim: --global 128 --local 64 --arg extra=random:16 --arg out=zero:1024

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct {
	uchar kind;
	int range[2];
	float4 colour;
} Entry;

constant int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
constant Entry entries[3] = {
	{1, {-5, 5}, (float4)(1.0f, 0.5f, 0.25f, 1.0f)},
	{2, {0, 100}, (float4)(0.0f, 2.0f, 4.0f, 8.0f)},
	{7, {-9, -1}, (float4)(3.0f)},
};
constant char text[] = "wavefront";
constant double exact[2] = {0.1, 1e300};
constant short matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
constant uint2 pairs[2] = {(uint2)(1, 2), (uint2)(3, 4)};
constant int scale = 3;

int pick(constant int *table, uint i)
{
	return table[i] * scale;
}

kernel void constants(constant int *extra, global int *out)
{
	uint gid = get_global_id(0);
	constant Entry *e = &entries[gid % 3];
	out[gid * 8] = pick(primes, gid % 10) + pick(extra, gid & 15);
	out[gid * 8 + 1] = e->range[gid & 1] * e->kind;
	out[gid * 8 + 2] = as_int(e->colour.y + e->colour.w);
	out[gid * 8 + 3] = text[gid % sizeof(text)];
	out[gid * 8 + 4] = as_int2(exact[gid & 1]).y;
	out[gid * 8 + 5] = matrix[gid % 3][gid & 3] + (int)pairs[gid & 1].y;
	out[gid * 8 + 6] = "local text"[gid % 10];
	constant int *p = gid & 4 ? primes : extra;
	out[gid * 8 + 7] = p[gid & 7];
}
