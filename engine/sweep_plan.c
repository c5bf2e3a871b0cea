/* From options with their alternatives to the points of a sweep.
 *
 * Every option is a digit of the points' numbers; the columns of a table are one digit together.
 *
 * The usual launch, one for each device, is the launch without any of the lists: the group size, width and banks that
 * it would have, and what the source says of itself: the value that it defines a macro as, or that its comment gives
 * one. Sizes, arguments and kernels of its comment count where they are in the list: others are another task. Where it
 * says nothing, the first of the list stands for it, as of files. A usual launch that is no point of the product
 * becomes one behind it. */
#include "engine/run.h"
#include "engine/sweep.h"

SweepOption *sweep_option(const SweepPlan *p, SweepAxisKind kind)
{
	for (u32 i = 0; i < p->options.n; i++)
		if (p->options.v[i].kind == kind)
			return &p->options.v[i];
	return NULL;
}

void sweep_plan_free(SweepPlan *p)
{
	for (u32 i = 0; i < p->options.n; i++)
		array_free(&p->options.v[i].values);
	array_free(&p->options);
	array_free(&p->devices);
	array_free(&p->files);
	array_free(&p->points);
	array_free(&p->batches);
	build_cache_free(&p->build);
}

/* ---- values that follow from others ---- */

typedef struct Lookup {
	const SweepPlan *p;
	const char *const *raw; /* NULL: not given */
	Arena *arena;
	u32 depth;
} Lookup;

static bool look_up(void *ctx, const char *name, i64 *out, const char **why);

static const char *filled(Lookup *l, u32 option, const char **why)
{
	const char *text = NULL;
	if (l->p->options.v[option].kind == AXIS_FILE)
		return l->raw[option];
	if (!l->raw[option] || l->depth > 20) {
		*why = l->raw[option]
		           ? "its expression depends on itself through other settings: give one of them a plain value"
		           : arena_printf(l->arena, "%s is not given", l->p->options.v[option].name);
		return NULL;
	}
	l->depth++;
	const char *wrong = sweep_fill(l->raw[option], look_up, l, l->arena, &text);
	l->depth--;
	if (!wrong)
		return text;
	*why = wrong;
	return NULL;
}

/* "local_x" of "16x8": 16. */
static bool dimension(const char *sizes, char dim, i64 *out)
{
	char *text = xstrdup(sizes), *s = text;
	for (char c = 'x'; c < dim && s; c++) {
		s = strpbrk(s, "xX,");
		s = s ? s + 1 : NULL;
	}
	*out = 1;
	if (s)
		s[strcspn(s, "xX,")] = 0;
	bool ok = !s || parse_i64(s, out);
	free(text);
	return ok;
}

static bool look_up(void *ctx, const char *name, i64 *out, const char **why)
{
	Lookup *l = ctx;
	size_t n = strlen(name);
	bool dim = n > 2 && name[n - 2] == '_' && strchr("xyz", name[n - 1]);
	for (u32 i = 0; i < l->p->options.n; i++) {
		const SweepOption *o = &l->p->options.v[i];
		bool size = dim && strlen(o->name) == n - 2 && !strncmp(o->name, name, n - 2);
		if (!size && strcmp(o->own, name))
			continue;
		const char *text = filled(l, i, why);
		if (!text)
			return false;
		if (size ? dimension(text, name[n - 1], out) : parse_i64(text, out))
			return true;
		*why = arena_printf(l->arena, "%s is '%s', not a whole number", name, text);
		return false;
	}
	*why = arena_printf(l->arena, "nothing here is called %s", name);
	return false;
}

/* All values of a point; what is wrong, or NULL. */
static const char *fill_point(const SweepPlan *p, const char *const *raw, const char **values)
{
	Lookup l = {p, raw, p->arena, 0};
	const char *why = NULL;
	for (u32 i = 0; i < p->options.n && !why; i++)
		values[i] = raw[i] ? filled(&l, i, &why) : NULL;
	return why;
}

/* ---- the usual launch ---- */

static bool has_auto(const SweepOption *o)
{
	for (u32 i = 0; o && i < o->values.n; i++)
		if (!strcmp(o->values.v[i], "auto"))
			return true;
	return false;
}

