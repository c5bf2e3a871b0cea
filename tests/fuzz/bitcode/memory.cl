/* Address spaces, structures, local memory, a barrier. */
#include "launch_values.h"

typedef struct Pair {
	short a;
	float b[3];
	uchar c;
} Pair;

constant float table[5] = {1.5f, -2.0f, 0.25f, 8.0f, 1e-20f};

kernel __attribute__((reqd_work_group_size(16, 2, 1))) void
memory(global Pair *pairs, global float4 *v, local int *given, constant short *small, Pair by_value)
{
	local float tile[32];
	Pair own[4];
	uint l = (uint)(_local_id_y * 16 + _local_id_x);
	ulong g = _group_id_x * 16 + _local_id_x;
	for (uint k = 0; k < 4; k++) {
		own[k] = pairs[g];
		own[k].b[k % 3] += table[(l + k) % 5];
	}
	tile[l] = own[l & 3].b[1] * (float)small[l & 7];
	given[l ^ 1] = own[(l + 1) & 3].a;
	barrier_(1);
	float4 x = v[g];
	x.xz = x.wy * tile[31 - l];
	x.w += (float)given[l] + by_value.b[2];
	v[g] = x;
	private Pair *p = &own[given[l] & 3];
	p->c = (uchar)x.y;
	pairs[g] = *p;
}
