// Work by packets of one element: taken by an atomic, or shared out beforehand. The atomic of `shared` returns nothing
// that is read.
void element(global float *o, int i)
{
	float x = i;
	for (int k = 0; k < 200; k++)
		x = fma(x, 0.5f, 1.0f);
	o[i] = x;
}

kernel void taken(global int *next, global float *o, int n)
{
	for (int i; (i = atomic_inc(next)) < n;)
		element(o, i);
}

kernel void shared(global int *next, global float *o, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		element(o, i);
		atomic_inc(next);
	}
}
