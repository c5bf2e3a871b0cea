/* Buffers from files, or from memory in their place: raw bytes, NumPy's .npy, or numbers as text. Sizes are checked
 * now; the bytes are read when the launch runs (launch_data.c).
 *
 * text:@FILE and raw:@FILE say what a file holds. Else files named .txt and .csv are text, but for buffers of
 * characters, whose text is their contents; and a file that holds nothing but numbers as text is an error, as its bytes
 * would be numbers that nobody means. */
#include "traces/launch/launch_spec.h"

#include <errno.h>
#include <sys/stat.h>

const char *const file_form_prefix[] = {"", "text:", "raw:"};

FileForm file_form_of(const char *text)
{
	for (FileForm form = FILE_TEXT; form <= FILE_RAW; form++)
		if (!strncmp(text, file_form_prefix[form], strlen(file_form_prefix[form])))
			return form;
	return FILE_ANY;
}

FILE *launch_open(const Launch *l, const char *path, u64 *size, const char **why)
{
	struct stat st;
	for (u32 i = 0; i < l->nmemory; i++) {
		const LaunchMemory *m = &l->memory[i];
		if (strcmp(m->name, path))
			continue;
		*size = m->size;
		FILE *f = fmemopen((void *)(uintptr_t)m->bytes, m->size, "rb");
		if (!f)
			*why = arena_printf(l->arena, "cannot read '%s': %s", path, strerror(errno));
		return f;
	}
	bool there = !stat(path, &st), regular = there && S_ISREG(st.st_mode);
	FILE *f = regular ? fopen(path, "rb") : NULL;
	if (there && !regular)
		*why = arena_printf(l->arena, "'%s' is not a regular file", path);
	else if (!f)
		*why = arena_printf(l->arena, "cannot read '%s': %s", path, strerror(errno));
	*size = f ? (u64)st.st_size : 0;
	return f;
}

/* ---- numbers as text ---- */

enum { LONGEST_NUMBER = 63 };

typedef struct TextNumbers {
	FILE *f;
	u32 line;
	char word[LONGEST_NUMBER + 1];
	bool comma;      /* nothing but blanks is behind a comma, or the start of a line */
	const char *bad; /* what is wrong with this word, or with what is between two */
} TextNumbers;

static bool between(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','; }

static bool next_number(TextNumbers *t)
{
	size_t n = 0;
	int c = getc(t->f);
	for (; c != EOF && (between(c) || c == '#') && !t->bad; c = getc(t->f)) {
		while (c == '#' && (c = getc(t->f)) != '\n' && c != EOF)
			c = '#';
		t->line += c == '\n';
		t->bad = c == ',' && t->comma ? "one is missing before a comma" : NULL;
		t->comma |= c == ',' || c == '\n';
	}
	for (; c != EOF && !between(c) && c != '#' && !t->bad; c = getc(t->f)) {
		if (n == LONGEST_NUMBER || c < ' ')
			t->bad = c < ' ' ? "it has a control character" : "a word has more than 63 characters";
		if (n < LONGEST_NUMBER)
			t->word[n++] = (char)c;
		t->comma = false;
	}
	t->word[n] = 0;
	if (c != EOF)
		ungetc(c, t->f);
	return n > 0 || t->bad;
}

bool launch_read_text(FILE *f, const ElemShape *s, u8 *out, u64 room, u64 *count, Arena *a, const char **why)
{
	TextNumbers t = {.f = f, .line = 1, .comma = true};
	for (*count = 0; next_number(&t); ++*count) {
		Num n;
		NumError e = t.bad ? NUM_OK : num_parse(t.word, s, &n);
		if (t.bad || e != NUM_OK) {
			*why = arena_printf(a, "line %u should hold numbers, but %s", t.line,
			                    t.bad ? t.bad : num_explain(a, e, t.word, s));
			return false;
		}
		if (out && *count < room * s->width)
			num_store(out + *count / s->width * s->stride + *count % s->width * s->elem_bytes, s, n);
	}
	return true;
}

bool launch_looks_like_text(FILE *f)
{
	TextNumbers t = {.f = f, .line = 1, .comma = true};
	ElemShape any;
	Num n;
	u64 count = 0;
	bool numbers = true;
	launch_type_shape("double", 6, &any);
	for (; numbers && next_number(&t); count++) /* words such as inf may be bytes */
		numbers = !t.bad && !t.word[strspn(t.word, "0123456789+-.eE")] && num_parse(t.word, &any, &n) == NUM_OK;
	rewind(f);
	return numbers && count && (count > 1 || t.line > 1); /* one word alone may be bytes */
}

