/* AMD's device library: finding it, adapters, linking. */
#include "frontend/retarget/amdlib.h"

#include "frontend/module/library_part.h"
#include "frontend/module/mangled.h"
#include "frontend/packages.h"
#include "frontend/retarget/nvidia.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

#include <math.h>
#include <unistd.h>

/* ---- the files ---- */

/* Where distributions and ROCm itself keep the bitcode. */
static const char *const places[] = {
	"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode",
	"/usr/lib64/amdgcn/bitcode", "/usr/share/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode",
};

static const char *library_path(Arena *a, const char *folder, const char *file)
{
	return arena_printf(a, "%s/%s.bc", folder, file);
}

/* Where clang keeps what belongs to its version. LLVM reads bitcode of its own version and of older ones. */
static const char *const clang_places[] = {
	"/usr/lib/llvm-%u/lib/clang/%u/amdgcn/bitcode", "/usr/lib/clang/%u/amdgcn/bitcode",
	"/opt/rocm/lib/llvm/lib/clang/%u/amdgcn/bitcode",
};
enum { OLDEST_CLANG = 15, FIRST_V5 = 18 };

static bool is_there(Arena *a, const char *folder, MadeOf *tried)
{
	const char *path = library_path(a, folder, "opencl");
	if (tried)
		made_of(tried, path);
	return !access(path, R_OK);
}

const char *amdlib_folder(Arena *a, MadeOf *tried)
{
	for (u32 version = llvm_version(); version >= OLDEST_CLANG; version--)
		for (u32 i = 0; i < COUNT(clang_places); i++) {
			const char *place = arena_printf(a, clang_places[i], version, version);
			if (is_there(a, place, tried))
				return place;
		}
	for (u32 i = 0; i < COUNT(places); i++)
		if (is_there(a, places[i], tried))
			return places[i];
	return NULL;
}

/* ---- names ---- */

/* AMD's mangled name of a function of PoCL's library, or NULL; images: of those, too. generic: pointers of any
 * address space become flat ones, the only kind that C11 atomics have. */
static const char *amd_name(FeModule *m, const char *name, bool images, bool generic)
{
	static const struct { const char *pocl, *amd; } spaces[] = {
		{"U8CLglobal", "U3AS1"}, {"U7CLlocal", "U3AS3"}, {"U10CLconstant", "U3AS4"},
		{"U9CLprivate", "U3AS5"}, {"U9CLgeneric", "U3AS0"},
	};
	Mangled f = fe_mangled(name);
	bool convert = mangled_begins(&f, "convert_"); /* has no prefix there */
	if ((!f.pocl && !convert) || (strstr(f.params, "ocl_") && !images && !fe_is_runtime(name)))
		return NULL;
	Buf b = {0};
	buf_printf(&b, "_Z%u%.*s", f.n, (int)f.n, f.name);
	for (const char *p = f.params; *p;) {
		u32 i = 0;
		while (i < COUNT(spaces) && strncmp(p, spaces[i].pocl, strlen(spaces[i].pocl)) != 0)
			i++;
		if (i < COUNT(spaces)) {
			buf_printf(&b, "%s", generic ? "U3AS0" : spaces[i].amd);
			p += strlen(spaces[i].pocl);
		} else {
			buf_write(&b, p++, 1);
		}
	}
	return buf_keep(&b, m->arena);
}

/* ---- opening it ---- */

/* What a program may want of a library: by its names, and by AMD's of PoCL's and of images' functions. */
static void want(FeModule *m, LibraryPart *part)
{
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f), *image = fe_image(name);
		if (LLVMGetIntrinsicID(f) || (!image && LLVMGetSubprogram(f) && !LLVMIsDeclaration(f)))
			continue; /* LLVM's, or the program's own */
		library_part_add(part, m->arena, name);
		for (u32 generic = 0; generic < 2; generic++) {
			const char *amd = amd_name(m, image ? image : name, true, generic);
			if (amd)
				library_part_add(part, m->arena, amd);
		}
	}
}

