/* Where the local memory of a work-group goes: the kernel's own variables, then its local arguments.
 *
 * Each begins in a segment of its own, which is how an access beyond its end shows; the bytes lie
 * one behind the other, from multiples of 16 on. */
#include "sim/wave.h"

/* Pointers into LDS have 32 bits. */
enum { MOST_LDS = 1 << 30, PART_ALIGN = 16 };

typedef struct LdsVar {
	const char *name;
	u64 size;
	u32 align;
	u32 seg, row; /* of a variable; 0: an argument */
	u32 arg;
} LdsVar;

static u32 lds_vars(const Program *p) { return p->objects.n + p->args.n; }

/* The i-th of lds_vars, in the order of the addresses; false: it is none. */
static bool lds_var(const Program *p, const SimLaunch *l, u32 i, LdsVar *v)
{
	if (i < p->objects.n) {
		const Object *o = &p->objects.v[i];
		*v = (LdsVar){.name = o->name, .size = o->size, .align = o->align ? o->align : 1,
		              .seg = o->seg, .row = o->row};
		return o->space == SPACE_LDS;
	}
	i -= p->objects.n;
	*v = (LdsVar){.name = p->args.v[i].name, .size = l->args[i].size, .align = PART_ALIGN, .arg = i};
	return l->args[i].kind == SIM_LOCAL;
}

static u64 aligned(u64 n) { return (n + PART_ALIGN - 1) & ~(u64)(PART_ALIGN - 1); }

/* With the alignment that each asks for, as a compiler counts them. */
u64 sim_lds_bytes(const Program *p, const SimLaunch *launch)
{
	u64 n = 0, start;
	LdsVar v;
	for (u32 i = 0; i < lds_vars(p); i++) {
		if (!lds_var(p, launch, i, &v))
			continue;
		if (__builtin_add_overflow(n, v.align - 1, &start) ||
		    __builtin_add_overflow(start - start % v.align, v.size, &n))
			return UINT64_MAX;
	}
	return n;
}

bool sim_lds_fits(const Program *p, const SimLaunch *launch, u64 max, Diag *d)
{
	u64 lds = sim_lds_bytes(p, launch);
	max = max && max < MOST_LDS ? max : MOST_LDS;
	if (lds <= max)
		return true;
	return diag_error(d, NO_LOC, "kernel '%s' needs %llu bytes of local memory, a work-group has %llu",
	                  p->kernel, (unsigned long long)lds, (unsigned long long)max);
}

LdsPart *sim_lds_parts(const Program *p, const SimLaunch *launch, Arena *a, u32 *n)
{
	LdsPart *part = ARENA_ARRAY(a, LdsPart, lds_vars(p) + 1);
	LdsVar v;
	u64 at = 0;
	*n = 0;
	for (u32 i = 0; i < lds_vars(p); i++) {
		if (!lds_var(p, launch, i, &v))
			continue;
		part[(*n)++] = (LdsPart){v.name, at, v.size, v.row};
		at += aligned(v.size);
	}
	return part;
}

/* The segment behind those of v, which begin at the program's number or, of an argument, at next. */
static u32 seg_end(const LdsVar *v, u32 next)
{
	u32 first = v->seg ? v->seg : next;
	return first + (v->size ? (u32)((v->size - 1) >> SEG32_SHIFT) + 1 : 1);
}

void lds_place(Machine *m, Arena *a, u32 *arg_seg)
{
	u32 next = 1;
	u64 at = 0;
	LdsVar v;
	for (u32 i = 0; i < lds_vars(m->p); i++)
		if (lds_var(m->p, m->launch, i, &v) && seg_end(&v, next) > next)
			next = seg_end(&v, next);
	m->lds_segs = ARENA_ARRAY(a, Seg, next);
	m->nlds = next;
	next = 1;
	for (u32 i = 0; i < lds_vars(m->p); i++) {
		if (!lds_var(m->p, m->launch, i, &v))
			continue;
		u32 first = v.seg ? v.seg : next, end = seg_end(&v, next);
		for (u32 s = first; s < end; s++) {
			u64 before = (u64)(s - first) << SEG32_SHIFT;
			m->lds_segs[s] = (Seg){(u8 *)(size_t)(at + before), v.size - before, v.name, true, true};
		}
		if (!v.seg)
			arg_seg[v.arg] = first;
		next = end > next ? end : next;
		at += aligned(v.size);
	}
	m->lds_bytes = (u32)at;
}
