// Buffers of structs: alignment and padding, packed members, vectors inside, arrays of structs.
//
// wavesim: --global 64 --local 64 --arg raw=random:2048 --arg out=zero:512

typedef struct {
	char a;
	int4 v;
	short b;
} Loose;

typedef struct __attribute__((packed)) {
	char a;
	int b;
	short c;
	long d;
} Tight;

kernel void buffers(global uint *raw, global uint *out)
{
	uint gid = get_global_id(0);
	global Loose *loose = (global Loose *)raw;
	global Tight *tight = (global Tight *)(raw + 1024);
	Loose l = loose[gid & 15];
	Tight t = tight[gid];
	out[gid * 8] = (uint)(int)l.a;
	out[gid * 8 + 1] = (uint)(l.v.x + l.v.w);
	out[gid * 8 + 2] = (uint)(int)l.b;
	out[gid * 8 + 3] = (uint)(t.a + t.b);
	out[gid * 8 + 4] = (uint)(int)t.c;
	out[gid * 8 + 5] = (uint)(t.d >> 7);
	out[gid * 8 + 6] = sizeof(Loose) * 100 + sizeof(Tight);
	if (gid < 16)
		loose[gid + 16].v.y = (int)gid;
	tight[gid].c = (short)(gid * 3);
}
