/* Findings: what a kernel does wrong, once for each kind and instruction, with
 * the first work-item that did it and how many did. */
#include "sim/wave.h"

void item_ids(const Machine *m, u64 group, u32 wave, u32 lane, u64 global_id[3], u64 local_id[3])
{
	const SimLaunch *l = m->launch;
	u64 id[3], local[3];
	launch_ids(l->exchanged, group, m->groups, id);
	for (u32 i = 0; i < 3; i++) {
		local[i] = l->global[i] - id[i] * l->local[i];
		local[i] = local[i] < l->local[i] ? local[i] : l->local[i];
	}
	launch_ids(l->exchanged, (u64)wave * m->code->wave + lane, local, local_id);
	for (u32 i = 0; i < 3; i++)
		global_id[i] = l->offset[i] + id[i] * l->local[i] + local_id[i];
}

/* hash: where it is added, if there is none. */
static Finding *find(Worker *wk, FindingKind kind, RaceClass race, u32 ins, u32 other, u64 *hash)
{
	*hash = hash_mix(hash_mix((u64)ins << 32 | other) + ((u64)kind << 8 | race));
	for (u32 at = 0, i; hash_index_next(&wk->finding_index, *hash, &at, &i);) {
		Finding *f = &wk->findings.v[i];
		if (f->ins == ins && f->kind == kind && f->race == race && f->other.ins == other)
			return f;
	}
	return NULL;
}

static Finding *finding_of(Wave *w, FindingKind kind, RaceClass race, u32 ins, u32 lane, u32 other)
{
	Worker *wk = w->worker;
	u64 hash;
	Finding *known = find(wk, kind, race, ins, other, &hash);
	if (known) {
		known->count++;
		return known;
	}
	hash_index_add(&wk->finding_index, hash, wk->findings.n);
	Finding f = {.kind = kind, .ins = ins, .count = 1, .group = w->group->linear, .wave = w->index, .lane = lane,
	             .race = (u8)race, .own.ins = NO_INS, .origin.ins = NO_INS, .other.ins = other};
	item_ids(wk->m, f.group, f.wave, lane, f.global_id, f.local_id);
	array_push(&wk->findings, f);
	return &wk->findings.v[wk->findings.n - 1];
}

Finding *finding_add(Wave *w, FindingKind kind, u32 ins, u32 lane)
{
	return finding_of(w, kind, RACE_none, ins, lane, NO_INS);
}

Finding *finding_race(Wave *w, RaceClass race, u32 ins, u32 lane, u32 other)
{
	return finding_of(w, FINDING_data_race, race, ins, lane, other);
}

Finding *finding_known(Wave *w, RaceClass race, u32 ins, u32 other)
{
	u64 hash;
	return find(w->worker, FINDING_data_race, race, ins, other, &hash);
}

const char *private_name(const Program *p, u64 seg)
{
	for (u32 i = 0; i < p->objects.n; i++)
		if (p->objects.v[i].space == SPACE_PRIVATE && p->objects.v[i].seg == seg)
			return p->objects.v[i].name;
	return NULL;
}

void place_print(const Code *c, const Machine *m, u32 space, u32 seg, u64 at, u32 bytes, Buf *out)
{
	const char *name = space == SPACE_GLOBAL ? m->segs[seg].name : NULL;
	for (u32 i = 1; space == SPACE_LDS && i < m->nlds; i++) {
		u64 first = (size_t)m->lds_segs[i].data;
		if (at < first || at - first >= m->lds_segs[i].size)
			continue;
		name = m->lds_segs[i].name;
		at -= first;
		break;
	}
	if (space == SPACE_PRIVATE) {
		name = private_name(c->p, at >> SEG32_SHIFT);
		at &= (1u << SEG32_SHIFT) - 1;
	}
	const ElemShape *e = space == SPACE_GLOBAL ? &m->segs[seg].element : NULL;
	bool vector = e && e->elem_bytes && e->elem_bytes == bytes && e->stride > bytes;
	u64 size = vector ? e->stride : bytes ? bytes : 1;
	buf_printf(out, "%s[%llu]", name ? name : "(unnamed)", (unsigned long long)(at / size));
	if (vector) /* as where results differ */
		buf_printf(out, ".s%llx", (unsigned long long)(at % size / bytes));
}

