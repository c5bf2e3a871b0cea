// Local variables and arguments of every alignment side by side: char at odd addresses, too.
// wavesim: --global 256 --local 64 --arg n=2 --arg lc=local:67 --arg li=local:65 --arg ld=local:64 --arg l4=local:64
kernel void k(global int *out, local char *lc, local int *li, local double *ld, local float4 *l4, int n)
{
	local char c1[3];
	local int i4[5];
	local char c2[1];
	local double d8[3];
	local short s2[3];
	local float4 f16[2];
	local char c3[7];
	int t = get_local_id(0);
	if (t < 3)
		c1[t] = d8[t] = s2[t] = t;
	if (t < 5)
		i4[t] = t;
	if (t < 1)
		c2[t] = n;
	if (t < 2)
		f16[t] = t;
	if (t < 7)
		c3[t] = t;
	lc[t] = li[t] = ld[t] = t;
	l4[t] = t;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = c1[(t + n) % 3] + i4[(t + n) % 5] + c2[0] + (int)d8[(t + n) % 3] +
		s2[(t + n) % 3] + (int)f16[(t + n) % 2].x + c3[(t + n) % 7] +
		lc[63 - t] + li[63 - t] + (int)ld[63 - t] + (int)l4[63 - t].x;
}
