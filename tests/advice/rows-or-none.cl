// Of four neighbours one has a long row, the others none: the loop's test parts them, and its lanes leave together.
// wavesim: --global 16384 --local 256 --arg rows=random:16384 --arg a=random:16384
kernel void rows_or_none(global const float *a, global const int *rows, global float *o)
{
	int i = get_global_id(0);
	int n = (rows[i] & 3) == 0 ? 100 : 0;
	float s = 0;
	for (int k = 0; k < n; k++) // flaw: split_branch
		s += atan(a[(i + k) & 16383]);
	o[i] = s;
}
