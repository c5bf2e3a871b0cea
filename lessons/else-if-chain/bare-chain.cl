// chain.cl without the arithmetic that picks a mode: the words come as they are, so the machine code
// is that of the chain, one load and one store. Its numbers can be put beside the article's.
//
// wavesim: --global 16384 --local 256 --arg in=random:16384 --arg out=zero:16384

kernel void mode_index(global const uint *in, global int *out)
{
	uint gid = get_global_id(0);
	uint word = in[gid];
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
