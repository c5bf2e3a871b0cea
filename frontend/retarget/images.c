/* Images by texture units: see images.h. */
#include "frontend/retarget/images.h"

#include "frontend/retarget/amdlib.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

bool images_used(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (fe_image(LLVMGetValueName(f)))
			return true;
	return false;
}

static bool reads_or_writes(LLVMValueRef f)
{
	Mangled name = fe_mangled(LLVMGetValueName(f));
	return name.pocl && (mangled_begins(&name, "read_image") || mangled_begins(&name, "write_image"));
}

static const char *why_not(FeModule *m, LLVMValueRef f)
{
	if (!m->images)
		return "the chip has no units for images";
	if (!m->opencl)
		return "AMD's device library, which has its image instructions, is not used";
	return amdlib_has_image(m, LLVMGetValueName(f))
	           ? NULL
	           : "AMD's device library has no function for this kind of image and sampler";
}

/* A texture unit's function calls no other. */
static void inline_callees(LLVMValueRef f)
{
	llvm_each_instruction(f, i) {
		LLVMValueRef callee = llvm_callee(i);
		if (!callee || LLVMIsDeclaration(callee) || llvm_has_attribute(callee, "alwaysinline"))
			continue;
		llvm_inline_always(callee);
		inline_callees(callee);
	}
}

static void separate(FeModule *m, LLVMValueRef f)
{
	const char *name = arena_printf(m->arena, FE_IMAGE "%s", LLVMGetValueName(f));
	LLVMSetValueName2(f, name, strlen(name));
	LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute("alwaysinline"));
	llvm_add_attribute(f, ON_FUNCTION, "noinline");
	inline_callees(f);
}

void images_separate(FeModule *m)
{
	if (m->check)
		return;
	llvm_each_function(m->mod, f) {
		if (LLVMIsDeclaration(f) || LLVMGetSubprogram(f) || !LLVMGetFirstUse(f) || !reads_or_writes(f))
			continue;
		const char *why = why_not(m, f);
		Mangled name = fe_mangled(LLVMGetValueName(f));
		if (!why)
			separate(m, f);
		else
			m->images_missing = arena_printf(m->arena, "%.*s() is PoCL's software here, since %s",
			                                 (int)name.n, name.name, why);
	}
}
