// Bytes that are no UTF-8, quotes "and; semicolons, columns behind a tab, findings on one line.
kernel void k(global int *a)
{
	a[get_global_id(0) + 1000000] = 1; /* Ã©ÿ */ int b = a[get_global_id(0)]; a[b + 5000] = b;
}
