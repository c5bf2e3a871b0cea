// Rows of random lengths: the loop is told, and not its own test as a branch.
// not: split_branch
// wavesim: --global 1024 --local 256 --arg first=random(0,1023):1025 --arg val=random:1024 --arg vec=random:1024 --arg cols=random(0,1023):1024 --arg dim=1024
kernel void spmv(global const float *val, global const float *vec, global const int *cols,
                   global const int *first, int dim, global float *out)
{
	int row = get_global_id(0);
	if (row < dim) {
		float t = 0;
		for (int j = first[row]; j < first[row + 1]; j++)
			t += val[j] * vec[cols[j]];
		out[row] = t;
	}
}
