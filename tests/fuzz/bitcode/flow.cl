/* Loops, switches, early ends. */
#include "launch_values.h"

static int collatz(uint n)
{
	int steps = 0;
	while (n != 1 && steps < 400) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

kernel void flow(global int *out, global const int *in, int n)
{
	ulong i = _group_id_x * _local_size_x + _local_id_x + _global_offset_x;
	if (i >= (ulong)n)
		return;
	int v = in[i];
	switch (v & 7) {
	case 0: v += collatz((uint)v | 1); break;
	case 1: v = -v; /* fall through */
	case 2: v ^= 0x55; break;
	case 3:
		for (int k = 0; k < v; k++) {
			if (k % 5 == 3)
				continue;
			if (k > 40)
				break;
			v += k * in[(i + (ulong)k) % (ulong)n];
		}
		break;
	case 5: out[i] = 1; return;
	default: do v = (v >> 1) - 1; while (v > 3);
	}
	out[i] = v;
}
