/* Compiling one HIP source: the device's part for each chip as bitcode, in a fat binary, and the host's part with
 * it. */
#include "cli/hip_source.h"

#include "cli/hip_link.h"

#include "base/hash.h"

/* One source, while it is compiled. */
typedef struct Work {
	const HipTools *t;
	const HipHow *how;
	const char *source, *name; /* name: of files in the folder, without an ending */
	HipWords options;
	HipBundle bundle;
} Work;

/* What makes `static` variables and kernels of this file's device part others than those of another file, and the same
 * for both parts. */
static const char *identity(const HipHow *how, const char *source, Arena *a)
{
	char *path = realpath(source, NULL);
	u64 h = hash_text(path);
	free(path);
	for (u32 i = 0; i < how->options.n; i++)
		h = hash_mix(h + hash_text(how->options.v[i]));
	return arena_printf(a, "-cuid=%016llx", (unsigned long long)h);
}

static Work work_open(const HipTools *t, const HipHow *how, const char *source, u32 number)
{
	Work u = {.t = t, .how = how, .source = source};
	u.name = arena_printf(t->arena, "%s/%u", t->folder, number);
	hip_words_of(&u.options, &how->options, false);
	const char *id = identity(how, source, t->arena);
	if (how->rdc) /* one of the driver's own the device's part would get, and the host's not */
		hip_words(&u.options, (const char *const[]){"-fgpu-rdc", "--no-offload-new-driver", "-fuse-cuid=none",
		                                            "-Xclang", id, NULL});
	return u;
}

static void work_close(Work *u)
{
	array_free(&u->options);
	hip_bundle_free(&u->bundle);
}

static const char *bitcode_name(const Work *u, const char *chip)
{
	return arena_printf(u->t->arena, "%s-%s.bc", u->name, chip);
}

static const char *text_name(const Work *u, const char *chip)
{
	return arena_printf(u->t->arena, "%s-%s.ll", u->name, chip);
}

static bool compile_bitcode(const Work *u, const char *chip, Diag *d)
{
	const char *out = bitcode_name(u, chip);
	return hip_compile_device(u->t, u->source, chip, &u->options, out, d) &&
	       (!u->how->rdc || hip_name_statics(u->t, out, text_name(u, chip), d));
}

/* The device's part for each chip into one fat binary. */
static bool compile_device(Work *u, const char *fat, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < u->how->chips.n && ok; i++) {
		const char *chip = u->how->chips.v[i];
		ok = compile_bitcode(u, chip, d) && hip_bundle_add(&u->bundle, chip, bitcode_name(u, chip), d);
	}
	return ok && hip_bundle_write(&u->bundle, fat, d);
}

static bool compile_host(const Work *u, const char *const *how, const char *out, Diag *d)
{
	HipWords words = {0};
	hip_words_begin(u->t, &words, u->how->chips.v[0]);
	hip_words(&words, (const char *const[]){"--cuda-host-only", "-o", out, NULL});
	hip_words_of(&words, &u->options, false);
	hip_words(&words, how);
	hip_words(&words, (const char *const[]){"-x", "hip", u->source, NULL});
	bool ok = hip_tool(u->t, &words, d);
	array_free(&words);
	return ok;
}

static const char *join_words(const HipWords *words, Arena *a)
{
	Buf out = {0};
	for (u32 i = 0; i < words->n; i++)
		buf_printf(&out, "%s%s", i ? " " : "", words->v[i]);
	return buf_keep(&out, a);
}

/* -MD and -MMD write what an object depends on: its name is the object's, not the assembly's. */
static void depends(HipWords *words, const HipWords *options, const char *object, Arena *a)
{
	bool wanted = false, file = false, target = false;
	for (u32 i = 0; i < options->n; i++) {
		const char *w = options->v[i];
		wanted |= !strcmp(w, "-MD") || !strcmp(w, "-MMD");
		file |= !strncmp(w, "-MF", 3);
		target |= !strncmp(w, "-MT", 3) || !strncmp(w, "-MQ", 3);
	}
	const char *dot = strrchr(path_name(object), '.');
	int n = (int)(dot ? dot - object : (i64)strlen(object));
	if (wanted && !file)
		hip_words(words, (const char *const[]){"-MF", arena_printf(a, "%.*s.d", n, object), NULL});
	if (wanted && !target)
		hip_words(words, (const char *const[]){"-MQ", object, NULL});
}

