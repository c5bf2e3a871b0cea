// wavesim: --global 16384 --local 256 --arg n=262144 --arg data=random(0,256):262144 --arg bins=zero:64
kernel void hist(global const uint *data, global uint *bins, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_add(&bins[data[i] & 63], 1); // flaw: local_atomics
}
