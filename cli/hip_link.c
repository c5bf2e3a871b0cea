/* Linking programs of -fgpu-rdc. A first link shows which objects make the program: the section that the linker joined
 * has the device code of all. That becomes one fat binary, and the second link is with it. Where a file needs what only
 * a member of an archive has that stood before it, there is one more. (LLVM's own way, clang-offload-bundler and lld,
 * needs packages that wavesim does not.) */
#include "cli/hip_link.h"

#include "base/hash.h"
#include "isa/bitcode.h"

#include <errno.h>
#include <sys/stat.h>

/* Names that no file has, and the sources that need them. */
typedef struct Missing {
	HipWords names, by;
} Missing;

typedef struct Linking {
	const HipTools *t;
	const HipWords *words;
	char *section;
	HipCarriedList carried;
	Missing missing;
	HipWords asked; /* names that archives before their users were asked for */
} Linking;

static const char *in_folder(const HipTools *t, const char *name)
{
	return arena_printf(t->arena, "%s/%s", t->folder, name);
}

/* ---- the host's links ---- */

/* The fat binary as an object, the first one, which also asks archives for what others miss. */
static bool make_object(const Linking *l, const char *fat, Diag *d)
{
	Buf out = {0};
	HipWords words = {0};
	const char *assembly = in_folder(l->t, "fat.s");
	buf_printf(&out, "\t.section .note.GNU-stack,\"\",@progbits\n\t.section .hip_fatbin,\"a\",@progbits\n"
	                 "\t.p2align 12\n\t.globl __hip_fatbin\n\t.hidden __hip_fatbin\n__hip_fatbin:\n");
	if (fat)
		hip_include_bytes(&out, fat);
	else
		buf_printf(&out, "\t.quad 0\n");
	for (u32 i = 0; i < l->asked.n; i++)
		buf_printf(&out, "\t.globl \"%s.device\"\n", l->asked.v[i]);
	hip_words(&words, (const char *const[]){l->t->clang, "-c", assembly, "-o", in_folder(l->t, "fat.o"), NULL});
	bool ok = hip_write(assembly, out.v, out.n, d) && hip_tool(l->t, &words, d);
	array_free(&words);
	array_free(&out);
	return ok;
}

static bool link_host(const Linking *l, const char *output, const char *log, Diag *d)
{
	HipWords words = {0};
	hip_words(&words, (const char *const[]){l->words->v[0], in_folder(l->t, "fat.o"), NULL});
	for (u32 i = 1; i < l->words->n; i++)
		array_push(&words, l->words->v[i]);
	hip_words(&words, (const char *const[]){"-o", output, NULL});
	bool ok = hip_tool_logged(l->t, &words, log, d);
	array_free(&words);
	return ok;
}

/* Take the section out of a program. into NULL: it is not wanted any more; /dev/null and the like may keep it. */
static bool take_section(const Linking *l, const char *program, const char *into, Diag *d)
{
	HipWords words = {0};
	struct stat file;
	if (!into && !stat(program, &file) && !S_ISREG(file.st_mode))
		return true;
	hip_words(&words, (const char *const[]){"objcopy", "--remove-section=" HIP_CARRIED, NULL});
	if (into)
		array_push(&words, arena_printf(l->t->arena, "--dump-section=" HIP_CARRIED "=%s", into));
	array_push(&words, program);
	bool ok = hip_tool_logged(l->t, &words, in_folder(l->t, "objcopy.log"), d);
	array_free(&words);
	return ok;
}

/* ---- what it is made of ---- */

/* The next one of a list, which is then what follows; NULL: there is none. */
static const char *next_word(const char **list, Arena *a)
{
	size_t n = strcspn(*list, " ");
	const char *word = n ? arena_strndup(a, *list, n) : NULL;
	*list += n + ((*list)[n] == ' ');
	return word;
}

static void find_missing(const HipCarriedList *carried, Missing *m, Arena *a)
{
	HashSet known = {0};
	const char *list, *name;
	m->names.n = m->by.n = 0;
	for (u32 i = 0; i < carried->n; i++)
		for (list = carried->v[i].has; (name = next_word(&list, a));)
			hash_set_add(&known, hash_text(name));
	for (u32 i = 0; i < carried->n; i++)
		for (list = carried->v[i].needs; (name = next_word(&list, a));)
			if (hash_set_add(&known, hash_text(name))) {
				array_push(&m->names, name);
				array_push(&m->by, carried->v[i].source);
			}
	hash_set_free(&known);
}

static bool read_section(Linking *l, const char *file, Diag *d)
{
	size_t n;
	free(l->section);
	l->carried.n = 0;
	l->section = read_file(file, &n);
	if (!l->section)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", file, strerror(errno));
	if (!hip_carried(l->section, n, &l->carried))
		return diag_error(d, NO_LOC, "wavesim hipcc: an object has a damaged section " HIP_CARRIED);
	find_missing(&l->carried, &l->missing, l->t->arena);
	return true;
}

