// A transposition by tiles: groups that are not of the tile's size read what nobody wrote, and write elsewhere.
// wavesim: --global 64,64 --local 16,16 --arg a=random:4096 --arg out=zero:4096
kernel void turn(global const int *a, global int *out)
{
	local int t[16][16];
	int x = get_local_id(0), y = get_local_id(1);
	t[y][x] = a[get_global_id(1) * 64 + get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[(get_group_id(0) * 16 + y) * 64 + get_group_id(1) * 16 + x] = t[x][y];
}
