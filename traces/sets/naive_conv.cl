// A forward convolution of images without any tuning, as the sets naive_conv_fwd_* measured it:
// a work-group of 256 computes one output plane (share g of the channels, image n, channel k of the
// share) and walks over all inputs. The images are in[n][c][y][x], the weights w[k][c][fy][fx]. As
// in what was measured, places are worked out in 64 bits at every step, every tap tests its bounds
// in both directions, and the sum is kept in double. The host divides: `share` inputs and `out_share`
// outputs of each of `groups` shares, and the number of images, are arguments.
kernel void naive_conv(global float *restrict out, global const float *restrict in,
                       global const float *restrict weights, int height, int width, int images, int share,
                       int out_share, int out_height, int out_width, int stride_y, int stride_x,
                       int dilation_y, int dilation_x, int pad_y, int pad_x, int filter_y,
                       int filter_x, int groups)
{
	int channels = share * groups, out_channels = out_share * groups, id = get_group_id(0);
	int k = id % out_share, n = id / out_share % images, g = id / (out_share * images);
	size_t tap_plane = (size_t)filter_y * filter_x, size = (size_t)out_height * out_width;
	in += ((size_t)n * channels + (size_t)g * share) * height * width;
	weights += ((size_t)g * out_share + k) * share * tap_plane;
	out += ((size_t)n * out_channels + (size_t)g * out_share + k) * size;

	for (int at = get_local_id(0); at < out_height * out_width; at += 256) {
		int oy = at / out_width, ox = at % out_width;
		double sum = 0;
		for (int c = 0; c < share; c++)
			for (int fy = 0; fy < filter_y; fy++) {
				int y = oy * stride_y - pad_y + fy * dilation_y;
				bool inside_y = y >= 0 && y < height;
				for (int fx = 0; fx < filter_x; fx++) {
					int x = ox * stride_x - pad_x + fx * dilation_x;
					bool inside_x = x >= 0 && x < width;
					if (inside_x & inside_y) {
						size_t from = (size_t)c * height * width + (size_t)y * width + (size_t)x;
						size_t tap = (size_t)c * filter_y * filter_x + (size_t)fy * filter_x + (size_t)fx;
						sum += (double)in[from] * (double)weights[tap];
					}
				}
			}
		out[(size_t)oy * out_width + ox] = sum;
	}
}
