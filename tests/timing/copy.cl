// A structure of N vectors copied as one, and by its elements.
#ifndef N
#define N 16
#endif
typedef struct {
	float4 a[N];
} Item;

kernel void whole(global Item *to, global const Item *from)
{
	size_t id = get_global_id(0);
	to[id] = from[id];
}

kernel void elements(global Item *to, global const Item *from)
{
	size_t id = get_global_id(0);
	for (uint i = 0; i < N; i++)
		to[id].a[i] = from[id].a[i];
}
