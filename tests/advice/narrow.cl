// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144
kernel void bytes(global const uchar *a, global uchar *out)
{
	out[get_global_id(0)] = a[get_global_id(0)] ^ 255; // flaw: narrow_store
}