/* Its number, or how many there are when it is none of them. */
static u32 option_index(const SweepPlan *p, SweepAxisKind kind)
{
	const SweepOption *o = sweep_option(p, kind);
	return o ? (u32)(o - p->options.v) : p->options.n;
}

/* Sizes as the value of an option. */
static const char *size_text(Arena *a, u32 dims, const u64 n[3])
{
	Buf out = {0};
	for (u32 i = 0; i < dims; i++)
		buf_printf(&out, "%s%llu", i ? "x" : "", (unsigned long long)n[i]);
	return buf_keep(&out, a);
}

typedef struct Usual {
	bool known;
	const char *local; /* as an option's value */
	const char *kernel;
	u64 global[3];
	u32 dims, reqd[3], max_group;
	u32 own_group;   /* Program.max_group; max_group: the largest of a device */
	u32 kernel_dims; /* that it looks at */
} Usual;

/* Without parentheses around it. */
static const char *plain(const char *text, Arena *a)
{
	size_t n = strlen(text);
	while (n > 2 && *text == '(' && memchr(text, ')', n) == text + n - 1) {
		text++;
		n -= 2;
	}
	return arena_strndup(a, text, n);
}

/* A whole number as C has it, 16u as well. */
static bool whole(const char *text, i64 *out, Arena *a)
{
	size_t n = strlen(text);
	while (n > 1 && strchr("uUlL", text[n - 1]))
		n--;
	return parse_i64(arena_strndup(a, text, n), out);
}

static bool same_value(const char *a, const char *b, Arena *scratch)
{
	i64 x, y;
	a = plain(a, scratch);
	b = plain(b, scratch);
	return !strcmp(a, b) || (whole(a, &x, scratch) && whole(b, &y, scratch) && x == y);
}

/* What the list has for a value, or NULL. */
static const char *listed(const SweepOption *o, const char *value, Arena *a)
{
	for (u32 i = 0; value && i < o->values.n; i++)
		if (same_value(o->values.v[i], value, a))
			return o->values.v[i];
	return NULL;
}

/* What the first file has in place of a list, or NULL. */
static const char *own_value(const SweepPlan *p, const SweepOption *o, const EngineRun *file)
{
	const Launch *l = &file->launch;
	bool sizes = o->kind == AXIS_GLOBAL && l->global_from > FROM_GUESS && l->global_from < FROM_OPTION;
	const char *said = sizes ? size_text(p->arena, l->work_dim, l->global)
	                         : launch_said(l, sweep_axis_option[o->kind], o->own);
	if (o->kind == AXIS_MACRO && !said && file->text)
		said = source_macro(file->text, o->own, p->arena);
	const char *value = listed(o, said, p->arena);
	return value || !said || o->kind != AXIS_MACRO ? value : arena_strdup(p->arena, said);
}

/* What the usual launch has of each option; NULL: what it would have by itself, which is not known yet. */
static const char **usual_values(const SweepPlan *p)
{
	const char **raw = ARENA_ARRAY(p->arena, const char *, p->options.n + 1);
	Diag none;
	diag_init(&none);
	EngineRun *file = engine_open(&p->files.v[0].launch, &none);
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		bool list = (o->values.n > 1 || has_auto(o)) && !o->tied;
		bool own = o->kind == AXIS_LOCAL || o->kind == AXIS_WAVE || o->kind == AXIS_BANKS;
		bool said = o->kind == AXIS_MACRO || o->kind == AXIS_ARG || o->kind == AXIS_KERNEL ||
		            o->kind == AXIS_GLOBAL || o->kind == AXIS_GRID;
		const char *value = list && said && file->text ? own_value(p, o, file) : NULL;
		raw[i] = value ? value : list && own ? NULL : o->values.v[0];
	}
	engine_close(file);
	diag_free(&none);
	return raw;
}

/* The launch without the lists, as far as its sizes. Its messages matter when it is needed.
 * Where other values follow from the size of groups, one of the list is in its place until the kernel,
 * or its file, has said its own. */
