/* Launches that other tools' kernel files carry, so that their test suites run as they are:
 *
 *   GPUVerify   //--local_size=[8,8] --num_groups=[4,2]      (or --global_size=…)
 *   piglit      a comment opened with an exclamation mark: a [config] section, then one
 *               [test] section for each launch, "key: value" lines, # comments, \ at the
 *               end of a line continues it
 *
 * They are weaker than everything else that is said about the launch. A piglit header
 * may describe several launches: Launch.test chooses. Keys that say nothing about the
 * launch itself (name, device_regex, …) are left alone. */
#include "traces/launch/launch_impl.h"

/* ---- GPUVerify ---- */

/* "64", "[64]" or "[64,2]": how many sizes; 0, and out untouched, for anything else. */
static u32 gpuverify_sizes(const char *p, u64 out[3])
{
	u64 v[3] = {1, 1, 1};
	bool bracket = *p == '[';
	p += bracket;
	for (u32 dims = 0; dims < 3;) {
		char digits[16];
		size_t n = strspn(p, "0123456789");
		if (!n || n >= sizeof digits)
			return 0;
		memcpy(digits, p, n);
		digits[n] = 0;
		if (!parse_u64(digits, &v[dims]) || !v[dims] || v[dims] > UINT32_MAX)
			return 0;
		dims++;
		p += n;
		if (*p != ',') {
			if (bracket && *p != ']')
				return 0;
			memcpy(out, v, sizeof v);
			return dims;
		}
		p++;
	}
	return 0;
}

typedef struct Verify {
	u64 local[3], groups[3], global[3];
	u32 local_dims, groups_dims, global_dims;
} Verify;

static void gpuverify_word(const char *w, Verify *v)
{
	if (!strncmp(w, "--local_size=", 13))
		v->local_dims = gpuverify_sizes(w + 13, v->local);
	else if (!strncmp(w, "--num_groups=", 13))
		v->groups_dims = gpuverify_sizes(w + 13, v->groups);
	else if (!strncmp(w, "--global_size=", 14))
		v->global_dims = gpuverify_sizes(w + 14, v->global);
}

static void gpuverify(Launch *l, const char *file, const char *text)
{
	Verify v = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0, 0, 0};
	u32 line = 1;
	while (text[0] == '/' && text[1] == '/') {
		const char *end = text + strcspn(text, "\n");
		bool options = text[2] == '-' && text[3] == '-';
		for (const char *p = text + 2; options && p < end;) {
			gpuverify_word(p, &v);
			p += strcspn(p, " \t\n");
			p += strspn(p, " \t");
		}
		if (!*end || v.local_dims)
			break;
		text = end + 1;
		line++;
	}
	if (!v.local_dims)
		return;
	Loc loc = {file, line, 1};
	launch_offer_sizes(l, "--local", v.local, v.local_dims, loc);
	if (!v.global_dims && v.groups_dims) {
		for (u32 i = 0; i < 3; i++) {
			v.global[i] = v.local[i] * v.groups[i]; /* both below 2^32 */
			if (v.global[i] > UINT32_MAX)
				return;
		}
		v.global_dims = v.groups_dims > v.local_dims ? v.groups_dims : v.local_dims;
	}
	if (v.global_dims)
		launch_offer_sizes(l, "--global", v.global, v.global_dims, loc);
}

/* ---- piglit ---- */

typedef struct Header {
	Launch *l;
	const char *p, *end; /* inside the comment */
	const char *line_start;
	Loc at;
	u32 section; /* 0 before the first [test], then the test's number */
} Header;

typedef struct KeyValue {
	const char *key, *value;
	Loc loc; /* of the value */
} KeyValue;

static bool header_open(Header *h, Launch *l, const char *file, const char *text)
{
	const char *start = strstr(text, "/*!"), *end = start ? strstr(start, "!*/") : NULL;
	if (!end)
		return false;
	*h = (Header){l, start + 3, end, start, {file, 1, 1}, 0};
	for (const char *p = text; p < start; p++)
		h->at.line += *p == '\n';
	return true;
}

static void trim(const char **p, const char **end)
{
	while (*p < *end && strchr(" \t\r", **p))
		++*p;
	while (*p < *end && strchr(" \t\r", (*end)[-1]))
		--*end;
}

/* A line without its comment, continuations joined, in the arena. */
static char *header_line(Header *h)
{
	Buf b = {0};
	buf_printf(&b, "%s", "");
	for (bool more = true; more && h->p < h->end;) {
		const char *start = h->p, *feed = memchr(start, '\n', (size_t)(h->end - start));
		const char *stop = feed ? feed : h->end;
		const char *hash = memchr(start, '#', (size_t)(stop - start));
		const char *end = hash ? hash : stop;
		trim(&start, &end);
		more = end > start && end[-1] == '\\';
		buf_write(&b, start, (size_t)(end - start) - more);
		if (more)
			buf_write(&b, " ", 1);
		h->line_start = h->p;
		h->p = feed ? feed + 1 : h->end;
		h->at.line++;
	}
	char *line = arena_strndup(h->l->arena, b.v, strlen(b.v));
	array_free(&b);
	return line;
}

