// Rows of 16 lanes that read each other by a pattern, on RDNA.
//
// wavesim: --device rx6900xt --global 200 --local 100 --arg b=random:200 --arg a=zero:800

kernel void rows(global const int *b, global int *a)
{
	int g = get_global_id(0), x = b[g];
	global int *o = a + 4 * g;
	o[0] = __builtin_amdgcn_permlane16(-1, x, 0x76543210, 0xfedcba98, false, false);
	o[1] = __builtin_amdgcn_permlanex16(-1, x, 0x01234567, 0x89abcdef, false, false);
	if (x & 1) {
		o[2] = __builtin_amdgcn_permlane16(-1, x, 0x13572460, 0x13572460, false, true);
		o[3] = __builtin_amdgcn_permlanex16(g, x, 0, 0, false, false);
	}
}
