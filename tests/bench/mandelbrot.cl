// Steps until a point leaves the circle of radius 2, for an image of the Mandelbrot set: lanes in
// the set take all steps, lanes outside leave early.
//
// wavesim: --global 256,256 --local 16,16 --arg limit=200 --arg out=zero:65536

kernel void mandelbrot(global uint *out, int limit)
{
	uint px = get_global_id(0), py = get_global_id(1);
	float cx = (float)px * (3.0f / 256) - 2.25f;
	float cy = (float)py * (2.5f / 256) - 1.25f;
	float x = 0.0f, y = 0.0f;
	uint steps = 0;

	while (steps < (uint)limit && x * x + y * y < 4.0f) {
		float t = x * x - y * y + cx;
		y = 2.0f * x * y + cy;
		x = t;
		steps++;
	}
	out[py * get_global_size(0) + px] = steps;
}
