// Structs by value: passed, returned, nested, with arrays inside, copied and compared by member.
//
// wavesim: --global 128 --local 64 --arg out=zero:1024

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

typedef struct {
	short id;
	char tag;
	float weight;
} Leaf;

typedef struct {
	Leaf leaf[3];
	long total;
	uchar count;
} Node;

Leaf make(uint h)
{
	Leaf l = {.id = (short)h, .tag = (char)(h >> 16), .weight = (float)(h & 255) * 0.5f};
	return l;
}

Node grow(Node n, Leaf l)
{
	if (n.count < 3) {
		n.leaf[n.count++] = l;
		n.total += l.id;
	}
	return n;
}

kernel void structs(global int *out)
{
	uint gid = get_global_id(0);
	Node n = {{{0}}, 0, 0};
	for (uint i = 0; i < 2 + (gid & 3); i++)
		n = grow(n, make(hash(gid + i)));
	Node copy = n;
	copy.leaf[1] = n.leaf[2];
	Leaf *best = &copy.leaf[0];
	for (int i = 1; i < 3; i++)
		if (copy.leaf[i].weight > best->weight)
			best = &copy.leaf[i];
	out[gid * 8] = (int)n.total;
	out[gid * 8 + 1] = n.count;
	out[gid * 8 + 2] = copy.leaf[1].id;
	out[gid * 8 + 3] = best->tag;
	out[gid * 8 + 4] = (int)(best - copy.leaf);
	out[gid * 8 + 5] = as_int(best->weight);
	out[gid * 8 + 6] = (int)sizeof(Node);
}
