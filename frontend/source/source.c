/* The table of what comes in: see source.h. */
#include "frontend/source/source.h"

#include "frontend/input.h"

#include <errno.h>

static bool (*const make[INPUT_COUNT])(const FeOptions *, const FeBitcode *, Source *, Diag *) = {
#define INPUT(name, endings, text, own, language) [INPUT_##name] = input_##name,
#include "frontend/inputs.def"
};

static InputKind kind_of(const FeOptions *o)
{
	InputKind k = o->src ? INPUT_recorded : input_kind(o->path);
	return !make[k] || (o->source && !o->src && !inputs[k].text) ? INPUT_pocl : k;
}

static bool read_input(const FeOptions *o, bool text, Source *s, Diag *d)
{
	size_t n = 0;
	char *bytes = o->source ? xstrdup(o->source) : read_file(o->path, &n);
	if (!bytes)
		return diag_error(d, (Loc){.file = o->path}, "cannot read this file: %s", strerror(errno));
	if (!o->source)
		made_of(&s->made_of, o->path);
	s->text = text ? bytes : NULL;
	s->bitcode = text ? NULL : bytes;
	s->size = text ? 0 : n;
	if (text && !o->source && strlen(bytes) != n)
		return diag_error(d, (Loc){.file = o->path}, "this is not a text file");
	return true;
}

bool source_read(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	InputKind k = kind_of(o);
	*s = (Source){0};
	return (!inputs[k].endings || read_input(o, inputs[k].text, s, d)) && make[k](o, built, s, d);
}

FeBitcode source_bitcode(const Source *s)
{
	return (FeBitcode){(const u8 *)s->bitcode, s->size, s->library, s->target, s->refused, s->launches};
}

void source_free(Source *s)
{
	free(s->text);
	free(s->bitcode);
	free(s->library);
	free(s->target);
	free(s->refused);
	free(s->launches);
	made_of_free(&s->made_of);
	*s = (Source){0};
}
