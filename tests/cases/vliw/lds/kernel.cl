// Machine code of a VLIW chip: local memory, barriers, atomics whose result nobody wants.
//
// wavesim: --global 1024 --local 256

kernel void k(global const uint *in, global uint *out, global uint *count)
{
	local uint tile[256];
	uint lid = get_local_id(0);
	tile[lid] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tile[255 - lid] + tile[lid ^ 7];
	if (tile[lid] & 1)
		atomic_inc(count);
}
