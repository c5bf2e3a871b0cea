/* Guesses for what was not given, so that `wavesim kernel.cl` alone runs something sensible.
 *
 * Names and types are all there is to go by. Sizes come first; integers named like sizes
 * agree with them, as do the components of a vector that is named like a size; buffers are large
 * enough for one element per work-item and for the two-dimensional indices that such sizes allow (n * n,
 * width * height), because an access beyond a buffer that was merely guessed too small would be a false alarm.
 * Integers in buffers stay below the smallest of these counts: they may be indices. */
#include "traces/launch/launch_impl.h"

#include <strings.h>

enum {
	GROUP = 256,
	MAX_SQUARE_BYTES = 16 << 20, /* larger n * n buffers are not guessed */
	MAX_GLOBAL = 1 << 24,        /* nor more work-items in a dimension */
	PLANE_BYTES = 4096,          /* larger elements have arrays, which work-items index: float (*a)[H][W] */
	MAX_PLANES_BYTES = 1 << 28,  /* all of them */
	ROUNDS = 16,                 /* of a loop that an argument counts */
	FILTER = 3,                  /* rows and columns of a filter */
	PIXEL_BYTES = 16,            /* four floats: what a pixel takes at most */
};

typedef enum { NAME_OTHER, NAME_TOTAL, NAME_WIDTH, NAME_HEIGHT, NAME_DEPTH, NAME_START, NAME_ROUNDS,
	       NAME_FILTER, NAME_GROUP_WIDTH, NAME_GROUP_HEIGHT, NAME_PITCH } NameKind;

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Is name word, in any case, perhaps with a one-letter prefix or suffix ("_n", "width0", "lda")? */
static bool named(const char *name, const char *const *words, u32 n)
{
	char low[32] = "";
	size_t len = 0;
	for (; *name && len + 1 < sizeof low; name++)
		if (*name != '_')
			low[len++] = lower(*name);
	while (len && low[len - 1] >= '0' && low[len - 1] <= '9')
		len--;
	low[len] = 0;
	for (u32 i = 0; i < n; i++) {
		size_t w = strlen(words[i]);
		if (!strcmp(low, words[i]))
			return true;
		if (w >= 4 && len > w &&
		    (!strcmp(low + len - w, words[i]) || !memcmp(low, words[i], w)))
			return true; /* imagewidth, sizex, numelements */
	}
	return false;
}
#define NAMED(name, ...) \
	named((name), (const char *const[]){__VA_ARGS__}, \
	      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Which one of several: the first, for one behind it may be past the end. Not their number (layers, num_layer), nor the
 * last (endIdx). */
static bool is_index(const char *name)
{
	static const char *const ends[] = {"layer", "slice", "plane", "index", "idx"};
	static const char *const others[] = {"num", "max", "end", "last", "stop", "total"};
	size_t n = strlen(name);
	for (u32 i = 0; i < COUNT(others); i++)
		if (!strncasecmp(name, others[i], strlen(others[i])))
			return false;
	for (u32 i = 0; i < COUNT(ends); i++) {
		size_t end = strlen(ends[i]);
		if (n >= end && !strcasecmp(name + n - end, ends[i]))
			return true;
	}
	return false;
}

/* The launch's own size, one of its dimensions: global_size_dim0, gws_1. */
static NameKind global_kind(const char *name)
{
	static const NameKind dimension[] = {NAME_WIDTH, NAME_HEIGHT, NAME_DEPTH};
	size_t n = strlen(name);
	u32 dim = n ? (u32)(u8)name[n - 1] - '0' : COUNT(dimension);
	bool global = NAMED(name, "globalsize", "globalsizedim", "globaldim", "globalworksize", "gws");
	return dim < COUNT(dimension) && global ? dimension[dim] : NAME_OTHER;
}

static NameKind name_kind(const char *name)
{
	NameKind global = global_kind(name);
	if (global != NAME_OTHER)
		return global;
	if (NAMED(name, "start", "offset", "begin", "base", "first") || is_index(name))
		return NAME_START;
	if (NAMED(name, "blockheight", "tileh", "localheight", "groupheight"))
		return NAME_GROUP_HEIGHT;
	if (NAMED(name, "blocksize", "blockwidth", "blockdim", "tilesize", "tilew", "tiledim", "localsize",
	          "localwidth", "groupsize", "groupwidth", "wgsize"))
		return NAME_GROUP_WIDTH;
	if (!strcasecmp(name, "ksize") || !strcasecmp(name, "k_size") ||
	    NAMED(name, "filterw", "filterh", "filtersize", "filterlen", "kernelw", "kernelh", "kernelsize",
	          "kernellen", "maskw", "maskh", "masksize", "masklen", "windowsize", "stencilsize"))
		return NAME_FILTER;
	if (NAMED(name, "iterations", "iters", "iter", "maxiter", "niter", "rounds", "steps", "nsteps", "passes",
	          "repeats", "loops"))
		return NAME_ROUNDS;
	if (NAMED(name, "width", "w", "cols", "ncols", "ncol", "columns", "nx", "pitch", "stride", "lda",
		  "ldb", "ldc", "xsize", "sizex", "dimx"))
		return NAME_WIDTH;
	if (NAMED(name, "height", "h", "rows", "nrows", "nrow", "ny", "ysize", "sizey", "dimy"))
		return NAME_HEIGHT;
	if (NAMED(name, "depth", "nz", "zsize", "sizez", "dimz", "slices"))
		return NAME_DEPTH;
	if (NAMED(name, "n", "m", "k", "size", "count", "len", "length", "num", "total", "nelems",
		  "nitems", "elements", "items", "numel", "numelements", "limit", "end", "dim"))
		return NAME_TOTAL;
	return NAME_OTHER;
}

/* Beside a padding, a stride is the step of a convolution, not the width of a row. */
static bool is_step(const Launch *l, const char *name)
{
	bool pads = false;
	for (u32 i = 0; i < l->nargs; i++)
		pads |= NAMED(l->kernel_args[i].name, "pad", "padw", "padh", "padx", "pady", "padding");
	return pads && NAMED(name, "stride");
}

/* Bytes from row to row, such as src_step beside uchar *srcptr. */
static bool is_pitch(const Launch *l, const char *name)
{
	size_t n = strlen(name);
	if (n <= 4 || strcasecmp(name + n - 4, "step"))
		return false;
	n -= name[n - 5] == '_' ? 5 : 4;
	for (u32 i = 0; n && i < l->nargs; i++) {
		const KernelArg *k = &l->kernel_args[i];
		if (k->kind == ARG_GLOBAL && k->elem_bytes == 1 && k->width == 1 && !strncasecmp(k->name, name, n))
			return true;
	}
	return false;
}

/* What component c of an integer says. Of a vector that is named like a total (int2 size) each component is the size
 * in its dimension; other names of sizes (int2 stride) say nothing of the components. */
static NameKind size_kind(const Launch *l, const KernelArg *k, u32 c)
{
	static const NameKind dimension[4] = {NAME_WIDTH, NAME_HEIGHT, NAME_DEPTH, NAME_OTHER};
	if (k->kind != ARG_VALUE || (k->elem_class != ELEM_INT && k->elem_class != ELEM_UINT))
		return NAME_OTHER;
	NameKind kind = is_step(l, k->name) ? NAME_OTHER : is_pitch(l, k->name) ? NAME_PITCH : name_kind(k->name);
	if (k->width <= 1 || kind == NAME_START)
		return kind;
	bool sizes = kind == NAME_TOTAL || NAMED(k->name, "dims", "dimension", "dimensions", "resolution", "extent",
						 "extents", "shape");
	return sizes && k->width <= COUNT(dimension) ? dimension[c] : NAME_OTHER;
}

static bool is_size(NameKind kind)
{
	return kind == NAME_TOTAL || kind == NAME_WIDTH || kind == NAME_HEIGHT || kind == NAME_DEPTH ||
	       kind == NAME_PITCH;
}

static Num component(const LaunchArg *a, u32 c) { return num_load(a->bytes + c * a->shape.elem_bytes, &a->shape); }

/* ---- sizes ---- */

static u64 largest_divisor(u64 n, u64 max)
{
	for (u64 step = 64; step; step = step == 64 ? 1 : 0)
		for (u64 i = max / step * step; i; i -= step)
			if (n % i == 0)
				return i;
	return 1;
}

/* The largest given integer whose name is of that kind, or 0. */
static u64 given_size(const Launch *l, NameKind kind)
{
	u64 best = 0;
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		for (u32 c = 0; a->kind == LAUNCH_VALUE && c < a->shape.width; c++) {
			if (size_kind(l, &l->kernel_args[i], c) != kind)
				continue;
			Num n = component(a, c);
			if (n.i > 0 && n.u <= MAX_GLOBAL && n.u > best)
				best = n.u;
		}
	}
	return best;
}

