// A forward convolution of images without any tuning, as the set naive_conv_fwd_mi210 measured it:
// a work-group of 256 computes one output plane (image n, channel k) and walks over all inputs.
// The images are in[n][c][y][x], the weights w[k][c][fy][fx]; with groups, an output channel sees
// its share of the input channels. The sum is kept in double.
kernel void naive_conv(global float *out, global const float *in, global const float *weights,
                       int height, int width, int channels, int out_channels, int out_height,
                       int out_width, int stride_y, int stride_x, int dilation_y, int dilation_x,
                       int pad_y, int pad_x, int filter_y, int filter_x, int groups)
{
	int n = get_group_id(0) / out_channels, k = get_group_id(0) % out_channels;
	int share = channels / groups, first = k / (out_channels / groups) * share;
	global const float *w = weights + (long)k * share * filter_y * filter_x;
	global float *plane = out + (long)get_group_id(0) * out_height * out_width;

	for (int at = get_local_id(0); at < out_height * out_width; at += 256) {
		int oy = at / out_width, ox = at % out_width;
		double sum = 0;
		for (int c = 0; c < share; c++) {
			global const float *image = in + ((long)n * channels + first + c) * height * width;
			for (int fy = 0; fy < filter_y; fy++) {
				int y = oy * stride_y - pad_y + fy * dilation_y;
				for (int fx = 0; fx < filter_x; fx++) {
					int x = ox * stride_x - pad_x + fx * dilation_x;
					if (y >= 0 && y < height && x >= 0 && x < width)
						sum += (double)image[y * width + x] * w[(c * filter_y + fy) * filter_x + fx];
				}
			}
		}
		plane[at] = sum;
	}
}
