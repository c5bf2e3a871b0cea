// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void bytes(global const uchar4 *a, global uchar4 *out)
{
	out[get_global_id(0)] = a[get_global_id(0)] ^ (uchar4)255;
}
