/* Steps by which the lanes of a wavefront pass each other values; x: Code.sys.
 *
 * All of them look at the active lanes only. reduce and scan join rows of lanes with the lane operation itself
 * (ops.def): the values of all lanes and the same row moved by 1, 2, 4 … lanes, as a GPU does. */
#include "sim/check_race.h"

#include "isa/matrix.h"

const Step *step_ballot(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	Mask yes = w->mask;
	if (!sys->src[0].scalar)
		yes &= w->code->kit->bits(w->r + sys->src[0].offset, w->n);
	else if (!w->r[sys->src[0].offset])
		yes = 0;
	memcpy(w->r + s->d, &yes, sizeof yes); /* the register has room for the widest */
	return s + 1;
}

/* Where the value of a lane lies. */
static u8 *value_at(const Wave *w, const Operand *o, u32 lane)
{
	return w->r + o->offset + (o->scalar ? 0 : lane * type_bytes[o->type]);
}

static void note_inactive(Wave *w, const Step *s, u32 lane, u64 from)
{
	Finding *f = finding_add(w, FINDING_inactive_lane, s->ins, lane);
	if (f->detail)
		return;
	Buf b = {0};
	if (from < w->code->wave)
		buf_printf(&b, "it reads lane %u", (u32)from);
	else
		buf_printf(&b, "it reads lane %llu of %u", (unsigned long long)from, w->code->wave);
	f->detail = b.v;
}

static const Step *read_lane(Wave *w, const Step *s, u32 lane)
{
	const Operand *a = &w->code->sys.v[s->x].src[0];
	memcpy(w->r + s->d, value_at(w, a, lane), type_bytes[a->type]);
	return s + 1;
}

const Step *step_readfirst(Wave *w, const Step *s) { return read_lane(w, s, mask_lowest(w->mask)); }

const Step *step_readlane(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u64 i = sys_operand(w, &sys->src[1], mask_lowest(w->mask));
	bool active = i < w->code->wave && (w->mask & mask_lane((u32)i));
	if (!s->k || active)
		return read_lane(w, s, (u32)(i % w->code->wave));
	note_inactive(w, s, mask_lowest(w->mask), i);
	memset(w->r + s->d, 0, type_bytes[sys->src[0].type]);
	return s + 1;
}

const Step *step_bpermute(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 bytes = type_bytes[sys->src[1].type];
	u8 row[MAX_WAVE * 16] = {0};
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		u64 i = sys_operand(w, &sys->src[0], l);
		u32 from = (u32)(i % w->code->wave);
		if ((w->mask & mask_lane(from)) && (!s->k || i == from))
			memcpy(row + l * bytes, value_at(w, &sys->src[1], from), bytes);
	}
	w->code->kit->blend(w->r + sys->dst[0], row, w->mask, w->n, bytes);
	return s + 1;
}

/* ---- matrices ---- */

/* The bits of n operands of each of so many lanes, one behind the other. */
static void gather_bits(const Wave *w, const Operand *o, u32 n, u32 lanes, u64 *out)
{
	for (u32 l = 0; l < lanes; l++) {
		u32 at = 0;
		for (u32 i = 0; i < n; at += 8u * type_bytes[o[i++].type]) {
			u64 x = 0;
			memcpy(&x, value_at(w, &o[i], l), type_bytes[o[i].type]);
			out[l] |= x << at;
		}
	}
}

/* Lanes that the wavefront has not count as zeros. */
const Step *step_matrix(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	const MatrixShape *x = &matrix_shape[w->code->p->ins.v[s->ins].imm];
	u32 n = sys->ndst, each = (sys->nsrc - n) / 2, bytes = type_bytes[matrix_result_type(x)];
	u64 items = w->group->items - (u64)w->index * w->code->wave;
	u32 most = w->code->wave < MATRIX_LANES ? w->code->wave : MATRIX_LANES,
	    lanes = items < most ? (u32)items : most;
	u64 a[MATRIX_LANES] = {0}, b[MATRIX_LANES] = {0};
	MatrixRow sums[MATRIX_MOST];
	MatrixIn in;
	flow_expect_all(w, FINDING_divergent_matrix, s->ins);
	gather_bits(w, sys->src, each, lanes, a);
	gather_bits(w, sys->src + each, each, lanes, b);
	matrix_read(x, a, b, &in);
	if (lanes < MATRIX_LANES)
		memset(sums, 0, n * sizeof *sums);
	/* All sums are read before a result takes the place of one. */
	for (u32 r = 0; r < n; r++)
		for (u32 l = 0; l < lanes; l++)
			memcpy((u8 *)&sums[r] + l * bytes, value_at(w, &sys->src[2 * each + r], l), bytes);
	for (u32 r = 0; r < n; r++) {
		u8 *to = w->r + sys->dst[r];
		matrix_row(x, &in, r, &sums[r]);
		memcpy(to, &sums[r], lanes * bytes);
		if (lanes < w->n)
			memset(to + lanes * bytes, 0, (w->n - lanes) * bytes);
	}
	return s + 1;
}

