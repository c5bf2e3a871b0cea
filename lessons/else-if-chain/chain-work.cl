// A chain whose arms do work. An optimiser can turn the plain chain of chain.cl into selections or
// a table, because its arms only name a number; here each arm runs a decoder of its own, so the
// lanes of each mode run alone while the others wait.
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
	uint sum = 0;

	uint code = word & 0x03;
	if (code == 0x00) {
		sum = unpack(word, 10, 1, steps);
	} else if (code == 0x01) {
		sum = unpack(word, 7, 4, steps);
	} else {
		code = word & 0x1f;
		if (code == 0x02) {
			sum = unpack(word, 11, 7, steps);
		} else if (code == 0x06) {
			sum = unpack(word, 11, 10, steps);
		} else if (code == 0x0a) {
			sum = unpack(word, 11, 13, steps);
		} else if (code == 0x0e) {
			sum = unpack(word, 9, 16, steps);
		} else if (code == 0x12) {
			sum = unpack(word, 8, 19, steps);
		} else if (code == 0x16) {
			sum = unpack(word, 8, 22, steps);
		} else if (code == 0x1a) {
			sum = unpack(word, 8, 25, steps);
		} else if (code == 0x1e) {
			sum = unpack(word, 6, 28, steps);
		} else if (code == 0x03) {
			sum = unpack(word, 10, 31, steps);
		} else if (code == 0x07) {
			sum = unpack(word, 11, 34, steps);
		} else if (code == 0x0b) {
			sum = unpack(word, 12, 37, steps);
		} else if (code == 0x0f) {
			sum = unpack(word, 16, 40, steps);
		}
	}

	out[gid] = sum;
}