/* The first buffer whose count was given; nargs: none. */
static u32 given_buffer(const Launch *l)
{
	u32 i = 0;
	while (i < l->nargs &&
	       !(l->args[i].kind == LAUNCH_BUFFER && l->args[i].count && l->args[i].count <= MAX_GLOBAL))
		i++;
	return i;
}

/* How many of the launch's dimensions have groups of more than one. */
static u32 shared_dims(const Launch *l, const LaunchHints *h)
{
	u32 n = 0;
	for (u32 i = 0; i < l->work_dim; i++)
		n += !h->alone[i];
	return n;
}

/* At most so many work-items as h says, unless that is 0. */
static void usual_group(const Launch *l, const LaunchHints *h, u64 out[3])
{
	static const u64 usual[4][3] = {{1, 1, 1}, {GROUP, 1, 1}, {16, 16, 1}, {8, 8, 4}};
	u32 dims = shared_dims(l, h), most = h->max_group, next = 0;
	for (u32 i = 0; i < 3; i++)
		out[i] = i < l->work_dim && !h->alone[i] ? usual[dims][next++] : 1;
	while (most && out[0] * out[1] * out[2] > most) {
		u32 longest = out[2] >= out[1] && out[2] >= out[0] ? 2 : out[1] >= out[0] ? 1 : 0;
		out[longest] = dims == 1 ? most : out[longest] / 2;
	}
}

