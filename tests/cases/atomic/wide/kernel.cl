// The 64-bit atomics of cl_khr_int64_base_atomics and _extended_atomics, global and local.
//
// wavesim: --global 256 --local 64 --arg cell=zero:32 --arg out=zero:64

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

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

kernel void atomics(global ulong *cell, global ulong *out)
{
	local ulong shared[8];
	uint gid = get_global_id(0), lid = get_local_id(0);
	ulong x = hash64(gid);
	if (lid < 8)
		shared[lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	atom_add(&cell[0], x);
	atom_sub(&cell[1], x);
	atom_inc(&cell[2]);
	atom_dec(&cell[3]);
	atom_xchg(&cell[4], 1234567890123ul);
	atom_cmpxchg(&cell[5], 0, 99ul << 40);
	atom_min(&cell[6], x);
	atom_max(&cell[7], x);
	atom_and(&cell[8], x);
	atom_or(&cell[9], x & 0xff00ff00ff00ul);
	atom_xor(&cell[10], x);
	atom_max((global long *)&cell[11], (long)x);
	atom_min((global long *)&cell[12], (long)x);
	atom_add(&shared[0], x);
	atom_max(&shared[1], x);
	atom_xor(&shared[2], x);
	atom_inc(&shared[3]);
	atom_cmpxchg(&shared[4], 4ul, 1ul << 50);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 8)
		out[get_group_id(0) * 8 + lid] = shared[lid];
}
