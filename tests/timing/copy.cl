// A structure copied as one, and by its elements.
typedef struct {
	float4 a[16];
} Item;

kernel void whole(global Item *to, global const Item *from)
{
	size_t id = get_global_id(0);
	to[id] = from[id];
}

kernel void elements(global Item *to, global const Item *from)
{
	size_t id = get_global_id(0);
	for (uint i = 0; i < 16; i++)
		to[id].a[i] = from[id].a[i];
}
