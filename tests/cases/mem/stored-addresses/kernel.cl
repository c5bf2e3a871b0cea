// Addresses that a kernel stores: of a buffer, of local and of private memory, in words of 64 bits and in structs. Each
// machine has its own, so they are compared as pointers, and all else as ever.
//
// wavesim: --global 64 --local 32 --arg out=zero:192 --arg seen=zero:1536 --arg l=local:32

struct seen {
	int id;
	global int *buffer;
	int *own;
};

kernel void addresses(global const int *in, global ulong *out, global struct seen *seen, local int *l)
{
	size_t gid = get_global_id(0);
	int own[4] = {in[gid], 1, 2, 3};
	out[3 * gid] = (ulong)(in + gid);
	out[3 * gid + 1] = (ulong)(l + get_local_id(0));
	out[3 * gid + 2] = (ulong)&own[in[gid] & 3];
	seen[gid].id = own[gid & 3];
	seen[gid].buffer = (global int *)out + gid;
	seen[gid].own = &own[gid & 3];
}
