/* The launch as options that reproduce it, quoted for a shell and for launch comments.
 * What is printed parses back to an equal launch; numbers that no text
 * can name, such as a NaN with a payload, are printed as bytes. */
#include "traces/launch/launch_impl.h"

void launch_print_quoted(const char *text, Buf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_./:=,+@%-";
	if (*text && !text[strspn(text, plain)]) {
		buf_printf(out, "%s", text);
		return;
	}
	buf_printf(out, "'");
	for (; *text; text++)
		buf_printf(out, *text == '\'' ? "'\\''" : "%c", *text);
	buf_printf(out, "'");
}

static void print_bytes(const u8 *p, u64 n, Buf *out)
{
	buf_printf(out, "bytes:");
	for (u64 i = 0; i < n; i++)
		buf_printf(out, "%02x", p[i]);
}

static bool padding_is_zero(const u8 *p, const ElemShape *s)
{
	for (u32 i = s->width * s->elem_bytes; i < s->stride; i++)
		if (p[i])
			return false;
	return true;
}

/* Components between commas; false when some cannot be written as numbers. */
static bool print_elements(const u8 *p, u64 n, const ElemShape *s, Buf *out)
{
	for (u64 e = 0; e < n; e++, p += s->stride) {
		if (!padding_is_zero(p, s))
			return false;
		for (u32 c = 0; c < s->width; c++) {
			buf_printf(out, "%s", e || c ? "," : "");
			if (!num_print(num_load(p + c * s->elem_bytes, s), s, out))
				return false;
		}
	}
	return true;
}

static void print_value(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	u32 start = out->n;
	bool is_struct = k->elem_class == ELEM_OTHER || !k->elem_bytes;
	if (!is_struct && a->size == a->shape.stride && print_elements(a->bytes, 1, &a->shape, out))
		return;
	out->n = start;
	print_bytes(a->bytes, a->size, out);
}

static void print_type(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	ElemShape usual = launch_arg_shape(k);
	if (a->shape.elem_class == usual.elem_class && a->shape.elem_bytes == usual.elem_bytes &&
	    a->shape.width == usual.width && a->shape.stride == usual.stride)
		return;
	buf_printf(out, "%s", launch_type_name(&a->shape));
	if (a->shape.width > 1)
		buf_printf(out, "%u", a->shape.width);
	buf_printf(out, ":");
}

static void print_data(const LaunchArg *a, Buf *out)
{
	u32 start = out->n;
	buf_printf(out, "[");
	if (print_elements(a->bytes, a->count, &a->shape, out)) {
		buf_printf(out, "]");
		return;
	}
	out->n = start;
	print_bytes(a->bytes, a->size, out);
}

static void print_fill(const LaunchArg *a, Buf *out)
{
	const ElemShape *s = &a->shape;
	bool same = true;
	for (u32 c = 1; c < s->width; c++)
		same = same && !memcmp(a->bytes, a->bytes + c * s->elem_bytes, s->elem_bytes);
	buf_printf(out, "fill:");
	for (u32 c = 0; c < (same ? 1 : s->width); c++) {
		buf_printf(out, "%s", c ? "," : "");
		num_print(num_load(a->bytes + c * s->elem_bytes, s), s, out);
	}
	buf_printf(out, ":%" PRIu64, a->count);
}

void launch_print_random(const LaunchArg *a, Buf *out)
{
	buf_printf(out, "random");
	if (!a->random_range)
		return;
	buf_printf(out, "(");
	num_print(a->num[0], &a->shape, out);
	buf_printf(out, ",");
	num_print(a->num[1], &a->shape, out);
	buf_printf(out, ")");
}

static void print_buffer(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	buf_printf(out, "%s%s", a->read_only ? "ro:" : "", a->write_only ? "wo:" : "");
	print_type(a, k, out);
	switch (a->init) {
	case INIT_ZERO: buf_printf(out, "zero:%" PRIu64, a->count); break;
	case INIT_IOTA: buf_printf(out, "iota:%" PRIu64, a->count); break;
	case INIT_NONE: buf_printf(out, "uninit:%" PRIu64, a->count); break;
	case INIT_FILL: print_fill(a, out); break;
	case INIT_DATA: print_data(a, out); break;
	case INIT_FILE: buf_printf(out, "%s@%s", file_form_prefix[a->path_form], a->path); break;
	case INIT_RANDOM:
		launch_print_random(a, out);
		buf_printf(out, ":%" PRIu64, a->count);
		break;
	case INIT_RANGE:
		buf_printf(out, "range");
		for (u32 i = 0; i < 3; i++) {
			buf_printf(out, ":");
			num_print(a->num[i], &a->shape, out);
		}
		break;
	}
}