/* Groups of the usual size, or of what divides the work-items that are wanted: then all of a guessed launch are wanted.
 * Where that would be less than a quarter of the usual, a launch that is guessed is rounded up instead. */
static void guess_local(Launch *l, const LaunchHints *h, const u64 want[3])
{
	u64 usual[3];
	usual_group(l, h, usual);
	bool launched = h->launched[0] && !h->reqd_local[0];
	for (u32 i = 0; i < 3; i++)
		launched = launched && (i < l->work_dim || h->launched[i] == 1) &&
		           (l->global_from == FROM_NOBODY || l->text->in_groups || want[i] % h->launched[i] == 0);
	for (u32 i = 0; i < 3; i++) {
		u64 most = usual[i], whole = l->text->in_groups ? most : largest_divisor(want[i], most);
		bool small = l->global_from == FROM_NOBODY && whole < want[i] && 4 * whole < most;
		l->local[i] = launched         ? h->launched[i]
		              : h->reqd_local[0] ? h->reqd_local[i]
		              : small            ? most
		                                 : whole;
	}
	l->local_from = FROM_GUESS;
}

/* Work-items of dimension i, by the given sizes: in one dimension the total, else the area of an image. */
static u64 asked_size(const Launch *l, u32 i)
{
	static const NameKind kinds[3] = {NAME_WIDTH, NAME_HEIGHT, NAME_DEPTH};
	u64 total = l->work_dim < 3 ? given_size(l, NAME_TOTAL) : 0;
	if (l->work_dim > 1) {
		u64 own = given_size(l, kinds[i]);
		return own ? own : total;
	}
	u64 width = given_size(l, NAME_WIDTH), height = given_size(l, NAME_HEIGHT);
	u64 area = width && height ? width * height : width + height;
	return total ? total : area <= MAX_GLOBAL ? area : width;
}

