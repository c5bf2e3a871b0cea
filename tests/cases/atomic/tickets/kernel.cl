// The values that atomics return: each ticket is drawn once, whoever draws it.
//
// wavesim: --global 256 --local 64 --arg counter=zero:4 --arg drawn=zero:1024 --arg out=zero:16

kernel void tickets(global uint *counter, global uint *drawn, global uint *out)
{
	local uint next, bits[2];
	uint gid = get_global_id(0), lid = get_local_id(0);
	if (lid < 2)
		bits[lid] = next = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint mine = atomic_inc(&counter[0]);
	drawn[mine] += 1;
	uint twice = atomic_add(&counter[1], 2);
	drawn[256 + twice] = twice / 2 < 256;
	if (lid % 3 != 1) {
		uint t = atomic_inc(&next);
		atomic_or(&bits[t / 32], 1u << (t & 31));
	}
	uint old = atomic_or(&counter[2], 1u << (gid & 31));
	if (!(old >> (gid & 31) & 1))
		atomic_add(&counter[3], 1u << (gid & 15));
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 2)
		out[get_group_id(0) * 2 + lid] = bits[lid];
	if (lid == 2)
		out[8 + get_group_id(0)] = next;
}
