/* Bitcode that the user gives. Of unknown origin it may crash or hang LLVM: compile.c tries it in a child first. */
#include "frontend/source/source.h"

bool input_bitcode(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	(void)o, (void)built, (void)d;
	s->foreign = true;
	return true;
}
