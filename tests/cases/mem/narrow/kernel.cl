// Bytes and shorts in memory: neighbours that share a dword are written by different lanes.
//
// wavesim: --global 256 --local 64 --arg bytes=random(0,255):256 --arg words=random:256
// wavesim: --arg flags=zero:256

kernel void narrow(global uchar *bytes, global short *words, global uchar *flags)
{
	local uchar tile[64];
	local short pairs[64];
	uint gid = get_global_id(0), lid = get_local_id(0);
	tile[lid] = bytes[gid];
	pairs[lid ^ 1] = words[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	uchar b = tile[63 - lid];
	short s = pairs[lid];
	bool odd = b & 1;
	if (odd)
		bytes[gid] = (uchar)(b + s);
	words[gid] = (short)(s - b);
	flags[gid] = odd;
}
