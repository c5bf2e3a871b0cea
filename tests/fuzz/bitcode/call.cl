/* Calls, a pointer into either of two spaces, atomics, printf. */
#include "launch_values.h"
int printf(constant const char *format, ...);

static __attribute__((noinline)) uint mix(uint a, uint b) { return (a << 7 | a >> 25) ^ b * 2654435761u; }

static uint walk(const uint *p, uint n)
{
	uint sum = 0;
	for (uint i = 0; i < n; i++)
		sum = mix(sum, p[i]);
	return sum;
}

kernel void call(global uint *a, global uint *count, volatile global ulong *wide, uint n)
{
	uint own[8], l = (uint)_local_id_x;
	for (uint k = 0; k < 8; k++)
		own[k] = k * l;
	const uint *p = l & 1 ? (const uint *)a : own;
	uint sum = walk(p, n & 7);
	uint old = __atomic_fetch_add(count, sum & 3, __ATOMIC_RELAXED);
	__atomic_fetch_max((volatile global int *)count + 1, (int)old, __ATOMIC_SEQ_CST);
	ulong seen = 0;
	if (!__atomic_compare_exchange_n(wide, &seen, sum, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		__atomic_exchange_n(wide + 1, seen, __ATOMIC_RELEASE);
	if (sum == 0xffffffffu)
		printf("%u of %d %v4hlx\n", old, (int)_work_dim, (uint4)(sum));
	a[l] = sum + _work_dim;
}
