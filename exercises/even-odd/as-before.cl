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
	data[i] = i % 2 ? halve(data[i]) : square(data[i]);
}
