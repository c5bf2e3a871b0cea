// The work-groups' loops differ, and the first one's is the shortest: the gain is that of the longest.
// wavesim: --global 1024 --local 256 --arg v=random:4096 --arg turns=[40,100,600,1000]
kernel void parts_uneven(global float *v, global const int *turns)
{
	local float l[256];
	int t = get_local_id(0), n = turns[get_group_id(0)];
	l[t] = v[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	float x = 0;
	for (int i = 0; i < n; i++)
		x += atan(l[(t + i) & 255]);
	barrier(CLK_LOCAL_MEM_FENCE);
	l[t] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < n; i++) // flaw: few_waves
		v[get_group_id(0) * 1024 + ((t + 256 * i) & 1023)] = l[(t + i) & 255] / (i + 1);
}
