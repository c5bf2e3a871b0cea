// table.cl without the arithmetic that picks a mode; as wrong as that one, and here for its machine
// code only.
//
// wavesim: --global 16384 --local 256 --arg in=random:16384 --arg out=zero:16384

constant int entries[14] = {
	0x02, 0x06, 0x0a, 0x0e, 0x12, 0x16, 0x1a, 0x1e, 0x03, 0x07, 0x0b, 0x0f, 0x00, 0x01,
};

kernel void mode_index(global const uint *in, global int *out)
{
	uint gid = get_global_id(0);
	uint word = in[gid];

	uint index;
	uint code = word & 0x03;
	if (code <= 1)
		index = 12 + code;
	else
		index = word & 0x1f;
	out[gid] = entries[index];
}
