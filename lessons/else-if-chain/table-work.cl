// The same result as chain-work.cl: two tables give the decoder's parameters and all lanes run it
// together. A width of 0 marks the bits that stand for no mode.
//
// wavesim: --global 16384 --local 256 --arg modes=14 --arg steps=12
// wavesim: --arg in=random:16384 --arg out=zero:16384

// The code that stands for each of the 14 modes. Modes 0 and 1 use two bits, the others five.
constant uint code_of_mode[14] = {
	0x00, 0x01, 0x02, 0x06, 0x0a, 0x0e, 0x12, 0x16, 0x1a, 0x1e, 0x03, 0x07, 0x0b, 0x0f,
};

// The first word of a compressed block. The low five bits are chosen here, so that exactly
// `modes` different modes meet in every wave of 16 or more lanes.
uint block_word(global const uint *in, uint gid, uint modes)
{
	return (in[gid] << 5) | code_of_mode[gid % modes];
}

constant uint width_of_bits[32] = {
	10,  7, 11, 10, 10,  7, 11, 11,
	10,  7, 11, 12, 10,  7,  9, 16,
	10,  7,  8,  0, 10,  7,  8,  0,
	10,  7,  8,  0, 10,  7,  6,  0,
};
constant uint offset_of_bits[32] = {
	 1,  4,  7, 31,  1,  4, 10, 34,
	 1,  4, 13, 37,  1,  4, 16, 40,
	 1,  4, 19,  0,  1,  4, 22,  0,
	 1,  4, 25,  0,  1,  4, 28,  0,
};

// Unpack a block: fields of `width` bits are summed. The loop stands for the real
// decoder of a mode; every mode takes the same number of steps, so that only the branching differs.
uint unpack(uint word, uint width, uint offset, uint steps)
{
	uint sum = offset;
	for (uint i = 0; i < steps; i++) {
		sum = sum * 33 + (word & ((1u << width) - 1));
		word = rotate(word, 32 - width) ^ sum;
	}
	return sum;
}

kernel void decode(global const uint *in, global uint *out, uint modes, uint steps)
{
	uint gid = get_global_id(0);
	uint word = block_word(in, gid, modes);

	uint bits = word & 0x1f;
	uint width = width_of_bits[bits];
	uint offset = offset_of_bits[bits];
	out[gid] = width ? unpack(word, width, offset, steps) : 0;
}
