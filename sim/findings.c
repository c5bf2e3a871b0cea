/* Findings: what a kernel does wrong, once for each kind and instruction, with
 * the first work-item that did it and how many did. */
#include "sim/wave.h"

static void item_of(const Machine *m, u64 group, u32 wave, u32 lane, u64 global_id[3], u64 local_id[3])
{
	const SimLaunch *l = m->launch;
	u64 item = (u64)wave * m->code->wave + lane, id[3], local[3];
	for (u32 i = 0; i < 3; i++) {
		id[i] = group % m->groups[i];
		group /= m->groups[i];
		local[i] = l->global[i] - id[i] * l->local[i];
		local[i] = local[i] < l->local[i] ? local[i] : l->local[i];
	}
	local_id[0] = item % local[0];
	local_id[1] = item / local[0] % local[1];
	local_id[2] = item / local[0] / local[1];
	for (u32 i = 0; i < 3; i++)
		global_id[i] = l->offset[i] + id[i] * l->local[i] + local_id[i];
}

static Finding *finding_of(Wave *w, FindingKind kind, RaceClass race, u32 ins, u32 lane, u32 other)
{
	Worker *wk = w->worker;
	for (u32 i = 0; i < wk->findings.n; i++) {
		Finding *f = &wk->findings.v[i];
		if (f->ins == ins && f->kind == kind && f->race == race && f->other.ins == other) {
			f->count++;
			return f;
		}
	}
	Finding f = {.kind = kind, .ins = ins, .count = 1, .group = w->group->linear, .wave = w->index, .lane = lane,
	             .race = (u8)race, .own.ins = NO_INS, .origin.ins = NO_INS, .other.ins = other};
	item_of(wk->m, f.group, f.wave, lane, f.global_id, f.local_id);
	array_push(&wk->findings, f);
	return &wk->findings.v[wk->findings.n - 1];
}

Finding *finding_add(Wave *w, FindingKind kind, u32 ins, u32 lane) { return finding_of(w, kind, RACE_none, ins, lane, NO_INS); }

Finding *finding_race(Wave *w, RaceClass race, u32 ins, u32 lane, u32 other)
{
	return finding_of(w, FINDING_data_race, race, ins, lane, other);
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
	for (u32 i = 0; space == SPACE_PRIVATE && i < c->p->objects.n; i++)
		if (c->p->objects.v[i].space == SPACE_PRIVATE && c->p->objects.v[i].seg == at >> SEG32_SHIFT)
			name = c->p->objects.v[i].name;
	if (space == SPACE_PRIVATE)
		at &= (1u << SEG32_SHIFT) - 1;
	buf_printf(out, "%s[%llu]", name ? name : "(unnamed)", (unsigned long long)(at / (bytes ? bytes : 1)));
}

void finding_other(const Wave *w, FindingAccess *x) { item_of(w->worker->m, x->group, x->wave, x->lane, x->global_id, x->local_id); }

/* Where an address is, in words: inside, before or after which object. */
static char *describe(const Wave *w, u32 space, u64 address)
{
	const Machine *m = w->worker->m;
	Buf b = {0};
	u64 number = space == SPACE_GLOBAL ? address >> SEG_SHIFT : address >> SEG32_SHIFT;
	u64 shift = space == SPACE_GLOBAL ? SEG_SHIFT : SEG32_SHIFT;
	u64 offset = address & (((u64)1 << shift) - 1);
	u64 n = space == SPACE_GLOBAL ? m->nsegs : space == SPACE_LDS ? m->nlds : w->code->npriv;
	/* A small step below an object lands at the end of the number before it. */
	bool before = offset > ((u64)1 << shift) / 2 && number + 1 < n;
	if (before)
		number++;
	if (!number || number >= n)
		return NULL;
	const char *name;
	u64 size;
	if (space == SPACE_PRIVATE) {
		name = NULL;
		for (u32 i = 0; i < w->code->p->objects.n; i++)
			if (w->code->p->objects.v[i].space == SPACE_PRIVATE && w->code->p->objects.v[i].seg == number)
				name = w->code->p->objects.v[i].name;
		size = w->code->priv_size[number];
	} else {
		const Seg *seg = space == SPACE_GLOBAL ? &m->segs[number] : &m->lds_segs[number];
		name = seg->name;
		size = seg->size;
	}
	if (!name)
		name = "(unnamed)";
	if (before)
		buf_printf(&b, "%llu bytes before the start of '%s' (%llu bytes)",
		           (unsigned long long)(((u64)1 << shift) - offset), name, (unsigned long long)size);
	else if (offset >= size)
		buf_printf(&b, "%llu bytes past the end of '%s' (%llu bytes)",
		           (unsigned long long)(offset - size), name, (unsigned long long)size);
	else
		buf_printf(&b, "at byte %llu of '%s' (%llu bytes)", (unsigned long long)offset, name,
		           (unsigned long long)size);
	return b.v;
}

void finding_memory(Wave *w, FindingKind kind, u32 ins, u32 lane, u32 space, u64 address, u64 bytes,
                    bool write)
{
	Finding *f = finding_add(w, kind, ins, lane);
	if (f->count > 1)
		return;
	f->address = address;
	f->bytes = (u32)bytes;
	f->write = write;
	f->space = (u8)space;
	f->detail = describe(w, space, address);
}

static int by_instruction(const void *pa, const void *pb)
{
	const Finding *a = pa, *b = pb;
	int at = ORDER(a->ins, b->ins), kind = ORDER(a->kind, b->kind), race = ORDER(a->race, b->race);
	int other = ORDER(a->other.ins, b->other.ins);
	return at ? at : kind ? kind : race ? race : other ? other : ORDER(a->group, b->group);
}

/* Workers found the same mistakes in different groups: keep the lowest group, add the counts. */
void findings_merge(Profile *out, Worker *workers, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		for (u32 j = 0; j < workers[i].findings.n; j++)
			array_push(&out->findings, workers[i].findings.v[j]);
		array_free(&workers[i].findings);
	}
	if (!out->findings.n)
		return;
	qsort(out->findings.v, out->findings.n, sizeof(Finding), by_instruction);
	u32 kept = 0;
	for (u32 i = 1; i < out->findings.n; i++) {
		Finding *k = &out->findings.v[kept], *f = &out->findings.v[i];
		if (f->ins == k->ins && f->kind == k->kind && f->race == k->race && f->other.ins == k->other.ins) {
			k->count += f->count;
			free(f->detail);
		} else {
			out->findings.v[++kept] = *f;
		}
	}
	out->findings.n = kept + 1;
}
