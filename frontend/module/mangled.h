/* Names of functions as the compiler mangles them: _Z, the length, the name, its parameters' types. */
#ifndef WAVESIM_FRONTEND_MANGLED_H
#define WAVESIM_FRONTEND_MANGLED_H

#include "base/base.h"

typedef struct Mangled {
	const char *name;   /* n bytes of the symbol; NULL: it is not mangled */
	u32 n;
	bool pocl;          /* of PoCL's library, which puts POCL_PREFIX before the name: left out here */
	const char *params; /* what follows */
} Mangled;

/* What PoCL's macros put before the names of built-in functions. */
#define POCL_PREFIX "_cl_"

/* What a failed assertion calls: (text, file, line, function). */
#define FE_ASSERT "__assert_fail"
/* What is called before the loop of a copy of a work-group where it has a turn (retarget/copies.h), so that the code
 * generator's block there is known by its name; and what is called behind it. */
#define FE_COPIES "copies.begin"
#define FE_COPIED "copies.end"
/* A wait for copies, whose arguments are the events. */
#define FE_WAIT "copies.wait"

Mangled fe_mangled(const char *symbol);
/* The name in the source of a kernel, an argument or a variable that PoCL calls so: without _cl_, which its macros put
 * before the names of built-in functions. */
const char *fe_plain_name(const char *symbol);
/* Of a function as C++ declares it, "reduce<float>(float*, int)", where the parameters begin: at the parenthesis that
 * the last one closes. Its end: they are not said. */
const char *fe_parameters(const char *declared);
bool mangled_is(const Mangled *m, const char *name);
bool mangled_begins(const Mangled *m, const char *start);

/* Bytes of the type that a parameter "P…" points to; 0: not understood. Is it in global memory, in either spelling? */
u32 mangled_pointed(const char *parameter);
bool mangled_is_global(const char *parameter);

/* The name in the source, without what it is declared in, of a variable that clang calls so. */
const char *fe_variable_name(Arena *a, const char *symbol);

/* A function without a body that the lowering itself gives a meaning (printf, assertions, async copies, prefetch)? */
bool fe_is_runtime(const char *symbol);
/* async_work_group_copy or the strided one? */
bool fe_is_copy(const char *symbol);

/* What a function of PoCL's library that a texture unit does is called: this, and its name (retarget/images.h). */
#define FE_IMAGE "image."
/* That name; NULL: it is another function. */
const char *fe_image(const char *symbol);

/* What a function or intrinsic of AMD's devices is for that is not simulated, in words of the source. */
typedef struct FeAbsent {
	const char *start; /* of its name; behind '*': a part of it */
	const char *what, *instead;
	enum {
		ABSENT_DECLARED,
		ABSENT_IMAGE, /* in OpenCL C only where PoCL's compiler, whose images run, refuses the source */
		ABSENT_WITH_BODY, /* in AMD's library: still absent */
		ABSENT_OF_GROUPS, /* HIP's thread_group calls it for one kind of group (device_drop_unreached) */
	} how;
} FeAbsent;
const FeAbsent *fe_absent(const char *symbol);

#endif