void finding_other(const Wave *w, FindingAccess *x)
{
	item_ids(w->worker->m, x->group, x->wave, x->lane, x->global_id, x->local_id);
}

/* What an address is in, in front of or behind. */
typedef struct Around {
	const char *name;
	u64 size;
	i64 offset;
} Around;

static bool around(const Wave *w, u32 space, u64 address, Around *out)
{
	const Machine *m = w->worker->m;
	u64 shift = space == SPACE_GLOBAL ? SEG_SHIFT : SEG32_SHIFT, whole = (u64)1 << shift;
	u64 number = address >> shift, offset = address & (whole - 1);
	u64 n = space == SPACE_GLOBAL ? m->nsegs : space == SPACE_LDS ? m->nlds : w->code->npriv;
	/* A small step below an object lands at the end of the number before it. */
	bool before = offset > whole / 2 && number + 1 < n;
	number += before;
	if (!number || number >= n)
		return false;
	*out = (Around){.size = space == SPACE_PRIVATE ? w->code->priv_size[number] : 0,
	                .offset = before ? (i64)(offset - whole) : (i64)offset};
	if (space == SPACE_PRIVATE) {
		out->name = private_name(w->code->p, number);
	} else {
		const Seg *seg = space == SPACE_GLOBAL ? &m->segs[number] : &m->lds_segs[number];
		out->name = seg->name;
		out->size = seg->size;
	}
	out->name = out->name ? out->name : "(unnamed)";
	return true;
}

static void say_around(const Around *a, Buf *b)
{
	bool before = a->offset < 0, past = !before && (u64)a->offset >= a->size;
	u64 n = before ? -(u64)a->offset : past ? (u64)a->offset - a->size : (u64)a->offset;
	const char *by = n == 1 ? "byte" : "bytes";
	if (past && !n)
		buf_printf(b, "just past the end of '%s'", a->name);
	else if (before || past)
		buf_printf(b, "%llu %s %s '%s'", (unsigned long long)n, by,
		           before ? "before the start of" : "past the end of", a->name);
	else
		buf_printf(b, "at byte %llu of '%s'", (unsigned long long)n, a->name);
	buf_printf(b, " (%llu byte%s)", (unsigned long long)a->size, a->size == 1 ? "" : "s");
}

/* Is the work-item only there because a guessed size was rounded up to whole work-groups? */
static bool is_surplus(const Wave *w, u32 lane)
{
	const SimLaunch *l = w->worker->m->launch;
	u64 global_id[3], local_id[3];
	bool beyond = false;
	item_ids(w->worker->m, w->group->linear, w->index, lane, global_id, local_id);
	for (u32 i = 0; i < 3; i++)
		beyond |= l->wanted[i] && global_id[i] - l->offset[i] >= l->wanted[i];
	return beyond;
}

/* A finding about memory; NULL: one more of those that are told already. */
static Finding *memory_add(Wave *w, FindingKind kind, u32 ins, u32 lane, u32 space, u64 address, u64 bytes, bool write,
                           Around *where, bool *known)
{
	bool surplus = kind == FINDING_out_of_bounds && is_surplus(w, lane);
	Finding *f = finding_add(w, surplus ? FINDING_guessed_size : kind, ins, lane);
	if (kind == FINDING_guessed_size) {
		u64 end = (address & (((u64)1 << (space == SPACE_LDS ? SEG32_SHIFT : SEG_SHIFT)) - 1)) + bytes;
		f->reach = end > f->reach ? end : f->reach;
	}
	if (f->count > 1)
		return NULL;
	f->surplus = surplus;
	f->address = address;
	f->bytes = (i64)bytes > 0 ? (u32)bytes : 0;
	f->write = write;
	f->space = (u8)space;
	*known = bytes && around(w, space, address, where);
	f->object = *known ? where->name : NULL;
	return f;
}