static void print_pipe(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	LaunchArg contents = launch_pipe_contents(a);
	if (a->packets < a->count)
		buf_printf(out, "pipe:%" PRIu64 "%s", a->count, a->packets ? ":" : "");
	if (a->packets)
		print_buffer(&contents, k, out);
}

static void print_spec(const LaunchArg *a, const KernelArg *k, Buf *out)
{
	switch (a->kind) {
	case LAUNCH_UNSET: break;
	case LAUNCH_VALUE: print_value(a, k, out); break;
	case LAUNCH_BUFFER: (a->pipe ? print_pipe : print_buffer)(a, k, out); break;
	case LAUNCH_NULL: buf_printf(out, "null"); break;
	case LAUNCH_LOCAL:
		print_type(a, k, out);
		buf_printf(out, "local:%" PRIu64, a->count);
		break;
	case LAUNCH_IMAGE: launch_print_image(a, k, out); break;
	case LAUNCH_SAMPLER: launch_print_sampler(a, out); break;
	}
}

static void print_option(const char *name, const char *value, Buf *out)
{
	buf_printf(out, "%s%s ", out->n ? " " : "", name);
	launch_print_quoted(value, out);
}

void launch_print_sizes(const char *option, const u64 v[3], u32 dims, Buf *out)
{
	bool zero = false; /* an offset: 0x is how hexadecimal numbers begin */
	for (u32 i = 0; i + 1 < dims; i++)
		zero |= !v[i];
	buf_printf(out, "%s%s ", out->n ? " " : "", option);
	for (u32 i = 0; i < dims; i++)
		buf_printf(out, "%s%" PRIu64, !i ? "" : zero ? "," : "x", v[i]);
}

static bool wanted(LaunchPrint what, bool guessed)
{
	return what == PRINT_ALL || guessed == (what == PRINT_GUESSED);
}

static void print_args(const Launch *l, LaunchPrint what, Buf *out)
{
	for (u32 i = 0; i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		if (a->kind == LAUNCH_UNSET || !wanted(what, a->origin == FROM_GUESS || a->count_guessed))
			continue;
		Buf text = {0};
		buf_printf(&text, "%s=", l->kernel_args[i].name);
		if (a->object)
			buf_printf(&text, "recorded:%" PRIu64, a->count);
		else
			print_spec(a, &l->kernel_args[i], &text);
		print_option("--arg", text.v, out);
		array_free(&text);
	}
	for (u32 i = 0; what != PRINT_GUESSED && i < l->nargs; i++) {
		const LaunchArg *a = &l->args[i];
		if (!a->dump)
			continue;
		Buf text = {0};
		buf_printf(&text, "%s%s%s%s", l->kernel_args[i].name, a->dump_hex ? ":hex" : "",
			   a->dump_file ? "=" : "", a->dump_file ? a->dump_file : "");
		print_option("--dump", text.v, out);
		array_free(&text);
	}
}

static void print_build(const Launch *l, Buf *out)
{
	Buf text = {0};
	launch_build_options(l, &text);
	if (text.n)
		print_option("--build-options", text.v, out);
	array_free(&text);
}

/* How much is launched, as the language counts it. */
static void print_global(const Launch *l, Buf *out)
{
	const char *option = source_words[l->language].global;
	u64 groups[3];
	bool whole = true;
	launch_groups(l, groups);
	for (u32 i = 0; i < 3; i++)
		whole = whole && l->global[i] % l->local[i] == 0;
	bool in_groups = whole && !strcmp(option, "--grid");
	launch_print_sizes(in_groups ? option : "--global", in_groups ? groups : l->global, l->work_dim, out);
}

void launch_print_options(const Launch *l, LaunchPrint what, Buf *out)
{
	bool given = what != PRINT_GUESSED;
	Buf text = {0};
	buf_printf(&text, "%s", "");
	if (l->kernel && wanted(what, l->kernel_from == FROM_GUESS))
		print_option("--kernel", l->kernel, &text);
	if (wanted(what, l->global_from == FROM_GUESS))
		print_global(l, &text);
	if (wanted(what, l->local_from == FROM_GUESS))
		launch_print_sizes(source_words[l->language].local, l->local, l->work_dim, &text);
	if (given && (l->offset[0] || l->offset[1] || l->offset[2]))
		launch_print_sizes("--offset", l->offset, 3, &text);
	if (given && l->seed)
		buf_printf(&text, " --seed %" PRIu64, l->seed);
	if (given)
		print_build(l, &text);
	print_args(l, what, &text);
	buf_printf(out, "%s", text.v);
	array_free(&text);
}