/* -fgpu-rdc: the host's part as assembly, to which is added what the object carries. */
static bool compile_carrier(const Work *u, const char *fat, const char *object, Diag *d)
{
	const char *assembly = arena_printf(u->t->arena, "%s.s", u->name);
	const char *text = text_name(u, u->how->chips.v[0]);
	HipWords words = {0}, how = {0};
	size_t n;
	char *bytes = read_file(fat, &n);
	hip_words(&how, (const char *const[]){"-S", "-fno-lto", NULL});
	depends(&how, &u->options, object, u->t->arena);
	array_push(&how, NULL);
	HipCarried c = {.source = u->source,
	                .chips = join_words(&u->how->chips, u->t->arena),
	                .bundle = (const u8 *)bytes,
	                .nbundle = n};
	bool ok = bytes && compile_host(u, how.v, assembly, d) &&
	          hip_carry(u->t, &c, text, assembly, d);
	hip_words(&words, (const char *const[]){u->t->clang, "-Wa,--no-warn", "-c", assembly, "-o", object, NULL});
	ok = ok && hip_tool(u->t, &words, d);
	array_free(&words);
	array_free(&how);
	free(bytes);
	return ok;
}

bool hip_compile_object(const HipTools *t, const HipHow *how, const char *source, u32 number, const char *object,
                        Diag *d)
{
	Work u = work_open(t, how, source, number);
	const char *fat = arena_printf(t->arena, "%s.hipfb", u.name);
	const char *const with_fat[] = {"-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fat, NULL};
	bool ok = compile_device(&u, fat, d) &&
	          (how->rdc ? compile_carrier(&u, fat, object, d) : compile_host(&u, with_fat, object, d));
	work_close(&u);
	return ok;
}

bool hip_compile_module(const HipTools *t, const HipHow *how, const char *source, u32 number, const char *out, Diag *d)
{
	Work u = work_open(t, how, source, number);
	bool ok = compile_device(&u, out, d);
	work_close(&u);
	return ok;
}

static bool compile_parts(const HipTools *t, const HipHow *how, const HipWords *sources, const char *chip,
                          HipWords *files, Diag *d)
{
	HipCarriedList parts = {0};
	bool ok = true;
	for (u32 i = 0; i < sources->n && ok; i++) {
		Work u = work_open(t, how, sources->v[i], i);
		HipCarried part = {.source = u.source};
		array_push(files, bitcode_name(&u, chip));
		ok = compile_bitcode(&u, chip, d) && hip_names(t, text_name(&u, chip), &part, d);
		array_push(&parts, part);
		work_close(&u);
	}
	ok = ok && hip_has_all(t, &parts, "name the source that has it, too: a module is made of sources alone", d);
	array_free(&parts);
	return ok;
}

bool hip_compile_joined(const HipTools *t, const HipHow *how, const HipWords *sources, const char *out, Diag *d)
{
	HipBundle bundle = {0};
	bool ok = true;
	for (u32 i = 0; i < how->chips.n && ok; i++) {
		HipWords files = {0};
		const char *chip = how->chips.v[i], *file = arena_printf(t->arena, "%s/joined.bc", t->folder);
		ok = compile_parts(t, how, sources, chip, &files, d) && hip_link_bitcode(t, &files, file, d) &&
		     hip_bundle_add(&bundle, chip, file, d);
		array_free(&files);
	}
	ok = ok && hip_bundle_write(&bundle, out, d);
	hip_bundle_free(&bundle);
	return ok;
}
