// Every 32-bit atomic on local memory, float exchange included.
//
// wavesim: --global 256 --local 64 --arg in=random:256 --arg out=zero:256

kernel void atomics(global const uint *in, global uint *out)
{
	local uint cell[32];
	local int least, most;
	local float last;
	uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid];
	if (lid < 32)
		cell[lid] = lid * 1000;
	if (lid == 0) {
		least = most = 0;
		last = 0.0f;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&cell[lid & 1], x);
	atomic_sub(&cell[2], x);
	atomic_inc(&cell[3 + (x & 1)]);
	atomic_dec(&cell[5]);
	atomic_or(&cell[6], x);
	atomic_and(&cell[7], ~x);
	atomic_xor(&cell[8], x);
	atomic_max(&cell[9], x);
	atomic_min(&cell[10], x);
	atomic_xchg(&cell[11], 77);
	atomic_cmpxchg(&cell[12], 12000, 4);
	atomic_min(&least, (int)x - 40000);
	atomic_max(&most, (int)x - 40000);
	if (lid % 3 == 0)
		atomic_xchg(&last, 2.5f);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[gid] = lid < 32 ? cell[lid] : lid < 40 ? (uint)least : lid < 50 ? (uint)most : as_uint(last);
}
