// wavesim: --global 4194304 --local 256 --arg cost=random(0,1000):4194304 --arg through=zero:4194304 --arg done=zero:1
// device: h200
kernel void relax(global const uint *cost, global uint *through, global uint *done)
{
	uint i = get_global_id(0);
	through[i] = cost[i];
	if (i == get_global_size(0) - 1)
		*done = i;
}
