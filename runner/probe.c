/* The probe suite: every row of probes.def, every value of its x. */
#include "runner/runner.h"

typedef struct ProbeRow {
	const char *family, *file, *x_name, *values, *launch, *doc;
} ProbeRow;

static const ProbeRow probes[] = {
#define PROBE(family, file, x_name, values, launch, doc) {family, file, x_name, values, launch, doc},
#include "runner/probes.def"
};

/* Replace {x}, {x*2}, {x/4-1} … */
static char *fill_in(const char *text, u64 x, Arena *a)
{
	Buf out = {0};
	while (*text) {
		if (strncmp(text, "{x", 2)) {
			buf_write(&out, text++, 1);
			continue;
		}
		u64 v = x;
		for (text += 2; *text != '}';) {
			char op = *text++;
			u64 n = strtoull(text, (char **)&text, 10);
			v = op == '*' ? v * n : op == '/' ? v / n : op == '+' ? v + n : v - n;
		}
		text++;
		buf_printf(&out, "%llu", (unsigned long long)v);
	}
	char *filled = arena_strndup(a, out.v, out.n);
	array_free(&out);
	return filled;
}

static u32 count_values(const char *values)
{
	u32 n = 1;
	for (; *values; values++)
		n += *values == ' ';
	return n;
}

static const char *text_of(const char *file)
{
	for (u32 i = 0; i < probe_ntexts; i++) {
		if (!strcmp(probe_texts[i].name, file))
			return probe_texts[i].text;
	}
	return NULL;
}

/* A point that this device cannot run is a warning, with the reason; losing the store is not. */
static bool run_point(Runner *r, const ProbeRow *p, u64 x, Arena *a, Diag *d)
{
	Diag own;
	diag_init(&own);
	RunnerJob job = {.path = arena_printf(a, "%s.cl", p->file), .text = text_of(p->file),
	           .options = fill_in(p->launch, x, a), .family = p->family, .has_x = true, .x = (double)x};
	bool ok = job_run(r, &job, &own);
	for (u32 i = 0; i < own.msgs.n; i++) {
		const DiagMsg *m = &own.msgs.v[i];
		bool store = m->loc.file && !strcmp(m->loc.file, r->o->db);
		if (store)
			diag_error(d, m->loc, "%s", m->text);
		else
			diag_warn(d, NO_LOC, "%s %llu is left out: %s", p->family, (unsigned long long)x, m->text);
		ok |= !store;
	}
	diag_free(&own);
	return ok;
}

bool probe_run(Runner *r, Diag *d)
{
	Arena *a = arena_new();
	const char *only = r->o->family;
	for (u32 i = 0; i < COUNT(probes); i++)
		r->all += !only || !strcmp(only, probes[i].family) ? count_values(probes[i].values) : 0;
	bool ok = r->all > 0;
	if (!ok) {
		diag_error(d, NO_LOC, "there is no probe '%s'", only);
		diag_hint(d, "`wavesim-runner probe list` names them");
	}
	for (u32 i = 0; ok && i < COUNT(probes); i++) {
		if (only && strcmp(only, probes[i].family))
			continue;
		char *at = arena_strdup(a, probes[i].values);
		for (char *end = at; ok && *end; at = end + 1) {
			u64 x = strtoull(at, &end, 10);
			ok = run_point(r, &probes[i], x, a, d);
		}
	}
	arena_free(a);
	return ok;
}

void probe_list(Buf *out)
{
	for (u32 i = 0; i < COUNT(probes); i++)
		buf_printf(out, "%-26s %2u points  x: %-32s %s\n", probes[i].family,
		           count_values(probes[i].values), probes[i].x_name, probes[i].doc);
}