static void find_usual(SweepPlan *p, const char **raw, Usual *out, Diag *d)
{
	const char **values = ARENA_ARRAY(p->arena, const char *, p->options.n + 1);
	const char *why = fill_point(p, raw, values);
	u32 local = option_index(p, AXIS_LOCAL);
	if (why && local < p->options.n && !raw[local]) {
		const SweepOption *o = &p->options.v[local];
		raw[local] = has_auto(o) ? "8x8x1" : o->values.v[0];
		why = fill_point(p, raw, values);
		raw[local] = values[local] = NULL;
	}
	if (why) {
		diag_error(d, NO_LOC, "%s", why);
		return;
	}
	EngineRun *r = sweep_open(p, &p->build, values, d);
	if (r && r->program && run_settle(r)) {
		out->known = true;
		out->kernel = arena_strdup(p->arena, r->program->kernel);
		out->kernel_dims = program_dims(r->program);
		out->dims = r->launch.work_dim;
		out->local = size_text(p->arena, out->dims, r->launch.local);
		memcpy(out->global, r->launch.global, sizeof out->global);
		memcpy(out->reqd, r->program->reqd_local, sizeof out->reqd);
		out->max_group = r->device.max_group;
		out->own_group = r->program->max_group;
	}
	engine_close(r);
}

/* "512,256" for a kernel of two dimensions means 512x256 in any other command: not two launches. */
static bool check_commas(const SweepPlan *p, const Usual *u)
{
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		bool sizes = o->kind == AXIS_GLOBAL || o->kind == AXIS_GRID || o->kind == AXIS_LOCAL;
		if (!sizes || u->kernel_dims < 2 || !o->text || !strchr(o->text, ',') || has_auto(o) ||
		    strpbrk(o->text, "xX{"))
			continue;
		Buf joined = {0}, apart = {0};
		for (u32 k = 0; k < o->values.n; k++) {
			buf_printf(&joined, "%s%s", k ? "x" : "", o->values.v[k]);
			buf_printf(&apart, "%s%sx1", k ? "," : "", o->values.v[k]);
		}
		diag_error(p->d, NO_LOC,
		           "--%s %s: in a sweep a comma separates alternatives, and kernel '%s' has %u dimensions",
		           o->name, o->text, u->kernel, u->kernel_dims);
		if (o->values.n <= u->kernel_dims)
			diag_hint(p->d, "x joins dimensions: --%s %s; or, for one row each, --%s %s", o->name, joined.v,
			          o->name, apart.v);
		else
			diag_hint(p->d, "x joins dimensions; for one row each, --%s %s", o->name, apart.v);
		array_free(&joined);
		array_free(&apart);
		return false;
	}
	return true;
}

/* Every shape that divides the global size and that some device allows. */
static const char *auto_shapes(const SweepPlan *p, const Usual *u, Texts *out)
{
	u64 most = u->own_group && u->own_group < u->max_group ? u->own_group : u->max_group, x, y, z;
	if (u->reqd[0]) {
		array_push(out, u->local);
		return NULL;
	}
	for (z = 1; z <= most && z <= u->global[2]; z++)
		for (y = 1; u->global[2] % z == 0 && y * z <= most && y <= u->global[1]; y++)
			for (x = 1; u->global[1] % y == 0 && x * y * z <= most && x <= u->global[0]; x++) {
				if (u->global[0] % x)
					continue;
				if (out->n == MOST_VALUES)
					return "these are too many shapes";
				array_push(out, size_text(p->arena, u->dims, (const u64[]){x, y, z}));
			}
	return NULL;
}

/* In the place of "auto"; shapes that are in the list as well are not repeated. */
static bool expand_auto(SweepPlan *p, SweepOption *local, const Usual *u)
{
	Texts shapes = {0}, all = {0};
	const char *why = auto_shapes(p, u, &shapes);
	for (u32 i = 0; i < local->values.n && !why; i++) {
		bool here = !strcmp(local->values.v[i], "auto");
		for (u32 k = 0; k < (here ? shapes.n : 1); k++) {
			const char *v = here ? shapes.v[k] : local->values.v[i];
			bool there = false;
			for (u32 j = 0; j < local->values.n; j++)
				there |= here && !strcmp(local->values.v[j], v);
			if (!there)
				array_push(&all, v);
		}
	}
	array_free(&shapes);
	array_free(&local->values);
	local->values = all;
	return !why || diag_error(p->d, NO_LOC, "local auto: %s", why);
}

/* ---- points ---- */