/* The part of it that the program may want. NULL, with the reason in builtins_missing. */
static LLVMModuleRef library_open(FeModule *m, const char *file)
{
	const char *path = library_path(m->arena, m->amd_library, file);
	LibraryPart part = {0};
	char *why;
	made_of(&m->made_of, path);
	want(m, &part);
	LLVMModuleRef module = library_part_open(&part, m->ctx, path, &why);
	if (!module)
		m->builtins_missing = why ? arena_printf(m->arena, "AMD's device library: %s: %s", path, why)
		                          : arena_printf(m->arena, "AMD's device library: LLVM cannot read %s", path);
	LLVMDisposeMessage(why);
	library_part_free(&part);
	return module;
}

/* Functions of one body have it under one name, and aliases. */
static LLVMValueRef find_function(FeModule *m, LLVMModuleRef library, const char *name, bool images)
{
	for (u32 generic = 0; generic < 2; generic++) {
		const char *amd = amd_name(m, name, images, generic);
		LLVMValueRef f = amd ? llvm_function_named(library, amd) : NULL;
		if (f && !LLVMIsDeclaration(f))
			return f;
	}
	return NULL;
}

static LLVMValueRef amd_function(FeModule *m, LLVMModuleRef library, const char *name)
{
	return find_function(m, library, name, false);
}

bool amdlib_has_image(FeModule *m, const char *symbol) { return find_function(m, m->opencl, symbol, true) != NULL; }

/* ---- adapters ---- */

static bool is_pointer(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMPointerTypeKind; }

static u64 type_bits(const FeModule *m, LLVMTypeRef t)
{
	return LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(m->mod), t);
}

/* Can a value of type from carry one of type to? By address it always can. */
static bool carries(const FeModule *m, LLVMTypeRef from, LLVMTypeRef to)
{
	if (is_pointer(to) || is_pointer(from))
		return is_pointer(from);
	return type_bits(m, from) >= type_bits(m, to);
}

static LLVMValueRef through_memory(const FeModule *m, LLVMBuilderRef b, LLVMValueRef v,
                                   LLVMTypeRef to)
{
	LLVMTypeRef from = LLVMTypeOf(v), room = type_bits(m, from) > type_bits(m, to) ? from : to;
	LLVMValueRef place = LLVMBuildAlloca(b, room, "");
	LLVMSetAlignment(LLVMBuildStore(b, v, place), 1);
	LLVMValueRef r = LLVMBuildLoad2(b, to, place, "");
	LLVMSetAlignment(r, 1);
	return r;
}

static LLVMValueRef convert(const FeModule *m, LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef to)
{
	LLVMTypeRef from = LLVMTypeOf(v);
	if (from == to)
		return v;
	if (is_pointer(to))
		return LLVMBuildAddrSpaceCast(b, v, to, "");
	if (is_pointer(from)) {
		LLVMValueRef r = LLVMBuildLoad2(b, to, v, "");
		LLVMSetAlignment(r, 8); /* x86 passes no argument in memory with less */
		return r;
	}
	if (type_bits(m, from) == type_bits(m, to))
		return LLVMBuildBitCast(b, v, to, "");
	return through_memory(m, b, v, to);
}

/* The result comes by address (sret) or as itself. */
static bool fits(const FeModule *m, LLVMValueRef pocl, LLVMTypeRef amd, bool *by_address)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(pocl), want = LLVMGetReturnType(amd);
	LLVMTypeRef have = LLVMGetReturnType(type), params[16];
	u32 n = LLVMCountParamTypes(amd);
	*by_address = LLVMGetTypeKind(have) == LLVMVoidTypeKind &&
	              LLVMGetTypeKind(want) != LLVMVoidTypeKind;
	if (n > COUNT(params) || LLVMCountParams(pocl) != n + *by_address)
		return false;
	if (!*by_address && have != want &&
	    (is_pointer(have) != is_pointer(want) || type_bits(m, have) < type_bits(m, want)))
		return false;
	LLVMGetParamTypes(amd, params);
	for (u32 i = 0; i < n; i++)
		if (!carries(m, LLVMTypeOf(LLVMGetParam(pocl, i + *by_address)), params[i]))
			return false;
	return true;
}