/* ---- all lanes joined ---- */

typedef struct Rows {
	Wave *w;
	StepFn *join;
	u32 bytes;     /* of one lane */
	u32 x, y, out; /* offsets of rows in Wave.r */
	Mask valid;    /* lanes of x that hold a value */
} Rows;

static Rows rows_of(Wave *w, const Step *s)
{
	const Operand *a = &w->code->sys.v[s->x].src[0];
	u32 op = fold_op(w->code->p->ins.v[s->ins].aux, (Type)a->type), row = w->n * 16;
	Rows r = {.w = w, .join = w->code->kit->lane(op, 0), .bytes = type_bytes[a->type], .x = w->code->rows,
	          .y = w->code->rows + row, .out = w->code->rows + 2 * row, .valid = w->mask};
	for (u32 l = 0; l < w->n; l++)
		memcpy(w->r + r.x + l * r.bytes, value_at(w, a, l), r.bytes);
	return r;
}

/* Each lane's value and that of the lane `by` above it, or below it, which then comes first. */
static void rows_join(Rows *r, u32 by, bool below)
{
	Wave *w = r->w;
	u8 *x = w->r + r->x, *y = w->r + r->y;
	u32 kept = (w->n - by) * r->bytes, gone = by * r->bytes;
	memcpy(y + (below ? gone : 0), x + (below ? 0 : gone), kept);
	memset(y + (below ? 0 : kept), 0, gone);
	Mask other = below ? r->valid << by : r->valid >> by;
	Step join[] = {{.d = r->out, .a = below ? r->y : r->x, .b = below ? r->x : r->y}, {.fn = step_stop}};
	r->join(w, join);
	w->code->kit->blend(x, w->r + r->out, r->valid & other, w->n, r->bytes);
	w->code->kit->blend(x, y, other & ~r->valid, w->n, r->bytes);
	r->valid |= other;
}

const Step *step_reduce(Wave *w, const Step *s)
{
	Rows r = rows_of(w, s);
	const Sys *sys = &w->code->sys.v[s->x];
	u32 lanes = s->k ? (u32)s->k : MAX_WAVE;
	for (u32 by = 1; by < lanes && by < w->n; by *= 2)
		rows_join(&r, by, false);
	const u8 *x = w->r + r.x;
	if (sys->dst_scalar[0]) {
		memcpy(w->r + s->d, x, r.bytes);
		return s + 1;
	}
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		memcpy(w->r + sys->dst[0] + l * r.bytes, x + (l & ~(lanes - 1)) * r.bytes, r.bytes);
	}
	return s + 1;
}

const Step *step_scan(Wave *w, const Step *s)
{
	Rows r = rows_of(w, s);
	const Sys *sys = &w->code->sys.v[s->x];
	u128 neutral = fold_neutral(w->code->p->ins.v[s->ins].aux, (Type)sys->src[0].type);
	for (u32 by = 1; by < w->n; by *= 2)
		rows_join(&r, by, true);
	const u8 *x = w->r + r.x;
	for (Mask m = w->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m);
		bool first = s->k && (!l || !(r.valid & mask_lane(l - 1)));
		memcpy(w->r + sys->dst[0] + l * r.bytes,
		       first ? (const u8 *)&neutral : x + (l - (s->k ? 1 : 0)) * r.bytes, r.bytes);
	}
	return s + 1;
}

const Step *step_wave_barrier(Wave *w, const Step *s)
{
	if (w->worker->races)
		race_wave_barrier(w->worker->races, w->index, (u32)s->k);
	return s + 1;
}

const Step *step_whole(Wave *w, const Step *s)
{
	flow_expect_all(w, FINDING_divergent_sub_group, s->ins);
	return s + 1;
}