static bool add_point(SweepPlan *p, const char *const *raw, u32 n, bool usual, bool *ok)
{
	SweptPoint point = {.n = n, .usual = usual};
	point.values = ARENA_ARRAY(p->arena, const char *, p->options.n + 1);
	const char *why = fill_point(p, raw, point.values);
	Lookup l = {p, (const char *const *)point.values, p->arena, 0};
	i64 holds = 1;
	if (!why && p->where && !usual)
		why = sweep_eval(p->where, look_up, &l, p->arena, &holds);
	if (why) {
		*ok = diag_error(p->d, NO_LOC, "%s", why);
		return false;
	}
	if (holds)
		array_push(&p->points, point);
	else
		p->left_out++;
	return holds;
}

static bool add_product(SweepPlan *p, u32 *product)
{
	u64 n = 1;
	bool table = false;
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		n *= o->tied && table ? 1 : o->values.n;
		table |= o->tied;
		if (n > MOST_VALUES)
			return diag_error(p->d, NO_LOC, "this sweep has more than %d points", MOST_VALUES);
	}
	*product = (u32)n;
	const char **raw = ARENA_ARRAY(p->arena, const char *, p->options.n + 1);
	bool ok = true;
	for (u32 k = 0; k < n && ok; k++) {
		u32 left = k, row = UINT32_MAX;
		for (u32 i = p->options.n; i-- > 0;) {
			const SweepOption *o = &p->options.v[i];
			bool known = o->tied && row != UINT32_MAX;
			u32 digit = known ? row : left % o->values.n;
			raw[i] = o->values.v[digit];
			left = known ? left : left / o->values.n;
			row = o->tied ? digit : row;
		}
		add_point(p, raw, k, false, &ok);
	}
	return ok;
}

static bool same_values(const SweepPlan *p, const SweptPoint *a, const SweptPoint *b)
{
	for (u32 i = 0; i < p->options.n; i++)
		if (strcmp(a->values[i], b->values[i]) != 0)
			return false;
	return true;
}

/* One for each device. */
static bool add_usual(SweepPlan *p, const char **raw, const Usual *u, u32 product)
{
	u32 local = option_index(p, AXIS_LOCAL), wave = option_index(p, AXIS_WAVE), banks = option_index(p, AXIS_BANKS),
	    device = option_index(p, AXIS_DEVICE);
	bool ok = true;
	if (local < p->options.n && !raw[local])
		raw[local] = u->local;
	for (u32 i = 0; i < p->devices.n && ok; i++) {
		Device dev;
		if (!device_load(&dev, p->devices.v[i], NO_LOC, p->arena, p->d))
			return false;
		if (device < p->options.n)
			raw[device] = p->devices.v[i];
		if (wave < p->options.n && !raw[wave])
			raw[wave] = arena_printf(p->arena, "%u", dev.wave);
		if (banks < p->options.n && !raw[banks])
			raw[banks] = arena_printf(p->arena, "%u", dev.lds_banks);
		if (!add_point(p, raw, product + i, true, &ok))
			continue;
		const SweptPoint *last = &p->points.v[p->points.n - 1];
		for (u32 k = 0; k + 1 < p->points.n; k++) {
			if (!same_values(p, &p->points.v[k], last))
				continue;
			p->points.v[k].usual = true;
			p->points.n--;
			break;
		}
	}
	return ok;
}

/* ---- batches and groups ---- */

static char *key_of(const SweepPlan *p, const SweptPoint *at, bool sizes)
{
	Buf key = {0};
	for (u32 i = 0; i < p->options.n; i++)
		if (!p->options.v[i].machine && (sizes || !p->options.v[i].size))
			buf_printf(&key, "%s\n", at->values[i]);
	return buf_keep(&key, p->arena);
}

typedef struct BatchKey {
	const char *key;
	u32 batch;
} BatchKey;

static int by_key(const void *va, const void *vb)
{
	const BatchKey *a = va, *b = vb;
	int c = strcmp(a->key, b->key);
	return c ? c : a->batch < b->batch ? -1 : a->batch > b->batch;
}

