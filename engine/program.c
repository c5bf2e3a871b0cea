/* Adding up the launches of a program.
 *
 * Launches of equal shape (kernel and sizes) are taken to last as long as those of them that were
 * simulated did on average. So --once, which simulates one of each shape, still gives the time of the whole
 * program, and says for how many launches. */
#include "engine/program.h"

static ProgramShape *shape_find(ProgramResult *p, u64 shape)
{
	ProgramShape **slot = (ProgramShape **)map_slot(p->by_shape, shape);
	if (!*slot) {
		*slot = ARENA_NEW(p->arena, ProgramShape);
		array_push(&p->shapes, *slot);
	}
	return *slot;
}

ProgramResult *program_result_new(const char *file, const char *command, const char *device)
{
	ProgramResult *p = xcalloc(1, sizeof *p);
	p->arena = arena_new();
	p->by_shape = map_new(p->arena);
	p->file = arena_strdup(p->arena, file);
	p->command = arena_strdup(p->arena, command ? command : "");
	p->device = arena_strdup(p->arena, device);
	return p;
}

void program_result_free(ProgramResult *p)
{
	array_free(&p->shapes);
	array_free(&p->rows);
	arena_free(p->arena);
	free(p);
}

static u32 row_of(ProgramResult *p, const char *kernel)
{
	for (u32 i = 0; i < p->rows.n; i++)
		if (!strcmp(p->rows.v[i].kernel, kernel))
			return i;
	array_push(&p->rows, ((ProgramRow){.kernel = arena_strdup(p->arena, kernel)}));
	return p->rows.n - 1;
}

static void add_result(ProgramRow *row, ProgramShape *s, const Result *r)
{
	const Reference *ref = &r->reference;
	row->simulated++;
	row->equal += ref->status == REF_equal;
	row->different += ref->status == REF_different;
	row->unchecked += ref->status != REF_equal && ref->status != REF_different;
	row->findings += result_problems(r);
	row->items += r->items;
	row->lanes += r->t.wave_instructions * r->wave;
	totals_add(&row->t, &r->t);
	if (r->estimate->missing)
		return;
	s->timed++;
	s->time_us += r->estimate->time_us;
	s->low_us += r->estimate->low_us;
	s->high_us += r->estimate->high_us;
}

void program_result_add(ProgramResult *p, const ProgramLaunch *l)
{
	u32 at = row_of(p, l->kernel);
	ProgramRow *row = &p->rows.v[at];
	ProgramShape *s = shape_find(p, l->shape);
	s->row = at;
	s->launches++;
	row->launches++;
	row->failed += l->failed != NULL;
	if (l->measured_us >= 0) {
		row->measured++;
		row->measured_us += l->measured_us;
	}
	if (l->report)
		add_result(row, s, l->report);
}

static int by_time(const void *a, const void *b)
{
	const ProgramRow *x = a, *y = b;
	if (x->time_us != y->time_us)
		return x->time_us > y->time_us ? -1 : 1;
	return strcmp(x->kernel, y->kernel);
}

static void add_row(ProgramRow *all, const ProgramRow *r)
{
	all->launches += r->launches;
	all->simulated += r->simulated;
	all->failed += r->failed;
	all->equal += r->equal;
	all->different += r->different;
	all->unchecked += r->unchecked;
	all->findings += r->findings;
	all->items += r->items;
	all->lanes += r->lanes;
	totals_add(&all->t, &r->t);
	all->timed += r->timed;
	all->time_us += r->time_us;
	all->low_us += r->low_us;
	all->high_us += r->high_us;
	all->measured += r->measured;
	all->measured_us += r->measured_us;
}

void program_result_sum(ProgramResult *p)
{
	for (u32 i = 0; i < p->shapes.n; i++) {
		const ProgramShape *s = p->shapes.v[i];
		if (!s->timed)
			continue;
		ProgramRow *row = &p->rows.v[s->row];
		double times = (double)s->launches / (double)s->timed;
		row->timed += s->launches;
		row->time_us += s->time_us * times;
		row->low_us += s->low_us * times;
		row->high_us += s->high_us * times;
	}
	array_sort(&p->rows, by_time);
	ProgramRow all = {.kernel = "all"};
	for (u32 i = 0; i < p->rows.n; i++)
		add_row(&all, &p->rows.v[i]);
	array_push(&p->rows, all);
}