bool amdlib_adapter(FeModule *m, LLVMValueRef pocl, LLVMValueRef library_function)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(library_function), params[16];
	bool by_address;
	if (!fits(m, pocl, type, &by_address))
		return false;
	const char *name = arena_strdup(m->arena, LLVMGetValueName(pocl));
	const char *amd_name = LLVMGetValueName(library_function);
	LLVMValueRef amd = LLVMGetNamedFunction(m->mod, amd_name);
	if (!amd)
		amd = LLVMAddFunction(m->mod, amd_name, type);
	LLVMSetValueName2(pocl, "", 0);
	LLVMValueRef f = LLVMAddFunction(m->mod, name, LLVMGlobalGetValueType(pocl));
	llvm_add_attribute(f, ON_FUNCTION, "alwaysinline");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->ctx, f, ""));
	LLVMGetParamTypes(type, params);
	LLVMValueRef args[16];
	u32 n = LLVMCountParamTypes(type);
	for (u32 i = 0; i < n; i++)
		args[i] = convert(m, b, LLVMGetParam(f, i + by_address), params[i]);
	LLVMValueRef r = LLVMBuildCall2(b, type, amd, args, n, "");
	if (by_address)
		LLVMSetAlignment(LLVMBuildStore(b, r, LLVMGetParam(f, 0)), 8);
	if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(b);
	else
		LLVMBuildRet(b, convert(m, b, r, LLVMGetReturnType(LLVMGlobalGetValueType(f))));
	LLVMDisposeBuilder(b);
	LLVMReplaceAllUsesWith(pocl, f);
	LLVMSetLinkage(pocl, LLVMIsDeclaration(pocl) ? LLVMExternalLinkage : LLVMInternalLinkage);
	return true;
}

/* ---- which results may be others than PoCL's ---- */

typedef struct UlpRow {
	const char *name; /* one that ends in '_': of all names that begin so */
	double f32, f64;
} UlpRow;
static const UlpRow ulp_rows[] = {
#define ULP(name, f32, f64) {name, f32, f64},
#define OPEN(name, params)
#define CANCELS(name)
#include "frontend/retarget/ulp.def"
};

