// wavesim: --global 65536 --local 32 --arg at=random:65536 --arg out=zero:4096
// device: h200
// not: same_store
kernel void leaders(global const uint *at, global uint *out)
{
	uint i = get_global_id(0);
	if (get_local_id(0) == 0)
		out[at[i] & 4095] = i;
}