/* As many work-items as the given sizes ask for, else, in one dimension, as the first given buffer has elements. */
static void want_global(Launch *l, const LaunchHints *h, u64 want[3])
{
	static const u64 usual[3][3] = {{1024, 1, 1}, {64, 64, 1}, {16, 16, 16}};
	u32 halves = l->work_dim == 1 ? 2 * h->smaller : h->smaller;
	for (u32 i = 0; i < 3; i++)
		want[i] = i < l->work_dim ? asked_size(l, i) : 1;
	l->global_by_buffer = l->work_dim == 1 && !want[0];
	u32 buffer = l->global_by_buffer ? given_buffer(l) : l->nargs;
	l->global_buffer = buffer < l->nargs ? l->kernel_args[buffer].name : NULL;
	if (l->global_buffer)
		want[0] = l->args[buffer].count;
	bool row = l->work_dim > 1 && shared_dims(l, h) == 1; /* groups are rows, which are to be whole */
	for (u32 i = 0; i < 3; i++)
		if (!want[i])
			want[i] = i >= l->work_dim                          ? 1
			          : row && !h->alone[i]                     ? (u64)GROUP >> halves
			                                                    : usual[l->work_dim - 1][i] >> halves;
}

/* Whole work-groups of what is wanted. */
static void guess_global(Launch *l, const u64 want[3])
{
	for (u32 i = 0; i < 3; i++) {
		u64 local = l->local[i];
		l->wanted[i] = want[i];
		l->global[i] = (want[i] + local - 1) / local * local;
	}
	l->global_from = FROM_GUESS;
}

static void guess_sizes(Launch *l, const LaunchHints *h)
{
	u32 dims = h->dims;
	u64 want[3];
	for (u32 i = 0; i < 3; i++)
		if ((h->reqd_local[i] > 1 || h->launched[i] > 1) && dims < i + 1)
			dims = i + 1;
	if (l->global_from == FROM_NOBODY && l->local_from == FROM_NOBODY && dims)
		l->work_dim = dims < 3 ? dims : 3;
	else if (l->global_from == FROM_NOBODY && dims > l->work_dim)
		l->work_dim = dims < 3 ? dims : 3;
	if (l->global_from == FROM_NOBODY || l->text->in_groups)
		want_global(l, h, want);
	else
		memcpy(want, l->global, sizeof want);
	if (l->local_from == FROM_NOBODY)
		guess_local(l, h, want);
	if (l->global_from == FROM_NOBODY)
		guess_global(l, want);
	launch_count_items(l);
}

/* ---- arguments ---- */

typedef struct Guess {
	u64 items;
	const u64 *local;
	u64 width, height, depth, total; /* values for integers named so */
	u64 largest;                     /* of those the kernel takes, given ones included */
	u64 volume;                      /* the most that the components of one vector span */
	u64 vload;                       /* elements of a scalar buffer at one index */
	u64 shared;                      /* bytes of local memory of the source's own launch; 0: not known */
} Guess;

static u64 clamp(u64 v, u64 max) { return v < max ? v : max; }

static u64 size_value(const Guess *g, NameKind kind)
{
	switch (kind) {
	case NAME_TOTAL: return g->total;
	case NAME_WIDTH: return g->width;
	case NAME_HEIGHT: return g->height;
	case NAME_DEPTH: return g->depth;
	case NAME_START: return 0;
	case NAME_ROUNDS: return ROUNDS;
	case NAME_FILTER: return FILTER;
	case NAME_GROUP_WIDTH: return g->local[0];
	case NAME_GROUP_HEIGHT: return g->local[1];
	case NAME_PITCH: return g->width * PIXEL_BYTES;
	case NAME_OTHER: break;
	}
	return 1;
}

/* Values for sizes. In one dimension, width and height share the work-items. */
static Guess plan(const Launch *l)
{
	Guess g = {.items = launch_items(l),
		   .local = l->local,
		   .width = l->global[0],
		   .height = l->global[1],
		   .depth = l->global[2],
		   .total = l->global[0]};
	bool width = false, height = false;
	for (u32 i = 0; i < l->nargs; i++) {
		const KernelArg *k = &l->kernel_args[i];
		for (u32 c = 0; c < k->width; c++) {
			width |= size_kind(l, k, c) == NAME_WIDTH;
			height |= size_kind(l, k, c) == NAME_HEIGHT;
		}
	}
	if (l->work_dim == 1 && width && height) {
		g.width = 1;
		while (g.width * g.width < g.items)
			g.width *= 2;
		g.height = (g.items + g.width - 1) / g.width;
	}
	if (l->work_dim > 1 && g.height > g.total)
		g.total = g.height;
	return g;
}