bool amdlib_open(const Mangled *m)
{
	static const struct { const char *name, *params; } rows[] = {
#define ULP(name, f32, f64)
#define OPEN(name, params) {name, params},
#define CANCELS(name)
#include "frontend/retarget/ulp.def"
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (mangled_begins(m, rows[i].name) && strpbrk(m->params, rows[i].params))
			return true;
	return false;
}

static const UlpRow *ulp_row(const char *name, size_t n)
{
	for (u32 i = 0; i < COUNT(ulp_rows); i++) {
		size_t k = strlen(ulp_rows[i].name);
		if (!strncmp(name, ulp_rows[i].name, k) && (k == n || ulp_rows[i].name[k - 1] == '_'))
			return &ulp_rows[i];
	}
	return NULL;
}

bool amdlib_inexact(const Mangled *m, double *f32, double *f64)
{
	const UlpRow *r = m->pocl ? ulp_row(m->name, m->n) : NULL;
	*f32 = r ? r->f32 : 0;
	*f64 = r ? r->f64 : 0;
	return r;
}

bool amdlib_cancels(const Mangled *m)
{
	static const char *const names[] = {
#define ULP(name, f32, f64)
#define OPEN(name, params)
#define CANCELS(name) name,
#include "frontend/retarget/ulp.def"
	};
	bool any = false;
	for (u32 i = 0; i < COUNT(names); i++)
		any |= mangled_is(m, names[i]);
	return any;
}

/* Is PoCL's function kept? */
static bool keeps(const FeModule *m, const char *symbol)
{
	Mangled name = fe_mangled(symbol);
	bool open = name.pocl && amdlib_open(&name), inexact = name.pocl && ulp_row(name.name, name.n);
	return (open && m->builtins != BUILTINS_AMD) ||
	       (inexact && m->builtins != BUILTINS_AMD && m->builtins != BUILTINS_DEFINED);
}

/* Work-item functions have no prefix in PoCL's library: AMD's take their names, but on VLIW chips, which its
 * library is not for. Its linear id within a group is wrong in a smaller last group: it takes the enqueued size. */
static bool is_work_item(FeModule *m, LLVMValueRef f)
{
	Mangled name = fe_mangled(LLVMGetValueName(f));
	LLVMValueRef amd = LLVMGetNamedFunction(m->opencl, LLVMGetValueName(f));
	return !m->vliw && !name.pocl && mangled_begins(&name, "get_") &&
	       !mangled_begins(&name, "get_local_linear_id") &&
	       (!strcmp(name.params, "j") || !strcmp(name.params, "v")) && amd &&
	       LLVMGlobalGetValueType(amd) == LLVMGlobalGetValueType(f) && !LLVMGetSubprogram(f);
}

static void take_name(FeModule *m, LLVMValueRef pocl)
{
	const char *name = arena_strdup(m->arena, LLVMGetValueName(pocl));
	LLVMSetValueName2(pocl, "", 0);
	LLVMReplaceAllUsesWith(pocl, LLVMAddFunction(m->mod, name, LLVMGlobalGetValueType(pocl)));
	LLVMSetLinkage(pocl, LLVMInternalLinkage); /* unused: prune() drops it */
}

void amdlib_adapt(FeModule *m)
{
	if (m->builtins == BUILTINS_POCL)
		return;
	m->amd_library = m->amd_library ? m->amd_library : amdlib_folder(m->arena, &m->made_of);
	if (!m->amd_library) {
		m->builtins_missing = "AMD's device library is not installed: " INSTALL_DEVICE_LIBRARY;
		m->builtins = BUILTINS_POCL;
		return;
	}
	m->opencl = library_open(m, "opencl");
	if (!m->opencl) {
		m->builtins = BUILTINS_POCL;
		return;
	}
	ARRAY(LLVMValueRef) found = {0};
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && !LLVMGetSubprogram(f) && !keeps(m, LLVMGetValueName(f)) &&
		    (is_work_item(m, f) || amd_function(m, m->opencl, LLVMGetValueName(f))))
			array_push(&found, f);
	for (u32 i = 0; i < found.n; i++) {
		if (is_work_item(m, found.v[i]))
			take_name(m, found.v[i]);
		else
			amdlib_adapter(m, found.v[i], amd_function(m, m->opencl, LLVMGetValueName(found.v[i])));
	}
	m->v5 = llvm_version() >= FIRST_V5 && !m->vliw;
	array_free(&found);
}

bool amdlib_adapt_images(FeModule *m)
{
	m->opencl = m->amd_library ? library_open(m, "opencl") : NULL;
	if (!m->opencl)
		return false;
	ARRAY(LLVMValueRef) found = {0};
	llvm_each_function(m->mod, f)
		if (fe_image(LLVMGetValueName(f)))
			array_push(&found, f);
	for (u32 i = 0; i < found.n; i++) {
		LLVMValueRef amd = find_function(m, m->opencl, fe_image(LLVMGetValueName(found.v[i])), true);
		if (amd)
			amdlib_adapter(m, found.v[i], amd);
	}
	array_free(&found);
	return true;
}

/* ---- linking ---- */

static bool uses(const FeModule *m, const char *prefix)
{
	llvm_each_function(m->mod, f)
		if (LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName(f), prefix, strlen(prefix)))
			return true;
	return false;
}

/* A function that the program itself has, or that is another one there (printf, or what the machine runs by itself), is
 * kept separate from the library's of that name. */
