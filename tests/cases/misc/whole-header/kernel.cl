// PoCL calls length so. The text does not name it, so this compiles only when clang has read all declarations: then again,
// with all of them.
//
// wavesim: --global 64 --local 64 --arg out=zero:64

kernel void lengths(global float *out)
{
	out[get_global_id(0)] = _cl_length((float2)(3 * get_local_id(0), 4 * get_local_id(0)));
}
