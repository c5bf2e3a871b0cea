// Neighbouring work-items read local memory `stride` dwords apart. The pool must hold
// local size x stride elements.
//
// wavesim: --global 64 --local 64 --arg stride=8 --arg pool=local:4096
// wavesim: --arg in=random:4096 --arg out=zero:64

kernel void strided(global const uint *in, global uint *out, local uint *pool, uint stride)
{
	uint lid = get_local_id(0);
	uint size = get_local_size(0);

	// Fill the pool with neighbouring work-items on neighbouring dwords: no conflicts.
	for (uint i = lid; i < size * stride; i += size)
		pool[i] = in[i & 4095];
	barrier(CLK_LOCAL_MEM_FENCE);

	// The read this lesson is about, alone on its line.
	uint value = pool[lid * stride];

	out[get_global_id(0)] = value;
}
