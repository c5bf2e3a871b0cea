/* Where the local memory of a work-group goes: the kernel's own variables, then its local arguments.
 *
 * They lie as AMD's compiler and run time put them. LLVM's back end makes one structure of the
 * variables (AMDGPULowerModuleLDS): each aligned as declared and to as many bytes as it has, up to
 * 16; next comes always what needs the least padding, of those what is aligned most, of those the
 * largest. The run time (ROCclr) puts the arguments behind it in their order, each aligned as the
 * type that it points to. Each begins in a segment of its own, which is how an access beyond its
 * end shows. */
#include "sim/wave.h"

/* Pointers into LDS have 32 bits. */
enum { MOST_LDS = 1 << 30, WIDEST = 16, WIDEST_VECTOR = 128, ALIGNMENTS = 32 };

typedef struct LdsVar {
	const char *name;
	u64 at, size;
	u32 align;
	u32 seg, row; /* 0: an argument that the program does not know by its segment */
	u32 loc;      /* of the declaration: Program.locs index, or 0 */
	bool is_arg;
	u32 arg;
} LdsVar;

typedef struct Layout {
	LdsVar *v; /* by address */
	u32 n;
	u64 bytes; /* UINT64_MAX: too many to count */
} Layout;

static int by_align(const void *pa, const void *pb)
{
	const LdsVar *a = pa, *b = pb;
	if (a->align != b->align)
		return a->align > b->align ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->seg < b->seg ? -1 : a->seg > b->seg;
}

/* The alignment of a type divides its size: the most that one can have. */
static u32 align_by_size(u64 size, u32 most)
{
	u64 align = size & -size;
	return align && align < most ? (u32)align : most;
}

static u32 padding(u64 at, u32 align) { return (u32)-at & (align - 1); }

static void put(Layout *l, LdsVar v)
{
	if (__builtin_add_overflow(l->bytes, padding(l->bytes, v.align), &v.at) ||
	    __builtin_add_overflow(v.at, v.size, &l->bytes))
		l->bytes = UINT64_MAX;
	l->v[l->n++] = v;
}

static u32 align_of(const Object *o) { return o->align ? o->align : 1; }

/* The variables, with the alignment that they get; and that of the structure's end: of its types, which
 * are known by size, so that structs and what the source aligns may count a little more. */
static LdsVar *variables(const Program *p, u32 *n, u32 *end_align)
{
	LdsVar *v = xcalloc(p->objects.n + 1, sizeof *v);
	*n = 0;
	*end_align = 1;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		u32 whole = 1, type = align_by_size(o->size, align_of(o));
		if (o->space != SPACE_LDS)
			continue;
		while (whole < o->size && whole < WIDEST)
			whole *= 2;
		v[(*n)++] = (LdsVar){.name = o->name,
		                     .size = o->size,
		                     .seg = o->seg,
		                     .row = o->row,
		                     .loc = o->loc,
		                     .align = align_of(o) > whole ? align_of(o) : whole};
		*end_align = type > *end_align ? type : *end_align;
	}
	qsort(v, *n, sizeof *v, by_align);
	return v;
}

static void put_variables(Layout *l, const Program *p)
{
	u32 n, end_align, next[ALIGNMENTS] = {0}, end[ALIGNMENTS] = {0}; /* by the alignment's logarithm */
	LdsVar *v = variables(p, &n, &end_align);
	for (u32 i = n; i-- > 0;) {
		u32 k = (u32)__builtin_ctz(v[i].align);
		next[k] = i;
		end[k] = end[k] ? end[k] : i + 1;
	}
	for (u32 i = 0; i < n; i++) {
		u32 best = ALIGNMENTS;
		for (u32 k = ALIGNMENTS; k-- > 0;)
			if (next[k] < end[k] &&
			    (best == ALIGNMENTS || padding(l->bytes, 1u << k) < padding(l->bytes, 1u << best)))
				best = k;
		put(l, v[next[best]++]);
	}
	l->bytes += padding(l->bytes, end_align); /* sizes have 32 bits: their sum fits */
	free(v);
}

static u32 pointee_align(const KernelArg *a)
{
	return align_by_size(a->size, a->elem_bytes ? WIDEST_VECTOR : WIDEST);
}