static void keep_ours(const FeModule *m, LLVMModuleRef library)
{
	llvm_each_function(m->mod, ours) {
		const char *name = LLVMGetValueName(ours);
		LLVMValueRef f = llvm_function_named(library, name);
		if (f && !LLVMGetIntrinsicID(ours) &&
		    (!LLVMIsDeclaration(ours) || (m->device && fe_is_runtime(name)) ||
		     LLVMGlobalGetValueType(ours) != LLVMGlobalGetValueType(f)))
			LLVMSetValueName2(f, "", 0);
	}
}

static bool link_library(FeModule *m, LLVMModuleRef library, const char *file, Diag *d)
{
	keep_ours(m, library);
	LLVMSetDataLayout(library, LLVMGetDataLayoutStr(m->mod));
	LLVMSetTarget(library, LLVMGetTarget(m->mod));
	if (!LLVMLinkModules2(m->mod, library)) /* frees library */
		return true;
	return diag_error(d, NO_LOC, "LLVM cannot link AMD's device library %s.bc: %s", file,
	                  m->llvm_message ? m->llvm_message : "no reason given");
}

/* "gfx90a" -> 9010: major, minor, and a stepping in hexadecimal. */
static u32 isa_version(const char *cpu)
{
	size_t n = strlen(cpu);
	if (n < 6)
		return 0;
	char minor[] = {cpu[n - 2], 0}, step[] = {cpu[n - 1], 0};
	return (u32)strtoul(cpu + 3, NULL, 10) / (step[0] > '9' ? 10 : 100) * 1000 +
	       (u32)strtoul(minor, NULL, 16) * 100 + (u32)strtoul(step, NULL, 16);
}

/* The library reads how it shall compute from constants; clang sets them by its options. */
static void set_switches(FeModule *m)
{
	bool relaxed = fe_build_option(m, "-cl-fast-relaxed-math");
	const struct { const char *name; u32 value; } switches[] = {
		{"__oclc_ISA_version", isa_version(m->cpu)},
		{"__oclc_ABI_version", m->v5 ? 500 : 400},
		{"__oclc_wavefrontsize64", m->chip_wave == 64},
		{"__oclc_wavefrontsize_log2", m->chip_wave == 64 ? 6 : 5},
		{"__oclc_daz_opt", m->flush_f32},
		{"__oclc_unsafe_math_opt", relaxed || fe_build_option(m, "-cl-unsafe-math-optimizations")},
		{"__oclc_finite_only_opt", relaxed || fe_build_option(m, "-cl-finite-math-only")},
		{"__oclc_correctly_rounded_sqrt32",
		 fe_build_option(m, "-cl-fp32-correctly-rounded-divide-sqrt")},
	};
	for (u32 i = 0; i < COUNT(switches); i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(m->mod, switches[i].name);
		if (!g)
			continue;
		LLVMSetInitializer(g, LLVMConstInt(LLVMGlobalGetValueType(g), switches[i].value, 0));
		LLVMSetLinkage(g, LLVMInternalLinkage);
		LLVMSetVisibility(g, LLVMDefaultVisibility);
	}
}

static bool is_address(LLVMValueRef v)
{
	return LLVMIsAPtrToIntInst(v) ||
	       (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt);
}

/* Is it a difference of addresses, which is the same wherever they lie? */
static bool is_distance(LLVMValueRef v)
{
	return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMSub && is_address(LLVMGetOperand(v, 0)) &&
	       is_address(LLVMGetOperand(v, 1));
}

static bool of_source(LLVMValueRef f)
{
	return !LLVMIsDeclaration(f) && !fe_mangled(LLVMGetValueName(f)).pocl && LLVMGetSubprogram(f);
}

