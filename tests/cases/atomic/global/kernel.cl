// Every 32-bit atomic on global memory; the results do not depend on who comes first.
//
// wavesim: --global 512 --local 64 --arg in=random:512 --arg cell=zero:64 --arg signed_cell=zero:16

kernel void atomics(global const uint *in, global uint *cell, global int *signed_cell)
{
	uint gid = get_global_id(0), x = in[gid], k = gid & 3;
	int s = (int)x - 30000;
	atomic_add(&cell[k], x);
	atomic_sub(&cell[4 + k], x);
	atomic_inc(&cell[8 + k]);
	atomic_dec(&cell[12 + k]);
	atomic_or(&cell[16 + k], 1u << (x & 31));
	atomic_xor(&cell[20 + k], x);
	atomic_max(&cell[24 + k], x);
	atomic_min(&cell[28 + k], ~x);
	atomic_and(&cell[32 + k], ~x);
	atomic_cmpxchg(&cell[36 + k], 0, 5);
	atomic_cmpxchg(&cell[40 + k], 1, 5);
	atomic_xchg(&cell[44 + k], 9);
	atomic_add(&signed_cell[k], s);
	atomic_max(&signed_cell[4 + k], s);
	atomic_min(&signed_cell[8 + k], s);
	if (gid & 1)
		atomic_inc(&signed_cell[12 + (gid >> 1 & 3)]);
}