static bool ask_for_more(Linking *l)
{
	HashSet known = {0};
	u32 before = l->asked.n;
	for (u32 i = 0; i < l->asked.n; i++)
		hash_set_add(&known, hash_text(l->asked.v[i]));
	for (u32 i = 0; i < l->missing.names.n; i++)
		if (hash_set_add(&known, hash_text(l->missing.names.v[i])))
			array_push(&l->asked, l->missing.names.v[i]);
	hash_set_free(&known);
	return l->asked.n > before;
}

/* Link until no archive has more of what is missing. *linked: false where that fails, or where no object has device
 * code; what the linker says then comes with the last link. */
static bool collect(Linking *l, bool *linked, Diag *d)
{
	const char *program = in_folder(l->t, "first"), *file = in_folder(l->t, "device");
	Diag quiet;
	diag_init(&quiet);
	bool ok = true;
	do {
		ok = make_object(l, NULL, d);
		*linked =
		    ok && link_host(l, program, in_folder(l->t, "first.log"), &quiet) && hip_file_carries(program);
		ok = ok && (!*linked || (take_section(l, program, file, d) && read_section(l, file, d)));
	} while (ok && *linked && ask_for_more(l));
	diag_free(&quiet);
	return ok;
}

/* As C++ writes it; as it is where there is no c++filt. */
static const char *readable(const HipTools *t, const char *name)
{
	HipWords words = {0};
	Diag quiet;
	size_t n;
	const char *log = in_folder(t, "names");
	diag_init(&quiet);
	hip_words(&words, (const char *const[]){"c++filt", name, NULL});
	char *text = hip_tool_logged(t, &words, log, &quiet) ? read_file(log, &n) : NULL;
	if (text)
		name = arena_strndup(t->arena, text, strcspn(text, "\n"));
	free(text);
	array_free(&words);
	diag_free(&quiet);
	return name;
}

static bool say_missing(const HipTools *t, const Missing *m, const char *hint, Diag *d)
{
	for (u32 i = 0; i < m->names.n; i++)
		diag_error(d, NO_LOC, "%s uses '%s' on the device, which no file defines", m->by.v[i],
		           readable(t, m->names.v[i]));
	return diag_hint(d, "%s", hint);
}

/* Of "ld: b.o:b.hip:(.wavesim.device+0x0)" b.hip. NULL: it is about another section. */
static const char *file_in(const char *line, size_t n, Arena *a)
{
	static const char section[] = ":(" HIP_CARRIED;
	const char *end = memmem(line, n, section, sizeof section - 1), *s = end;
	while (s && s > line && s[-1] != ':' && s[-1] != ' ')
		s--;
	return s ? arena_strndup(a, s, (size_t)(end - s)) : NULL;
}

/* A line of the linker's: is it about two definitions? */
static bool say_twice_in(const char *line, size_t n, Arena *a, Diag *d)
{
	static const char twice[] = "multiple definition of `";
	static const char *const marks[] = {" [clone .device]", ".device"}; /* of hip_carry.c's symbols */
	const char *at = memmem(line, n, twice, sizeof twice - 1);
	if (!at)
		return false;
	const char *name = at + sizeof twice - 1;
	const char *end = memchr(name, '\'', (size_t)(line + n - name));
	const char *one = file_in(line, (size_t)(at - line), a);
	const char *two = end ? file_in(end, (size_t)(line + n - end), a) : NULL;
	if (!one || !two)
		return false;
	size_t length = (size_t)(end - name);
	for (u32 i = 0; i < COUNT(marks); i++) {
		size_t k = strlen(marks[i]);
		length -= length > k && !memcmp(name + length - k, marks[i], k) ? k : 0;
	}
	return !diag_error(d, NO_LOC, "%s and %s both define '%.*s' for the device", two, one, (int)length, name);
}

/* False: the log of a link says nothing of two definitions for the device. */
static bool say_twice(const Linking *l, const char *log, Diag *d)
{
	size_t n;
	bool said = false;
	char *text = read_file(log, &n);
	for (const char *line = text; line && *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		said |= say_twice_in(line, n, l->t->arena, d);
	}
	free(text);
	if (said)
		diag_hint(d, "leave one of them out, or make it `static` or `inline`");
	return said;
}

bool hip_has_all(const HipTools *t, const HipCarriedList *carried, const char *hint, Diag *d)
{
	Missing m = {0};
	find_missing(carried, &m, t->arena);
	bool all = !m.names.n || say_missing(t, &m, hint, d);
	array_free(&m.names);
	array_free(&m.by);
	return all;
}

/* ---- the device's link ---- */

/* Clang 15 links into what it compiles, not into bitcode: a file with nothing in it. */
bool hip_link_bitcode(const HipTools *t, const HipWords *files, const char *out, Diag *d)
{
	const char *nothing = arena_printf(t->arena, "%s/nothing.c", t->folder);
	HipWords words = {0};
	hip_words(&words, (const char *const[]){t->clang, "-target", "amdgcn-amd-amdhsa", "-nogpulib",
	                                        "-fno-discard-value-names", "-emit-llvm", "-c", "-Xclang",
	                                        "-disable-llvm-passes", "-o", out, nothing, NULL});
	for (u32 i = 0; i < files->n; i++)
		hip_words(&words,
		          (const char *const[]){"-Xclang", "-mlink-bitcode-file", "-Xclang", files->v[i], NULL});
	bool ok = hip_write(nothing, "", 0, d) && hip_tool(t, &words, d);
	array_free(&words);
	return ok;
}

