// Reads of local memory that compilers join into pairs of addresses, or take apart.
//
// wavesim: --global 4096 --local 256 --arg out=zero:4096 --arg t=local:2048 --arg n=16

// Neighbours at any dword: ds_read2_b32.
kernel void pairs(global float *out, local float *t, int n)
{
	uint l = get_local_id(0);
	for (uint i = 0; i < 8; i++)
		t[l + i * 256] = l * i;
	barrier(CLK_LOCAL_MEM_FENCE);
	float s = 0;
	for (int k = 0; k < n; k++) {
		uint at = 2 * l + k * 32 & 1023;
		s += t[at] * t[at + 1];
	}
	out[get_global_id(0)] = s;
}

// Rows of 16 lanes, 30 dwords apart: a tile without padding.
kernel void rows(global float *out, local float *t, int n)
{
	uint l = get_local_id(0), tile = l / 16 * 30 + l % 16;
	for (uint i = 0; i < 8; i++)
		t[l + i * 256] = l * i;
	barrier(CLK_LOCAL_MEM_FENCE);
	float s = 0;
	for (int k = 0; k < n; k++) {
		uint at = tile + k * 32 & 1023;
		s += t[at] * t[at + 1];
	}
	out[get_global_id(0)] = s;
}

// Four dwords of which none need be aligned.
kernel void unaligned(global float *out, local float *t, int n)
{
	uint l = get_local_id(0);
	for (uint i = 0; i < 8; i++)
		t[l + i * 256] = l * i;
	barrier(CLK_LOCAL_MEM_FENCE);
	float4 s = 0;
	for (int k = 0; k < n; k++)
		s += vload4(l + k * 7 & 255, t);
	out[get_global_id(0)] = s.x + s.y + s.z + s.w;
}
