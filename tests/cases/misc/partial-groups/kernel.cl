// Smaller last work-groups (OpenCL C 2.0): sizes as launched and as they are. PoCL 3.1 cannot run them.
//
// wavesim: --global 5,3 --local 4,2 --arg out=zero:15

kernel void sizes(global uint *out)
{
	size_t place = get_global_linear_id();
	out[place] = (uint)(get_local_linear_id() + 100 * get_local_size(0) + 1000 * get_local_size(1) +
	                    10000 * get_enqueued_local_size(0) + 100000 * get_enqueued_local_size(1) +
	                    1000000 * get_num_groups(0) + 10000000 * get_num_groups(1));
}
