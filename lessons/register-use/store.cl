// One store per work-item.
//
// wavesim: --global 1024 --local 64 --arg a=zero:1024

kernel void store(global float *a)
{
	a[get_global_id(0)] = get_global_id(0);
}
