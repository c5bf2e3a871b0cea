// Sizes of the launch are constants of a VLIW chip's code, each with a name: none is found by an index.
//
// wavesim: --global 64,4 --local 16,4 --arg out=zero:256 --arg n=1

kernel void k(global int *out, int n)
{
	out[get_global_id(1) * 64 + get_global_id(0)] = get_local_size(n);
}
