// Compare-and-swap loops: a maximum of floats, a saturating sum, and a spin that every lane wins.
//
// wavesim: --global 256 --local 64 --arg in=random(-100,100):256 --arg cell=zero:8

void max_float(volatile global uint *p, float x)
{
	uint old = *p;
	while (as_float(old) < x) {
		uint seen = atomic_cmpxchg(p, old, as_uint(x));
		if (seen == old)
			break;
		old = seen;
	}
}

kernel void cas(global const float *in, volatile global uint *cell)
{
	uint gid = get_global_id(0);
	float x = in[gid];
	max_float(&cell[gid & 1], x);
	if (x < 0.0f) {
		uint old, now;
		do {
			old = cell[2];
			now = min(old + 3u, 200u);
		} while (atomic_cmpxchg(&cell[2], old, now) != old);
	}
	uint old = cell[3];
	for (;;) {
		uint seen = atomic_cmpxchg(&cell[3], old, old + gid);
		if (seen == old)
			break;
		old = seen;
	}
}
