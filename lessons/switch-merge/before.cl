// A switch over the 16 points of a patch calls three functions in 16 places. Each call is a place
// of its own, so a wave that holds all 16 points runs all 16 calls, one after the other.
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

kernel void refine(global const float4 *points, global float4 *out, uint steps)
{
	uint gid = get_global_id(0);
	global const float4 *patch = points + (gid / 16) * 32;
	float4 p = (float4)(0.0f);

	switch (gid & 15) {
	case 5:
		p = inside(patch, 0, steps);
		break;
	case 6:
		p = inside(patch, 1, steps);
		break;
	case 10:
		p = inside(patch, 2, steps);
		break;
	case 9:
		p = inside(patch, 3, steps);
		break;
	case 0:
		p = corner(patch, 0, steps);
		break;
	case 3:
		p = corner(patch, 1, steps);
		break;
	case 15:
		p = corner(patch, 2, steps);
		break;
	case 12:
		p = corner(patch, 3, steps);
		break;
	case 1:
		p = edge(patch, 0, steps);
		break;
	case 2:
		p = edge(patch, 1, steps);
		break;
	case 13:
		p = edge(patch, 2, steps);
		break;
	case 14:
		p = edge(patch, 3, steps);
		break;
	case 4:
		p = edge(patch, 4, steps);
		break;
	case 8:
		p = edge(patch, 5, steps);
		break;
	case 7:
		p = edge(patch, 6, steps);
		break;
	case 11:
		p = edge(patch, 7, steps);
		break;
	}
	out[gid] = p;
}
