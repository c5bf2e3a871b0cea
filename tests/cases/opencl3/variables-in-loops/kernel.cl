// A loop whose test reads a variable of the program that another function changes: what NVIDIA's rules for loops look at.
global uint counter = 0;
void bump(void) { counter = counter + 1; }
kernel void k(global ulong *out, ulong n)
{
	ulong s = 0;
	while (counter < n) {
		s += out[0] + counter;
		bump();
	}
	out[0] = s;
}
