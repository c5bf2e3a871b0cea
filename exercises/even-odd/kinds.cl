// wavesim: --global 2048 --local 64 --arg n=2048 --arg data=random:2048
uint square(uint x)
{
	for (uint k = 0; k < 8; k++)
		x = x * x + k;
	return x;
}

uint halve(uint x)
{
	uint steps = 0;
	for (uint k = 0; k < 16; k++) {
		steps += x & 1 ? 3 : k;
		x = x / 2 + steps;
	}
	return steps;
}

kernel void kinds(global uint *data, uint n)
{
	uint i = get_global_id(0);
	if (i % 2 == 0)
		data[i] = square(data[i]);
	else
		data[i] = halve(data[i]);
}
