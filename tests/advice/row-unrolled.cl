// A row for each work-item, as it seems to be wrong; but the machine reads four elements of it at once, and the rest comes
// from the cache. A column for each work-item takes longer: eight accesses, each with an address of its own.
// wavesim: --global 1024 --local 256 --arg n=1024 --arg alpha=1.5
kernel void row_unrolled(global const float *a, global const float *x, global float *w, float alpha, int n)
{
	int row = get_global_id(0);
	float sum = w[row];
#pragma unroll 8
	for (int k = 0; k < n; k++)
		sum += alpha * a[row * n + k] * x[k]; // note: uncoalesced
	w[row] = sum;
}