/* The next "key: value"; sections are counted on the way. */
static bool header_next(Header *h, KeyValue *out)
{
	while (h->p < h->end) {
		Loc loc = h->at;
		char *line = header_line(h);
		if (!strncmp(line, "[test]", 6))
			h->section++;
		char *colon = *line == '[' ? NULL : strchr(line, ':');
		if (!colon)
			continue;
		*colon = 0;
		out->key = line;
		out->value = colon + 1 + strspn(colon + 1, " \t");
		loc.col = 1;
		out->loc = loc;
		return true;
	}
	return false;
}

/* Which test: the caller's choice, the first for the kernel, or the first. */
static u32 choose(Launch *l, const char *file, const char *text)
{
	Header h;
	KeyValue kv;
	if (l->test || !header_open(&h, l, file, text))
		return l->test;
	while (l->kernel && header_next(&h, &kv))
		if (h.section && !strcmp(kv.key, "kernel_name") && !strcmp(kv.value, l->kernel))
			return h.section;
	return 1;
}

typedef struct PiglitTest {
	const char *kernel;
	u64 dims, global[3], local[3], offset[3], version;
	bool local_null, has_global, has_test;
	Loc loc;
} PiglitTest;

static bool three(Launch *l, const KeyValue *kv, u64 min, u64 out[3], Diag *d)
{
	const char *p = kv->value;
	for (u32 i = 0; i < 3; i++) {
		p += strspn(p, " \t");
		size_t n = strcspn(p, " \t");
		char *word = arena_strndup(l->arena, p, n);
		if (!n)
			out[i] = min;
		else if (!parse_u64(word, &out[i]) || out[i] > UINT32_MAX)
			return launch_error(l, d, kv->loc, "%s: '%s' is not a size", kv->key, word);
		else if (out[i] < min)
			out[i] = min; /* piglit writes 0 for dimensions that do not count */
		p += n;
	}
	return true;
}

static bool number(Launch *l, const KeyValue *kv, u64 min, u64 max, u64 *out, Diag *d)
{
	if (parse_u64(kv->value, out) && *out >= min && *out <= max)
		return true;
	return launch_error(l, d, kv->loc, "%s: '%s' is not a number from %llu to %llu", kv->key,
			    kv->value, (unsigned long long)min, (unsigned long long)max);
}

static bool is_null(const char *value) { return !strcmp(value, "NULL") || !strcmp(value, "null"); }

static bool piglit_key(Launch *l, const KeyValue *kv, PiglitTest *g, Diag *d)
{
	const char *k = kv->key;
	if (!strcmp(k, "kernel_name")) {
		g->kernel = *kv->value ? kv->value : NULL;
	} else if (!strcmp(k, "dimensions")) {
		return number(l, kv, 1, 3, &g->dims, d);
	} else if (!strcmp(k, "clc_version_min")) {
		return number(l, kv, 10, 30, &g->version, d);
	} else if (!strcmp(k, "global_size")) {
		g->has_global = true;
		g->loc = kv->loc;
		return three(l, kv, 1, g->global, d);
	} else if (!strcmp(k, "local_size")) {
		g->local_null = is_null(kv->value);
		return g->local_null || three(l, kv, 1, g->local, d);
	} else if (!strcmp(k, "global_offset")) {
		return is_null(kv->value) || three(l, kv, 0, g->offset, d);
	} else if (!strcmp(k, "build_options")) {
		return launch_option(l, "--build-options", kv->value, kv->loc, d);
	} else if (!strcmp(k, "arg_in") || !strcmp(k, "arg_out")) {
		PiglitArg a = {kv->value, k[4] == 'o', kv->loc};
		array_push(&l->text->piglit, a);
	}
	return true;
}

static bool piglit_apply(Launch *l, PiglitTest *g, Diag *d)
{
	for (u64 i = g->dims; i < 3; i++)
		g->global[i] = g->local[i] = 1, g->offset[i] = 0;
	if (g->kernel && l->kernel_from < FROM_FILE) {
		l->kernel = g->kernel;
		l->kernel_from = FROM_FILE;
	}
	if (!g->has_global && !g->has_test)
		return true;
	launch_offer_sizes(l, "--global", g->global, (u32)g->dims, g->loc);
	if (!g->local_null)
		launch_offer_sizes(l, "--local", g->local, (u32)g->dims, g->loc);
	if (g->offset[0] || g->offset[1] || g->offset[2])
		launch_offer_sizes(l, "--offset", g->offset, (u32)g->dims, g->loc);
	return g->version < 20 ||
	       launch_add_build(l, 'b', g->version >= 30 ? "-cl-std=CL3.0" : "-cl-std=CL2.0", g->loc, d);
}

static bool piglit(Launch *l, const char *file, const char *text, Diag *d)
{
	Header h;
	KeyValue kv;
	PiglitTest g = {.dims = 1, .global = {1, 1, 1}, .local = {1, 1, 1}, .loc = {file, 0, 0}};
	u32 test = choose(l, file, text);
	bool ok = true;
	if (!header_open(&h, l, file, text))
		return true;
	while (header_next(&h, &kv)) {
		g.has_test |= h.section == test;
		if (!h.section || h.section == test)
			ok = piglit_key(l, &kv, &g, d) && ok;
	}
	if (l->test > h.section)
		return launch_error(l, d, g.loc, "there are %u tests, not %u", h.section, l->test);
	return ok && piglit_apply(l, &g, d);
}

bool launch_read_headers(Launch *l, const char *file, const char *text, Diag *d)
{
	file = arena_strdup(l->arena, file);
	gpuverify(l, file, text);
	return piglit(l, file, text, d);
}
