// clang reads the declarations of those built-in functions alone that the text names (frontend/source/pocl/pocl_header.c).
// So PoCL does not see that this function has the name of one of its own, as it calls it, and would lack "overloadable".
//
// wavesim: --global 64 --local 64 --arg out=zero:64

float _cl_acospi(float x) { return x + 42; }

kernel void sums(global float *out)
{
	out[get_global_id(0)] = _cl_acospi(get_local_id(0));
}