void finding_memory(Wave *w, FindingKind kind, u32 ins, u32 lane, u32 space, u64 address, u64 bytes,
                    bool write)
{
	Around where;
	bool known;
	Buf b = {0};
	space = place_space(space, &address);
	Finding *f = memory_add(w, kind, ins, lane, space, address, bytes, write, &where, &known);
	if (!f || !known)
		return;
	say_around(&where, &b);
	f->detail = b.v;
}

void finding_index(Wave *w, u32 ins, u32 lane, u32 space, u64 address, i64 k, u32 aux, i64 i, u64 n)
{
	Around where;
	bool known;
	Buf b = {0};
	static const char *const of_image[] = {"x", "y", "z"};
	const char *image = k < 0 ? of_image[-k - 1] : NULL;
	space = place_space(space, &address);
	bool inside = aux & WITHIN_ROW && around(w, space, address, &where) && where.offset >= 0 &&
	              (u64)where.offset < where.size;
	Finding *f = memory_add(w, inside ? FINDING_row_overrun : FINDING_out_of_bounds, ins, lane, space, address,
	                        (u64)k, aux & WITHIN_WRITE, &where, &known);
	if (!f)
		return;
	if (image)
		buf_printf(&b, "%s is %lld of %llu in image '%s'", image, (long long)i, (unsigned long long)n,
		           known ? where.name : "");
	else
		buf_printf(&b, "index %lld in %s of %llu elements", (long long)i, k ? "an array" : "a vector",
		           (unsigned long long)n);
	if (known && !image) {
		buf_printf(&b, ", ");
		say_around(&where, &b);
	}
	f->detail = b.v;
}

static int by_instruction(const void *pa, const void *pb)
{
	const Finding *a = pa, *b = pb;
	int at = ORDER(a->ins, b->ins), kind = ORDER(a->kind, b->kind), race = ORDER(a->race, b->race);
	int other = ORDER(a->other.ins, b->other.ins);
	int first = FIELDS_4(group, when, lane, address);
	return at ? at : kind ? kind : race ? race : other ? other : first;
}

/* Of several of one mistake the first stays, with the counts of all. */
static void merge(Profile *out)
{
	if (!out->findings.n)
		return;
	qsort(out->findings.v, out->findings.n, sizeof(Finding), by_instruction);
	u32 kept = 0;
	for (u32 i = 1; i < out->findings.n; i++) {
		Finding *k = &out->findings.v[kept], *f = &out->findings.v[i];
		if (f->ins == k->ins && f->kind == k->kind && f->race == k->race && f->other.ins == k->other.ins) {
			k->count += f->count;
			k->reach = f->reach > k->reach ? f->reach : k->reach;
			free(f->detail);
		} else {
			out->findings.v[++kept] = *f;
		}
	}
	out->findings.n = kept + 1;
}

/* Workers found the same mistakes in different groups. */
void findings_merge(Profile *out, Worker *workers, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		for (u32 j = 0; j < workers[i].findings.n; j++)
			array_push(&out->findings, workers[i].findings.v[j]);
		array_free(&workers[i].findings);
	}
	merge(out);
}

void sim_join_races(Profile *p, Profile *other)
{
	for (u32 i = 0; i < other->findings.n; i++) {
		Finding *f = &other->findings.v[i];
		if (f->kind != FINDING_data_race)
			continue;
		array_push(&p->findings, *f);
		f->detail = NULL;
	}
	p->check_lack = other->check_lack > p->check_lack ? other->check_lack : p->check_lack;
	merge(p);
}