/* Clang widens vectors by components without a value, too, behind all of the others. */
bool amdlib_picks_unset(LLVMValueRef shuffle, int of)
{
	LLVMValueRef second = LLVMGetOperand(shuffle, 1);
	int n = (int)LLVMGetVectorSize(LLVMTypeOf(second));
	bool unset = false, in_place = true;
	for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
		int lane = LLVMGetMaskValue(shuffle, i);
		bool none = lane == LLVMGetUndefMaskElem() || (lane >= n && LLVMIsUndef(second));
		in_place &= none || lane == (int)i;
		unset |= none && (of < 0 || of == (int)i);
	}
	return unset && !in_place;
}

static bool uses_unset(LLVMValueRef f)
{
	bool any = false;
	if (of_source(f))
		llvm_each_instruction(f, i)
			any |= LLVMIsAShuffleVectorInst(i) && amdlib_picks_unset(i, -1);
	return any;
}

/* Does a function of the source make a number of an address? */
static bool makes_numbers(LLVMValueRef f)
{
	bool any = false;
	if (!of_source(f))
		return false;
	llvm_each_instruction(f, i)
		for (int k = 0; k < LLVMGetNumOperands(i) && !is_distance(i); k++)
			any |= is_address(LLVMGetOperand(i, (unsigned)k));
	return any;
}

/* The limit of a function of OpenCL's, or of the one of AMD's library with that name; NULL: it has none. */
static const UlpRow *limit_row(const FeModule *m, const char *name, size_t n, bool wide)
{
	static const char native[] = "native_";
	return !wide && nvidia_is_native(m, name, n) ? ulp_row(native, sizeof native - 1) : ulp_row(name, n);
}

/* Errors add where one result goes into the next function, so the limits of the different
 * functions do: each counts once. */
void amdlib_limits(FeModule *m)
{
	bool f32[COUNT(ulp_rows)] = {0}, f64[COUNT(ulp_rows)] = {0};
	llvm_each_function(m->mod, f) {
		Mangled name = fe_mangled(LLVMGetValueName(f));
		m->limits.open |= name.pocl && amdlib_open(&name);
		m->limits.addresses |= makes_numbers(f);
		m->limits.unset |= uses_unset(f);
		bool wide = name.pocl && strchr(name.params, 'd') != NULL;
		const UlpRow *r = name.pocl ? limit_row(m, name.name, name.n, wide) : NULL;
		if (!r)
			continue;
		u32 i = (u32)(r - ulp_rows);
		bool *seen = wide ? &f64[i] : &f32[i];
		if (!*seen)
			*(wide ? &m->limits.f64 : &m->limits.f32) += wide ? r->f64 : r->f32;
		*seen = true;
	}
}

void amdlib_device_limits(FeModule *m)
{
	static const char start[] = "__ocml_";
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f), *end = strrchr(name, '_');
		const UlpRow *r = NULL;
		bool wide = false, users = fe_is_users(m, f); /* HIP's headers do as they like with addresses */
		Mangled opencl = fe_mangled(name); /* of OpenCL C, for amdgcn or in SPIR */
		m->limits.addresses |= users && makes_numbers(f);
		m->limits.unset |= users && uses_unset(f);
		if (!LLVMGetFirstUse(f)) {
			continue;
		} else if (opencl.name && LLVMIsDeclaration(f)) {
			wide = strchr(opencl.params, 'd') != NULL;
			r = limit_row(m, opencl.name, opencl.n, wide);
		} else if (!strncmp(name, start, sizeof start - 1)) {
			name += sizeof start - 1;
			wide = !strcmp(end, "_f64");
			r = end > name ? limit_row(m, name, (size_t)(end - name), wide) : NULL;
		}
		if (r)
			*(wide ? &m->limits.f64 : &m->limits.f32) += wide ? r->f64 : r->f32;
	}
}

bool amdlib_find(FeModule *m, Diag *d)
{
	m->amd_library = m->amd_library ? m->amd_library : amdlib_folder(m->arena, &m->made_of);
	m->v5 = llvm_version() >= FIRST_V5;
	if (m->amd_library)
		return true;
	diag_error(d, (Loc){.file = m->user_path}, "this kernel needs AMD's device library, which is not installed");
	return diag_hint(d, INSTALL_DEVICE_LIBRARY);
}