static const char *bitcode_of(const Linking *l, u32 i, const char *chip, Diag *d)
{
	const HipCarried *c = &l->carried.v[i];
	Bundle b = {0};
	bool has = bundle_read(c->bundle, c->nbundle, arena_strndup(l->t->arena, chip, strcspn(chip, ":")), &b) &&
	           b.bitcode && !strncmp(b.of, chip, strcspn(chip, ":")) && !b.of[strcspn(chip, ":")];
	array_free(&b.machine);
	if (!has) {
		diag_error(d, NO_LOC, "%s was compiled for %s, not for %s", c->source, c->chips, chip);
		diag_hint(d, "compile all files with the same --offload-arch");
		return NULL;
	}
	const char *file = arena_printf(l->t->arena, "%s/linked-%u.bc", l->t->folder, i);
	Buf bytes = {0};
	buf_write(&bytes, b.bitcode, b.n);
	bool ok = hip_write(file, bytes.v, bytes.n, d);
	array_free(&bytes);
	return ok ? file : NULL;
}

static bool link_chip(const Linking *l, const char *chip, HipBundle *bundle, Diag *d)
{
	HipWords files = {0};
	const char *out = in_folder(l->t, "linked.bc");
	bool ok = true;
	for (u32 i = 0; i < l->carried.n && ok; i++) {
		array_push(&files, bitcode_of(l, i, chip, d));
		ok = files.v[i] != NULL;
	}
	ok = ok && hip_link_bitcode(l->t, &files, out, d) && hip_bundle_add(bundle, chip, out, d);
	array_free(&files);
	return ok;
}

static bool has_word(const char *list, const char *word, Arena *a)
{
	for (const char *w; (w = next_word(&list, a));)
		if (!strcmp(w, word))
			return true;
	return false;
}

/* Those of the first that all others have, too. */
static void common_chips(const Linking *l, HipWords *out)
{
	Arena *a = l->t->arena;
	const char *list = l->carried.v[0].chips;
	for (const char *chip; (chip = next_word(&list, a));) {
		bool all = true;
		for (u32 i = 1; i < l->carried.n; i++)
			all &= has_word(l->carried.v[i].chips, chip, a);
		if (all)
			array_push(out, chip);
	}
	if (!out->n) { /* the error names who lacks it */
		list = l->carried.v[0].chips;
		array_push(out, next_word(&list, a));
	}
}

static bool link_device(const Linking *l, const HipWords *given, const char *fat, Diag *d)
{
	HipBundle bundle = {0};
	HipWords chips = {0};
	bool ok = true;
	for (u32 i = 0; i < given->n; i++)
		array_push(&chips, given->v[i]);
	if (!chips.n)
		common_chips(l, &chips);
	for (u32 i = 0; i < chips.n && ok; i++)
		ok = link_chip(l, chips.v[i], &bundle, d);
	ok = ok && hip_bundle_write(&bundle, fat, d);
	array_free(&chips);
	hip_bundle_free(&bundle);
	return ok;
}

static bool has_objcopy(const Linking *l, Diag *d)
{
	Diag quiet;
	HipWords words = {0};
	diag_init(&quiet);
	hip_words(&words, (const char *const[]){"objcopy", "--version", NULL});
	bool has = hip_tool_logged(l->t, &words, in_folder(l->t, "objcopy.log"), &quiet);
	if (!has) {
		diag_error(d, NO_LOC, "wavesim hipcc: linking device code of several files needs objcopy: %s",
		           quiet.msgs.v[0].text);
		diag_hint(d, "apt-get install binutils");
	}
	array_free(&words);
	diag_free(&quiet);
	return has;
}

bool hip_link(const HipTools *t, const HipWords *words, const HipWords *chips, const char *output, Diag *d)
{
	Linking l = {.t = t, .words = words};
	const char *fat = in_folder(t, "fat.hipfb");
	bool linked = false;
	bool ok = has_objcopy(&l, d) && collect(&l, &linked, d);
	if (ok && !linked) {
		ok = !say_twice(&l, in_folder(t, "first.log"), d) && link_host(&l, output, NULL, d);
	} else if (ok) {
		ok = hip_has_all(t, &l.carried,
		                 "name the source, object or archive that has it; all must be compiled with -fgpu-rdc",
		                 d) &&
		     link_device(&l, chips, fat, d) && make_object(&l, fat, d);
		ok = ok && link_host(&l, output, NULL, d) && take_section(&l, output, NULL, d);
	}
	free(l.section);
	array_free(&l.carried);
	array_free(&l.missing.names);
	array_free(&l.missing.by);
	array_free(&l.asked);
	return ok;
}