static void find_batches(SweepPlan *p)
{
	const char *last = NULL;
	for (u32 i = 0; i < p->points.n; i++) {
		SweptPoint *at = &p->points.v[i];
		const char *key = key_of(p, at, true);
		if (!last || strcmp(key, last) != 0)
			array_push(&p->batches, ((SweepBatch){.first = i}));
		last = key;
		at->batch = p->batches.n - 1;
		p->batches.v[at->batch].n++;
		p->batches.v[at->batch].usual |= at->usual;
	}
	BatchKey *keys = ARENA_ARRAY(p->arena, BatchKey, p->batches.n + 1);
	for (u32 i = 0; i < p->batches.n; i++)
		keys[i] = (BatchKey){key_of(p, &p->points.v[p->batches.v[i].first], false), i};
	sort(keys, p->batches.n, sizeof *keys, by_key);
	for (u32 i = 0; i < p->batches.n; i++) {
		p->ngroups += !i || strcmp(keys[i].key, keys[i - 1].key) != 0;
		p->batches.v[keys[i].batch].group = p->ngroups - 1;
	}
}

/* ---- all of it ---- */

bool sweep_plan_points(SweepPlan *p)
{
	SweepOption *local = sweep_option(p, AXIS_LOCAL);
	const char **raw = usual_values(p);
	Usual usual = {0};
	Diag own;
	diag_init(&own);
	find_usual(p, raw, &usual, &own);
	bool ok = check_commas(p, &usual);
	if (ok && has_auto(local) && !usual.known) {
		ok = diag_error(p->d, NO_LOC, "local auto: the launch is not known: %s",
		                own.msgs.n ? own.msgs.v[0].text : "");
	} else if (ok && has_auto(local)) {
		for (u32 i = 0; i < p->devices.n; i++) {
			Device dev;
			if (device_load(&dev, p->devices.v[i], NO_LOC, p->arena, p->d) &&
			    dev.max_group > usual.max_group)
				usual.max_group = dev.max_group;
		}
		ok = expand_auto(p, local, &usual);
	}
	diag_free(&own);
	if (!usual.known && local && local->values.n)
		usual.local = local->values.v[0]; /* others may follow from it */
	u32 product = 0;
	ok = ok && add_product(p, &product);
	if (ok && !p->points.n)
		ok = diag_error(p->d, NO_LOC, "--where '%s' leaves no point", p->where);
	ok = ok && add_usual(p, raw, &usual, product);
	if (ok)
		find_batches(p);
	return ok;
}

/* ---- what it is ---- */

/* What can be chosen of it; a column of a table has values more than once. */
static SweepAxis axis_of(const SweepOption *o, Arena *a)
{
	const char **v = ARENA_ARRAY(a, const char *, o->values.n);
	u32 n = o->values.n;
	memcpy(v, o->values.v, n * sizeof *v);
	if (o->tied) {
		qsort(v, n, sizeof *v, by_text);
		n = 1;
		for (u32 i = 1; i < o->values.n; i++)
			if (strcmp(v[n - 1], v[i]) != 0)
				v[n++] = v[i];
	}
	return sweep_axis(o->name, v, n);
}

void sweep_input(const SweepPlan *p, const char *title, SweepInput *out)
{
	SweepAxis *axes = ARENA_ARRAY(p->arena, SweepAxis, p->options.n + 1);
	u32 *usual = ARENA_ARRAY(p->arena, u32, p->points.n + 1);
	*out = (SweepInput){.title = title, .program = "wavesim " WAVESIM_VERSION, .axes = axes, .product = p->points.n,
	                    .usual = usual, .max_ulp = p->max_ulp};
	for (u32 i = 0; i < p->options.n; i++)
		if (p->options.v[i].values.n > 1)
			axes[out->naxes++] = axis_of(&p->options.v[i], p->arena);
	for (u32 i = 0; i < p->points.n; i++)
		if (p->points.v[i].usual)
			usual[out->nusual++] = p->points.v[i].n;
}

SweepRow sweep_row(const SweepPlan *p, const SweptPoint *at, Arena *a)
{
	const char **values = ARENA_ARRAY(a, const char *, p->options.n + 1);
	u32 n = 0;
	for (u32 i = 0; i < p->options.n; i++)
		if (p->options.v[i].values.n > 1)
			values[n++] = at->values[i];
	return (SweepRow){.n = at->n, .values = values, .usual = at->usual};
}
