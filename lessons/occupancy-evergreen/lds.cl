// The local memory of a work-group is an argument: --arg tile=local:1024 asks for 4 KB,
// tile=local:8192 for 32 KB. The kernel needs at least one element per work-item.
//
// wavesim: --global 16384 --local 256 --arg tile=local:1024
// wavesim: --arg in=random:16384 --arg out=zero:16384

kernel void mirror(global const float *in, global float *out, local float *tile)
{
	uint gid = get_global_id(0);
	uint lid = get_local_id(0);
	uint last = get_local_size(0) - 1;

	tile[lid] = in[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[gid] = tile[last - lid];
}
