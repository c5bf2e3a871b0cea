// wavesim: --global 8192 --local 256 --arg v=random:4096 --arg turns=[40,100,600,1000]
kernel void parts_uneven(global float *v, global const int *turns)
{
	local float l[256];
	int group = get_group_id(0) / 8, part = get_group_id(0) & 7;
	int t = get_local_id(0), n = turns[group];
	l[t] = v[group * 256 + t];
	barrier(CLK_LOCAL_MEM_FENCE);
	float x = 0;
	for (int i = 0; i < n; i++)
		x += atan(l[(t + i) & 255]);
	barrier(CLK_LOCAL_MEM_FENCE);
	l[t] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = n * part / 8; i < n * (part + 1) / 8; i++)
		v[group * 1024 + ((t + 256 * i) & 1023)] = l[(t + i) & 255] / (i + 1);
}