static bool text(ArgSpec *s, FILE *f)
{
	LaunchArg *a = s->out;
	const char *why;
	u64 n;
	a->path_form = FILE_TEXT;
	if (!launch_read_text(f, &a->shape, NULL, 0, &n, s->l->arena, &why)) {
		spec_bad(s, s->p + 1, "'%s': %s", a->path, why);
		return diag_hint(s->d, "%s=raw:@%s takes the file's bytes as they are", s->k->name, s->p + 1);
	}
	return spec_fills(s, s->p + 1, n, a->shape.width, "numbers") && spec_count(s, s->p + 1, n / a->shape.width);
}

static bool in_memory(const Launch *l, const char *path)
{
	for (u32 i = 0; i < l->nmemory; i++)
		if (!strcmp(l->memory[i].name, path))
			return true;
	return false;
}

/* ---- the others ---- */

static bool npy(ArgSpec *s, FILE *f)
{
	LaunchArg *a = s->out;
	NpyInfo info;
	const char *why = npy_header(s->l->arena, f, &info);
	if (why)
		return spec_bad(s, s->p, "'%s': %s", a->path, why);
	bool is_struct = s->k->elem_class == ELEM_OTHER && a->shape.elem_bytes == 1;
	if (!is_struct && (info.shape.elem_class != a->shape.elem_class ||
			   info.shape.elem_bytes != a->shape.elem_bytes)) {
		char *have = arena_strdup(s->l->arena, launch_type_name(&info.shape));
		return spec_bad(s, s->p, "'%s' holds %s, the buffer %s", a->path, have,
			   launch_type_name(&a->shape));
	}
	u64 n = info.shape.elem_bytes;
	for (u32 i = 0; i < info.ndims; i++) {
		if (info.dims[i] && n > ((u64)1 << SEG_SHIFT) / info.dims[i])
			return spec_bad(s, s->p, "'%s': its shape is larger than a buffer can be",
				   a->path);
		n *= info.dims[i];
	}
	u64 elem = is_struct ? a->shape.stride : (u64)a->shape.width * a->shape.elem_bytes;
	if (n % elem)
		return spec_bad(s, s->p, "'%s' has %llu numbers: each element takes %u, and that is no "
		                         "multiple", a->path,
			   (unsigned long long)(n / info.shape.elem_bytes), a->shape.width);
	a->path_offset = info.data;
	a->path_packed = a->shape.stride != elem;
	return spec_count(s, s->p, n / elem);
}

static bool file(ArgSpec *s, FILE *f, u64 size)
{
	LaunchArg *a = s->out;
	const char *name = s->p + 1;
	bool characters = a->shape.elem_bytes == 1, memory = in_memory(s->l, a->path);
	bool any = a->path_form == FILE_ANY;
	if (a->path_form == FILE_TEXT)
		return text(s, f);
	if (any && npy_magic(f))
		return npy(s, f);
	if (any && path_ends(name, ".npy"))
		return spec_bad(s, name, "'%s' is not a NumPy file", a->path);
	if (any && !memory && !characters && (path_ends(name, ".txt") || path_ends(name, ".csv")))
		return text(s, f);
	if (any && !memory && launch_looks_like_text(f)) {
		spec_bad(s, name, "'%s' holds numbers as text: are its numbers meant, or its bytes?", a->path);
		return diag_hint(s->d, "write %s=text:@%s to read numbers, or %s=raw:@%s to read raw bytes", s->k->name,
		                 name, s->k->name, name);
	}
	if (!size || size % a->shape.stride)
		return spec_bad(s, name,
			   "'%s' has %llu bytes, which is no whole number of elements (%u bytes)",
			   a->path, (unsigned long long)size, a->shape.stride);
	return spec_count(s, name, size / a->shape.stride);
}

bool spec_file(ArgSpec *s)
{
	LaunchArg *a = s->out;
	const char *name = s->p + 1, *why;
	if (!*name)
		return spec_bad(s, s->p, "a file name is missing after '@'");
	a->path = launch_path(s->l, s->t, name);
	a->init = INIT_FILE;
	const char *fault = launch_file_fault(s->l, s->t, a->path);
	if (fault)
		return spec_bad(s, name, "'%s' %s", a->path, fault);
	u64 size;
	FILE *f = launch_open(s->l, a->path, &size, &why);
	if (!f)
		return spec_bad(s, name, "%s", why);
	bool ok = file(s, f, size);
	fclose(f);
	return ok;
}
