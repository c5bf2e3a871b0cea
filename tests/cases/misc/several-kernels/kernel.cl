// Three kernels in one file; each has its own launch comment.
//
// wavesim(first): --global 64 --local 64 --arg out=zero:64
// wavesim(second): --global 128 --local 32 --arg out=zero:128 --arg add=5
// wavesim(third): --global 32 --local 16 --arg out=zero:32

void raise(global uint *out, uint add)
{
	out[get_global_id(0)] += add * get_local_id(0);
}

kernel void first(global uint *out)
{
	out[get_global_id(0)] = 1;
}

kernel void second(global uint *out, uint add)
{
	raise(out, add);
}

kernel void third(global uint *out)
{
	raise(out, 3);
	out[get_global_id(0)] ^= 0x80;
}
