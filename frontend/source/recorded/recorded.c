/* A program as its host program built it, out of a launch file: from its sources, from SPIR-V, from the bitcode of
 * HIP's, or of a binary of PoCL's its bitcode. */
#include "frontend/source/pocl/pocl.h"
#include "isa/spirv.h"

bool input_recorded(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	const SrcProgram *src = o->src;
	if (src->nunits) {
		s->text = xstrdup(src->units[0].source);
		return pocl_build(o, s, d);
	}
	if (is_spirv(src->binary, src->nbinary)) {
		s->bitcode = memcpy(xmalloc(src->nbinary), src->binary, src->nbinary);
		s->size = src->nbinary;
		return input_spirv(o, built, s, d);
	}
	if (source_is_hip(src)) {
		s->foreign = !src->own;
		s->bitcode = memcpy(xmalloc(src->nbinary), src->binary, src->nbinary);
		s->size = src->nbinary;
		return true;
	}
	u64 n;
	const u8 *bitcode = src->nbinary ? pocl_binary_bitcode(src->binary, src->nbinary, &n) : NULL;
	if (!bitcode)
		return diag_error(d, (Loc){.file = o->path}, "there is no source of this program: %s",
		                  src->missing ? src->missing : "its binary is not one of PoCL's");
	s->foreign = true;
	s->bitcode = memcpy(xmalloc(n), bitcode, n);
	s->size = n;
	return true;
}
