// Variables of the program in global memory, with values and pointers to each other.
//
// wavesim: --global 128 --local 64 --arg a=zero:128 --build-options -cl-std=CL3.0

global int table[4] = {10, 20, 30, 40};
global int *global chosen = &table[2];
constant int factor = 3;

int once(void)
{
	static global int seen = 5;
	return seen;
}

kernel void look(global int *a)
{
	int g = get_global_id(0);
	a[g] = table[g & 3] * factor + *chosen + once();
	if (g == 127)
		table[0] = 11;
}
