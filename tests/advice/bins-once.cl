// wavesim: --global 65536 --local 256 --arg data=random(0,256):65536 --arg bins=zero:256
// One atomic for each work-item, on as many elements: local memory would save few of them.
kernel void count(global const uint *data, global uint *bins)
{
	atomic_add(&bins[data[get_global_id(0)] & 255], 1); // not: local_atomics
}
