/* Matrix instructions of the native run: the lanes meet twice, for a and for b, and each computes its own results. */
#include "frontend/native/native.h"

static void copy_values(const NativeLanes *l, u64 *out)
{
	for (u32 i = 0; i < MATRIX_LANES; i++)
		out[i] = i < l->n && l->there[i] ? l->value[i] : 0;
}

void native_matrix(NativeRun *r, u32 site, u32 shape, u64 a, u64 b)
{
	u64 all_a[MATRIX_LANES], all_b[MATRIX_LANES];
	copy_values(native_meet(r, site, a), all_a);
	const NativeLanes *l = native_meet(r, site, b);
	u32 first = 0;
	while (!l->there[first])
		first++;
	if (l->own != first) /* it has read for all; they go on one after the other */
		return;
	copy_values(l, all_b);
	matrix_read(&matrix_shape[shape], all_a, all_b, native_matrix_in(r));
}

u64 native_matrix_result(NativeRun *r, u32 shape, u32 result, u64 sum)
{
	return matrix_result(&matrix_shape[shape], native_matrix_in(r), result, native_lane(r), sum);
}
