// wavesim: --global 4194304 --local 256 --arg cost=random(0,1000):4194304 --arg through=zero:4194304 --arg changed=zero:1
// device: h200
kernel void relax(global const uint *cost, global uint *through, global uint *changed)
{
	uint i = get_global_id(0), c = cost[i];
	if (c < 500) {
		through[i] = c;
		if (!*changed)
			*changed = 1;
	}
}