/* To be released with free(.v). */
static Layout lay_out(const Program *p, const SimLaunch *launch)
{
	Layout l = {.v = xcalloc(p->objects.n + p->args.n + 1, sizeof *l.v)};
	put_variables(&l, p);
	for (u32 i = 0; launch && i < p->args.n; i++)
		if (launch->args[i].kind == SIM_LOCAL)
			put(&l, (LdsVar){.name = p->args.v[i].name, .size = launch->args[i].size,
			                 .align = pointee_align(&p->args.v[i]), .is_arg = true, .arg = i,
			                 .seg = p->args.v[i].seg});
	return l;
}

u64 sim_lds_bytes(const Program *p, const SimLaunch *launch)
{
	Layout l = lay_out(p, launch);
	free(l.v);
	return l.bytes;
}

static int by_size(const void *pa, const void *pb)
{
	const LdsVar *a = pa, *b = pb;
	return a->size != b->size ? (a->size > b->size ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

/* What takes so much, the largest first, each where it is declared. */
static void say_parts(const Program *p, Layout *l, const char *whole, Diag *d)
{
	enum { MOST_SAID = 8 };
	qsort(l->v, l->n, sizeof *l->v, by_size);
	for (u32 i = 0; i < l->n && i < MOST_SAID; i++) {
		const LdsVar *v = &l->v[i];
		const SrcLoc *at = program_place(p, v->loc);
		Loc loc = at ? (Loc){p->files.v[at->file], at->line, 0} : NO_LOC;
		diag_add(d, i ? DIAG_NOTE : DIAG_ERROR, loc, "%s%s'%s' takes %llu", i ? "" : whole,
		         v->is_arg ? "the argument " : "", v->name ? v->name : "?", (unsigned long long)v->size);
		if (at)
			diag_source_file(d, loc.file);
		if (!i)
			diag_hint(d, "make arrays smaller; `wavesim devices NAME` says how much another device has");
	}
}

bool sim_lds_fits(const Program *p, const SimLaunch *launch, u64 max, Diag *d)
{
	Layout l = lay_out(p, launch);
	bool fits = l.bytes <= (max && max < MOST_LDS ? max : MOST_LDS);
	if (!fits) {
		Buf whole = {0};
		buf_printf(&whole, "kernel '%s' needs %llu bytes of LDS, a work-group has %llu: ", p->kernel,
		           (unsigned long long)l.bytes, (unsigned long long)(max && max < MOST_LDS ? max : MOST_LDS));
		say_parts(p, &l, whole.v, d);
		array_free(&whole);
	}
	free(l.v);
	return fits;
}

LdsPart *sim_lds_parts(const Program *p, const SimLaunch *launch, Arena *a, u32 *n)
{
	Layout l = lay_out(p, launch);
	LdsPart *part = ARENA_ARRAY(a, LdsPart, l.n + 1);
	for (u32 i = 0; i < l.n; i++)
		part[i] = (LdsPart){l.v[i].name, l.v[i].at, l.v[i].size, l.v[i].row};
	*n = l.n;
	free(l.v);
	return part;
}

/* The segment behind those of v, which begin at the program's number or, of an argument that has none, at next. */
static u32 seg_end(const LdsVar *v, u32 next)
{
	u32 first = v->seg ? v->seg : next;
	return first + (v->size ? (u32)((v->size - 1) >> SEG32_SHIFT) + 1 : 1);
}

void lds_place(Machine *m, Arena *a, u32 *arg_seg)
{
	Layout l = lay_out(m->p, m->launch);
	u32 next = 1;
	for (u32 i = 0; i < l.n; i++)
		if (seg_end(&l.v[i], next) > next)
			next = seg_end(&l.v[i], next);
	m->lds_segs = ARENA_ARRAY(a, Seg, next);
	m->nlds = next;
	next = 1;
	for (u32 i = 0; i < l.n; i++) {
		const LdsVar *v = &l.v[i];
		u32 first = v->seg ? v->seg : next, end = seg_end(v, next);
		for (u32 s = first; s < end; s++) {
			u64 before = (u64)(s - first) << SEG32_SHIFT;
			m->lds_segs[s] = (Seg){.data = (u8 *)(size_t)(v->at + before),
			                       .size = v->size - before,
			                       .name = v->name,
			                       .readable = true,
			                       .writable = true,
			                       .guessed = v->is_arg && m->launch->args[v->arg].guessed};
		}
		if (v->is_arg)
			arg_seg[v->arg] = first;
		next = end > next ? end : next;
	}
	m->lds_bytes = (u32)l.bytes;
	free(l.v);
}
