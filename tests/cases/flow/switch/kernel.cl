// Switches: falling through, default in the middle, ranges, negative and 64-bit labels, in a loop.
//
// wavesim: --global 192 --local 64 --arg out=zero:192

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


uint classify(int x)
{
	switch (x) {
	case -3:
		return 1;
	case 0 ... 4:
		return 2;
	default:
		x++;
	case 7:
		x += 2;
	case 9:
		return (uint)x * 3;
	case 11:
	case 12:
		break;
	}
	return 99;
}

kernel void switches(global uint *out)
{
	uint gid = get_global_id(0), r = 0;
	for (int i = 0; i < 6; i++) {
		uint h = hash(gid * 6 + (uint)i);
		r = r * 7 + classify((int)(h % 17) - 4);
		switch (h >> 28) {
		case 1:
			r++;
			continue;
		case 2:
			r ^= h;
			break;
		case 3: {
			uint t = r & 3;
			switch (t) {
			case 0:
				r += 10;
				break;
			case 1:
				r += 20;
			}
			break;
		}
		case 15:
			i += 2;
		}
		r += 5;
	}
	ulong wide = (ulong)(hash(gid) & 3) << 33;
	switch (wide) {
	case 0x200000000ul:
		r += 1;
		break;
	case 0x600000000ul:
		r += 3;
		break;
	}
	switch ((char)(r & 255)) {
	case -128 ... -1:
		r ^= 0xabc;
		break;
	case 'a':
		r = 0;
	}
	out[gid] = r;
}