/* Does it take radians? So does LLVM's own operation, and not the device's. */
static bool takes_radians(LLVMValueRef f)
{
	llvm_each_instruction(f, i)
		if (!strcmp(llvm_callee_name(i), "llvm.sin.f32"))
			return true;
	return false;
}

static bool is_scale(LLVMValueRef v)
{
	LLVMBool lost;
	return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMFMul &&
	       LLVMIsAConstantFP(LLVMGetOperand(v, 1)) &&
	       LLVMConstRealGetDouble(LLVMGetOperand(v, 1), &lost) == (double)0x1.45f306p-3f;
}

/* native_tan() of AMD's libraries (those of Debian 12 and 13) makes turns of its radians, although the sine and cosine
 * that it calls take radians: it is the tangent of x / (2 pi). What is meant is run and priced. */
static void mend_native_tan(FeModule *m)
{
	LLVMValueRef sine = LLVMGetNamedFunction(m->mod, "__ocml_native_sin_f32");
	if (!sine || !takes_radians(sine))
		return;
	llvm_each_function(m->mod, f) {
		Mangled name = fe_mangled(LLVMGetValueName(f));
		if (!name.name || !mangled_is(&name, "native_tan"))
			continue;
		llvm_each_instruction(f, i)
			if (is_scale(i))
				LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
	}
}

static bool is_nan(LLVMValueRef v)
{
	LLVMBool lost;
	return LLVMIsAConstantFP(v) && isnan(LLVMConstRealGetDouble(v, &lost));
}

/* sin() of a half in AMD's library 5.2 (Debian 12) is a NaN for all numbers, and none for infinities: its test for what
 * is finite has its arms exchanged. */
static void mend_half_sin(FeModule *m)
{
	enum { FINITE = 0x1f8, CLASSES = 0x3ff };
	static const char test[] = "llvm.amdgcn.class.f16";
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, "__ocml_sin_f16"), of_finite = NULL;
	bool exchanged = false;
	if (!f)
		return;
	llvm_each_instruction(f, i) {
		if (!strcmp(llvm_callee_name(i), test) && LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
		    LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) == FINITE)
			of_finite = i;
		exchanged |= LLVMGetInstructionOpcode(i) == LLVMSelect && is_nan(LLVMGetOperand(i, 1));
	}
	if (of_finite && exchanged)
		LLVMSetOperand(of_finite, 1, LLVMConstInt(LLVMInt32TypeInContext(m->ctx), CLASSES & ~FINITE, 0));
}

bool amdlib_link(FeModule *m, Diag *d)
{
	static const struct {
		const char *file, *prefix;
		bool below; /* NVIDIA's functions, which call it, come first */
	} more[] = {
		{"opencl", "_Z", false}, {"opencl", "__read_pipe_", false}, {"opencl", "__write_pipe_", false},
		{"opencl", "__get_pipe_", false}, {"hip", "__atomic_work_item_fence", false}, {"ocml", "__ocml_", true},
		{"ockl", "__ockl_", false},
	};
	if (m->builtins == BUILTINS_POCL)
		return true;
	u64 own = m->nvidia ? nvidia_own(m) : 0;
	LLVMModuleRef opencl = m->opencl;
	m->opencl = NULL;
	if (opencl && !link_library(m, opencl, "opencl", d))
		return false;
	for (u32 i = 0; i < COUNT(more); i++) {
		if (m->nvidia && more[i].below && !nvidia_functions(m, own, d))
			return false;
		if (!uses(m, more[i].prefix))
			continue;
		LLVMModuleRef library = library_open(m, more[i].file);
		if (!library)
			return diag_error(d, NO_LOC, "%s", m->builtins_missing);
		if (!link_library(m, library, more[i].file, d))
			return false;
	}
	llvm_resolve_aliases(m->mod);
	mend_native_tan(m);
	mend_half_sin(m);
	set_switches(m);
	return true;
}
