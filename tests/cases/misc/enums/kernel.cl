// Enums, typedefs, static functions, sizeof, compound literals, arrays in parameters.
//
// wavesim: --global 128 --local 64 --arg out=zero:512

typedef enum { RED = 1, GREEN, BLUE = 40, LAST } Colour;
typedef uint (Triple)[3];
typedef struct { ushort x, y; } Point;

static Colour next(Colour c)
{
	return c == RED ? GREEN : c == GREEN ? BLUE : RED;
}

static uint sum(const uint t[3])
{
	return t[0] + 10 * t[1] + 100 * t[2];
}

static inline Point move(Point p, int by)
{
	return (Point){(ushort)(p.x + by), (ushort)(p.y - by)};
}

kernel void enums(global uint *out)
{
	uint gid = get_global_id(0);
	Colour c = RED;
	for (uint i = 0; i < gid % 5; i++)
		c = next(c);
	Triple t = {gid, c, LAST};
	Point p = move((Point){.y = 9}, (int)gid);
	out[gid * 4] = sum(t);
	out[gid * 4 + 1] = p.x * 65536u + p.y;
	out[gid * 4 + 2] = sizeof(Triple) + sizeof(Point) * 10 + sizeof(t[0]) * 100;
	out[gid * 4 + 3] = (uint){gid ^ 1} + (c == BLUE);
}
