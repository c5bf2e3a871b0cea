// Which of 14 modes does a compressed texture block use? A chain of comparisons finds out, one
// code after the other. A word with no known code gives -1.
//
// wavesim: --global 16384 --local 256 --arg modes=14
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

kernel void mode_index(global const uint *in, global int *out, uint modes)
{
	uint gid = get_global_id(0);
	uint word = block_word(in, gid, modes);
	int mode = -1;

	uint code = word & 0x03;
	if (code == 0x00) {
		mode = 0;
	} else if (code == 0x01) {
		mode = 1;
	} else {
		code = word & 0x1f;
		if (code == 0x02) {
			mode = 2;
		} else if (code == 0x06) {
			mode = 3;
		} else if (code == 0x0a) {
			mode = 4;
		} else if (code == 0x0e) {
			mode = 5;
		} else if (code == 0x12) {
			mode = 6;
		} else if (code == 0x16) {
			mode = 7;
		} else if (code == 0x1a) {
			mode = 8;
		} else if (code == 0x1e) {
			mode = 9;
		} else if (code == 0x03) {
			mode = 10;
		} else if (code == 0x07) {
			mode = 11;
		} else if (code == 0x0b) {
			mode = 12;
		} else if (code == 0x0f) {
			mode = 13;
		}
	}

	out[gid] = mode;
}
