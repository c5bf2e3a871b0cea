// Names of built-in functions, of which PoCL's headers make macros: a kernel, its arguments, a variable.
kernel void step(global float *length, const float mix, int clamp)
{
	float dot = length[get_global_id(0)] * mix;
	for (int round = 0; round < clamp; round++)
		dot = dot * 0.5f + mix;
	length[get_global_id(0)] = dot;
}
