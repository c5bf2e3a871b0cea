/* What is reported of a race: which one it is, both accesses, and the values where they are known. */
#include "sim/race.h"

/* Of the elements that the instruction loads or stores. */
static u8 type_of(const Program *p, u32 ins)
{
	const Ins *i = &p->ins.v[ins];
	switch (i->op) {
	case OP_ld: return p->regs.v[ins_dst(p, i)[0]].type;
	case OP_st:
	case OP_atomic:
	case OP_cas: return p->regs.v[ins_src(p, i)[1]].type;
	default: return T_i32;
	}
}

static FindingAccess access_of(const Program *p, u32 ins, AccessKind kind)
{
	return (FindingAccess){.ins = ins, .write = kind != ACCESS_LOAD, .atomic = kind == ACCESS_ATOMIC,
	                       .cas = p->ins.v[ins].op == OP_cas};
}

/* instead: another value was there since the other access. */
static void values(const RaceTouch *t, AccessKind kind, bool instead, u32 elem_bytes, Finding *f)
{
	/* What the other one left, or saw, is there still, if nothing else was; shown are whole elements. */
	u8 before[LARGEST_ACCESS];
	const u8 *there = race_there(t, kind == ACCESS_STORE ? word_at(t, WRITER) : 0, before);
	u64 inside = t->at - t->start, head = inside % elem_bytes;
	f->own.has_value = t->kind != ACCESS_ATOMIC && (t->kind == ACCESS_LOAD || t->own);
	f->other.has_value = kind != ACCESS_ATOMIC && !instead;
	memcpy(&f->own.value, t->own ? t->own + inside - head : memory_at(t, t->at) - head, elem_bytes);
	memcpy(&f->other.value, there - head, elem_bytes);
}

static RaceClass class_of(const RaceTouch *t, const RaceEvent *e)
{
	return e->group != t->group ? RACE_groups : e->wave != t->wave ? RACE_waves : RACE_lanes;
}

Finding *race_known(const RaceTouch *t, u32 word)
{
	const RaceEvent *e = word_event(t, word);
	return finding_known(t->w, class_of(t, e), t->a->ins, t->w->code->accesses.v[e->access].ins);
}

void race_found(RaceTouch *t, u32 word, AccessKind kind)
{
	bool instead = false, same = race_changes_nothing(t, &word, kind, &instead);
	const Code *code = t->w->code;
	const RaceEvent *e = word_event(t, word);
	u32 ins = t->a->ins, other = code->accesses.v[e->access].ins;
	u8 space = t->mem->lds ? SPACE_LDS : SPACE_GLOBAL;
	u32 elem_bytes = t->a->elem_bytes ? t->a->elem_bytes : 4;
	t->raced = true;
	Finding *f = finding_race(t->w, same ? RACE_same_value : class_of(t, e), ins, t->lane, other);
	if (f->count > 1)
		return;
	Buf place = {0};
	place_print(code, t->w->worker->m, space, t->seg, t->at, elem_bytes, &place);
	f->detail = place.v;
	f->when = t->c->accesses;
	f->space = space;
	f->address = t->base | t->at;
	f->bytes = t->bytes;
	f->write = t->kind != ACCESS_LOAD;
	f->own = access_of(code->p, ins, t->kind);
	f->other = access_of(code->p, other, kind);
	f->own.type = f->other.type = type_of(code->p, ins);
	const ElemShape *in = t->mem->lds ? NULL : &t->w->worker->m->segs[t->seg].element;
	f->own.elem_class = f->other.elem_class = in && in->elem_bytes == elem_bytes ? in->elem_class : ELEM_OTHER;
	f->other.group = e->group;
	f->other.wave = e->wave;
	f->other.lane = word_lane(word);
	finding_other(t->w, &f->other);
	if (t->a->bytes && elem_bytes <= 8)
		values(t, kind, instead, elem_bytes, f);
}
