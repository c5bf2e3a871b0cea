// The same result as before.cl: two tables name the rule and its argument, and each function is
// called in one place. A wave that holds all 16 points runs three calls.
//
// wavesim: --global 4096 --local 256 --arg steps=8
// wavesim: --arg points=random:8192 --arg out=zero:4096

// A patch is 32 control points; 16 work-items compute one new point each. The three rules differ
// in which neighbours they visit and how they weigh them.
float4 inside(global const float4 *patch, uint which, uint steps)
{
	float4 sum = patch[which] * 4.0f;
	for (uint i = 0; i < steps; i++)
		sum += patch[(5 * which + 3 * i + 1) & 31] * 0.5f + patch[(which + i) & 31];
	return sum / (4.0f + 1.5f * steps);
}

float4 corner(global const float4 *patch, uint which, uint steps)
{
	float4 sum = patch[8 * which];
	float4 tangent = (float4)(0.0f);
	for (uint i = 0; i < steps; i++) {
		sum += patch[(8 * which + i) & 31];
		tangent += patch[(8 * which + 7 * i) & 31] - sum * 0.125f;
	}
	return sum + tangent * 0.25f;
}

float4 edge(global const float4 *patch, uint which, uint steps)
{
	float4 sum = (float4)(0.0f);
	for (uint i = 0; i < steps; i++)
		sum = sum * 0.75f + patch[(4 * which + i) & 31] * 0.25f;
	return sum;
}

enum { INSIDE, CORNER, EDGE };
constant uchar rule_of_point[16] = {
	CORNER, EDGE, EDGE, CORNER,
	EDGE, INSIDE, INSIDE, EDGE,
	EDGE, INSIDE, INSIDE, EDGE,
	CORNER, EDGE, EDGE, CORNER,
};
constant uchar which_of_point[16] = {
	0, 0, 1, 1,
	4, 0, 1, 6,
	5, 3, 2, 7,
	3, 2, 3, 2,
};

kernel void refine(global const float4 *points, global float4 *out, uint steps)
{
	uint gid = get_global_id(0);
	global const float4 *patch = points + (gid / 16) * 32;
	float4 p = (float4)(0.0f);

	uint rule = rule_of_point[gid & 15];
	uint which = which_of_point[gid & 15];
	if (rule == INSIDE)
		p = inside(patch, which, steps);
	if (rule == CORNER)
		p = corner(patch, which, steps);
	if (rule == EDGE)
		p = edge(patch, which, steps);
	out[gid] = p;
}