static void guess_value(Launch *l, u32 i, const Guess *g)
{
	const KernelArg *k = &l->kernel_args[i];
	LaunchArg *a = &l->args[i];
	*a = (LaunchArg){.kind = LAUNCH_VALUE, .shape = launch_arg_shape(k), .count = 1};
	a->size = k->size ? k->size : a->shape.stride;
	u8 *bytes = arena_alloc(l->arena, a->size > a->shape.stride ? a->size : a->shape.stride);
	a->bytes = bytes;
	if (k->elem_class == ELEM_OTHER || !k->elem_bytes)
		return;
	u64 max = k->elem_bytes >= 4 ? INT32_MAX : k->elem_bytes == 2 ? INT16_MAX : INT8_MAX;
	for (u32 c = 0; c < a->shape.width; c++) {
		Num n = {.f = 1};
		NameKind kind = size_kind(l, k, c);
		if (k->elem_class != ELEM_FLOAT)
			n.u = clamp(size_value(g, kind), max);
		/* The fourth component of a size is 1, too. */
		a->blind |= k->elem_class != ELEM_FLOAT && kind == NAME_OTHER && !c;
		a->start |= kind == NAME_START;
		num_store(bytes + c * a->shape.elem_bytes, &a->shape, n);
	}
}

/* Now all sizes have values, given or guessed: what do they let a kernel index? */
static void measure(const Launch *l, Guess *g)
{
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		u64 volume = 1;
		for (u32 c = 0; a->kind == LAUNCH_VALUE && c < a->shape.width; c++) {
			Num n = component(a, c);
			if (!is_size(size_kind(l, &l->kernel_args[i], c)) || n.i <= 0)
				continue;
			g->largest = n.u > g->largest ? n.u : g->largest;
			volume = n.u <= MAX_SQUARE_BYTES / volume ? n.u * volume : MAX_SQUARE_BYTES;
		}
		if (a->shape.width > 1 && volume > g->volume)
			g->volume = volume;
	}
}

static u64 buffer_count(const Guess *g, u32 stride)
{
	u64 count = g->items > g->largest ? g->items : g->largest;
	u64 max = MAX_SQUARE_BYTES / stride;
	/* One size and one dimension may still be the rows of a matrix. */
	if (g->largest && g->largest <= UINT32_MAX) {
		u64 square = g->largest * g->largest;
		if (square > count && square <= max)
			count = square;
	}
	return g->volume > count && g->volume <= max ? g->volume : count;
}

/* Elements that are arrays, of which not all work-items can have one: one for each index of the last dimension. */
static u64 plane_count(const Launch *l, u64 count, u32 stride)
{
	if (stride <= PLANE_BYTES || count <= MAX_PLANES_BYTES / stride)
		return count;
	u64 most = MAX_PLANES_BYTES / stride;
	count = clamp(count, l->global[l->work_dim - 1]);
	return clamp(count, most ? most : 1);
}

static bool is_output(const KernelArg *k)
{
	return !k->is_const && NAMED(k->name, "out", "output", "dst", "dest", "res", "result",
				     "results", "count", "counter", "counts", "hist", "histogram",
				     "bins", "sum", "total", "c", "y", "flag", "flags");
}

static void guess_contents(LaunchArg *a, const KernelArg *k, const Guess *g)
{
	bool is_struct = k->elem_class == ELEM_OTHER || !k->elem_bytes;
	a->init = is_struct || is_output(k) ? INIT_ZERO : INIT_RANDOM;
	if (a->init != INIT_RANDOM || a->shape.elem_class == ELEM_FLOAT)
		return;
	u64 top = g->items;
	if (g->largest && g->largest < top)
		top = g->largest;
	u64 max = a->shape.elem_bytes >= 2 ? 65535 : a->shape.elem_class == ELEM_INT ? 127 : 255;
	a->random_range = true;
	a->num[0].u = 0;
	a->num[1].u = clamp(top - 1, max < INT16_MAX || a->shape.elem_bytes > 2 ? max : INT16_MAX);
}

