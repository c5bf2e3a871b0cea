// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:1
kernel void total(global const uint *a, global uint *out)
{
	atomic_add(out, a[get_global_id(0)] & 255); // flaw: atomic_address
}
