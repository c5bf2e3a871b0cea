// Pipes: by packets, by reservations of work-items, sub-groups and work-groups, of numbers, vectors and structs of 12
// bytes; full, empty and around their end. PoCL has none; AMD's library does.
//
// wavesim: --global 256 --local 64 --arg in=random:256

typedef struct {
	int a;
	float b;
	char c;
} Packet;

// Half of the work-items write, and the pipe is full before the last ones.
kernel void produce(write_only pipe int p, global const int *in, global int *got)
{
	int i = get_global_id(0), v = in[i];
	got[i] = v & 1 ? write_pipe(p, &v) : 1;
	if (i == 255)
		got[255] = get_pipe_max_packets(p);
}

kernel void consume(read_only pipe float4 p, global float4 *out)
{
	float4 v = -1;
	read_pipe(p, &v);
	out[get_global_id(0)] = v;
}

// Two packets each, as far as there is room for both.
kernel void reserve(write_only pipe Packet p, global const int *in, global int *got)
{
	int i = get_global_id(0);
	reserve_id_t r = reserve_write_pipe(p, 2);
	got[i] = is_valid_reserve_id(r);
	if (!is_valid_reserve_id(r))
		return;
	Packet one = {i, in[i], 1}, two = {-i, 0.5f * in[i], 2};
	write_pipe(p, r, 0, &one);
	write_pipe(p, r, 1, &two);
	commit_write_pipe(p, r);
}

// Read backwards within each work-group.
kernel void groups(read_only pipe short p, global short *out, global uint *left)
{
	short v = -1;
	uint n = get_local_size(0), l = get_local_id(0);
	reserve_id_t r = work_group_reserve_read_pipe(p, n);
	if (is_valid_reserve_id(r)) {
		read_pipe(p, r, n - 1 - l, &v);
		work_group_commit_read_pipe(p, r);
	}
	out[get_global_id(0)] = v;
	if (!l)
		left[get_group_id(0)] = get_pipe_num_packets(p);
}

kernel void sub_groups(write_only pipe long p, global const int *in)
{
	long v = in[get_global_id(0)];
	reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size());
	if (!is_valid_reserve_id(r))
		return;
	write_pipe(p, r, get_sub_group_local_id(), &v);
	sub_group_commit_write_pipe(p, r);
}
