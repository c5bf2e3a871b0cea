#include "frontend/lowering.h"

bool lo_x86(Lower *l, LLVMValueRef v, const char *name)
{
	(void)l; (void)v; (void)name;
	return false;
}
