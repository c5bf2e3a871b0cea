// Functions of AMD's library that ask GCN for what VLIW chips do not have in one instruction: the machine
// code has some instead, and the time is that code's.
//
// wavesim: --global 256 --local 64 --arg a=random:256

kernel void k(global float *a)
{
	int i = get_global_id(0);
	float x = a[i];
	x = sin(x) + exp(x) * log(x + 1.0f) + pow(x, 0.7f);
	a[i] = clamp(fmod(x, 3.0f), -1.0f, 1.0f) + hypot(x, 2.0f);
}