static void guess_pointer(Launch *l, u32 i, const Guess *g)
{
	const KernelArg *k = &l->kernel_args[i];
	LaunchArg *a = &l->args[i];
	if (a->kind == LAUNCH_UNSET) {
		*a = (LaunchArg){.kind = k->kind == ARG_LOCAL ? LAUNCH_LOCAL : LAUNCH_BUFFER,
				 .shape = launch_arg_shape(k)};
		if (k->kind != ARG_LOCAL)
			guess_contents(a, k, g);
	}
	a->count = k->kind == ARG_LOCAL ? l->local[0] * l->local[1] * l->local[2]
					: plane_count(l, buffer_count(g, a->shape.stride), a->shape.stride);
	if (k->kind == ARG_LOCAL && g->shared >= a->shape.stride)
		a->count = g->shared / a->shape.stride;
	else if (a->shape.width == 1)
		a->count *= g->vload;
	if (a->count > ((u64)1 << SEG_SHIFT) / a->shape.stride)
		a->count = ((u64)1 << SEG_SHIFT) / a->shape.stride;
	launch_set_buffer_size(a);
}

/* A packet for each work-item, to read or to write. */
static void guess_pipe(Launch *l, u32 i, const Guess *g)
{
	const KernelArg *k = &l->kernel_args[i];
	LaunchArg *a = &l->args[i];
	if (a->kind == LAUNCH_UNSET) {
		*a = (LaunchArg){.kind = LAUNCH_BUFFER, .shape = launch_arg_shape(k)};
		if (!k->writes)
			guess_contents(a, k, g);
	}
	launch_pipe_room(a, buffer_count(g, a->shape.stride));
	a->packets = k->writes && !a->count_guessed ? 0 : a->count;
}

static void guess_image(Launch *l, u32 i)
{
	const KernelArg *k = &l->kernel_args[i];
	LaunchArg *a = &l->args[i];
	if (a->kind == LAUNCH_UNSET) {
		*a = (LaunchArg){.kind = LAUNCH_IMAGE,
				 .init = k->writes ? INIT_ZERO : INIT_RANDOM,
				 .image_order = IMAGE_RGBA,
				 .image_type = IMAGE_FLOAT};
		a->shape = launch_image_shape(a->image_order, a->image_type);
	}
	bool array = strstr(k->type_name, "array") != NULL;
	for (u32 dim = 0; dim < 3; dim++)
		a->image_size[dim] = (u32)(dim >= k->image_dims ? (dim == 2 && array ? 4 : 1)
					   : dim < l->work_dim  ? clamp(l->global[dim], 16384)
								: 64);
	a->count = (u64)a->image_size[0] * a->image_size[1] * a->image_size[2];
	launch_set_buffer_size(a);
}

static void guess_arg(Launch *l, u32 i, const Guess *g)
{
	LaunchArg *a = &l->args[i], before = *a;
	switch (l->kernel_args[i].kind) {
	case ARG_VALUE: guess_value(l, i, g); break;
	case ARG_GLOBAL:
	case ARG_CONSTANT:
	case ARG_LOCAL: guess_pointer(l, i, g); break;
	case ARG_IMAGE: guess_image(l, i); break;
	case ARG_PIPE: guess_pipe(l, i, g); break;
	case ARG_SAMPLER:
		*a = (LaunchArg){.kind = LAUNCH_SAMPLER,
				 .filter = SAMPLER_NEAREST,
				 .addressing = SAMPLER_CLAMP_TO_EDGE};
		break;
	}
	a->origin = before.kind == LAUNCH_UNSET ? FROM_GUESS : before.origin;
	a->count_guessed = before.count_guessed;
	a->dump = before.dump;
	a->dump_hex = before.dump_hex;
	a->dump_file = before.dump_file;
}

void launch_guess(Launch *l, const LaunchHints *hints)
{
	guess_sizes(l, hints);
	Guess g = plan(l);
	g.vload = hints->widest_vload ? hints->widest_vload : 1;
	g.shared = hints->launched_shared;
	for (u32 i = 0; i < l->nargs; i++)
		if (l->args[i].kind == LAUNCH_UNSET && l->kernel_args[i].kind == ARG_VALUE)
			guess_arg(l, i, &g);
	measure(l, &g);
	for (u32 i = 0; i < l->nargs; i++) {
		LaunchArg *a = &l->args[i];
		bool sized =
		    a->kind == LAUNCH_BUFFER || a->kind == LAUNCH_LOCAL || a->kind == LAUNCH_IMAGE;
		if (a->kind == LAUNCH_UNSET || (sized && !a->count))
			guess_arg(l, i, &g);
	}
}
