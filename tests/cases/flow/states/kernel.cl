// A state machine: three loops woven into each other by a switch, left at different times.
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


kernel void states(global uint *out)
{
	uint gid = get_global_id(0), x = hash(gid), state = x & 3, steps = 0;
	while (state != 4 && steps < 100) {
		switch (state) {
		case 0:
			x = x / 2 + 7;
			state = x & 1 ? 2 : 1;
			break;
		case 1:
			x = x * 3 + 1;
			if (x % 5 == 0)
				state = 3;
			else
				state = 0;
			break;
		case 2:
			do {
				x ^= x << 3;
				x ^= x >> 5;
				steps++;
			} while (x % 3);
			state = 1;
			break;
		case 3:
			state = x % 7 == 0 ? 4 : 2;
			x += 11;
			break;
		}
		steps++;
	}
	out[gid] = x + steps;
}
