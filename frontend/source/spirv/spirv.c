/* SPIR-V -> bitcode for SPIR, by the translator that belongs to our LLVM, in a child. */
#include "frontend/source/tool.h"

#include "frontend/packages.h"
#include "isa/spirv.h"

#include <unistd.h>

static bool translate(const Tool *t, const FeOptions *o, Source *s, Diag *d)
{
	Loc at = {.file = o->path};
	ToolEnd e;
	bool ok = tool_run(t, s->bitcode, s->size, &e, d);
	if (ok && (e.end.timed_out || e.end.signal || e.end.code || !e.size)) {
		ok = tool_failed(t, &e, at, d);
		if (tool_crashed(&e))
			diag_hint(d, "the file may be damaged: `spirv-val` (package spirv-tools) says whether it is");
	} else if (ok) {
		tool_end_take(&e, s);
	}
	made_of_text(&s->made_of, made_of_names(&e.made_of));
	tool_end_free(&e);
	return ok;
}

bool input_spirv(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	static const char *const words[] = {LLVM_SPIRV, "-r", "/dev/stdin", "-o", "-", NULL};
	Tool t = {.path = LLVM_SPIRV, .name = "llvm-spirv", .does = "reads SPIR-V", .folder = ""};
	s->foreign = true;
	if (built && built->bytes) {
		free(s->bitcode);
		s->bitcode = memcpy(xmalloc(built->n + 1), built->bytes, built->n);
		s->size = built->n;
		return true;
	}
	if (!is_spirv(s->bitcode, s->size)) {
		diag_error(d, (Loc){.file = o->path}, "this is not SPIR-V: it does not begin as a module does");
		return diag_hint(d, "`llvm-spirv program.bc -o program.spv` writes one, of clang's bitcode for spir64");
	}
	if (access(LLVM_SPIRV, X_OK)) {
		diag_error(d, NO_LOC, "SPIR-V is read by llvm-spirv " LLVM_MAJOR ", which is not installed");
		return diag_hint(d, INSTALL_SPIRV);
	}
	for (u32 i = 0; i < COUNT(words); i++)
		array_push(&t.words, words[i]);
	bool ok = translate(&t, o, s, d);
	array_free(&t.words);
	return ok;
}
