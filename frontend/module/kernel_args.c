/* What a kernel's arguments are: in OpenCL's own words, from the kernel_arg_* metadata, or in those of C++, from the
 * debug info; sizes of structs from the parameter's type, of pointed-to structs from the debug info (pointers are
 * opaque in the IR). */
#include "frontend/module/kernel_args.h"

#include "frontend/module/mangled.h"
#include "isa/arg_type.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>


/* ---- metadata access ---- */

static LLVMValueRef function_md(LLVMValueRef f, const char *kind)
{
	LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(f));
	u32 want = LLVMGetMDKindIDInContext(ctx, kind, (unsigned)strlen(kind));
	size_t n;
	LLVMValueMetadataEntry *e = LLVMGlobalCopyAllMetadata(f, &n);
	LLVMValueRef found = NULL;
	for (unsigned i = 0; i < n; i++)
		if (LLVMValueMetadataEntriesGetKind(e, i) == want)
			found = LLVMMetadataAsValue(ctx, LLVMValueMetadataEntriesGetMetadata(e, i));
	LLVMDisposeValueMetadataEntries(e);
	return found;
}

static const char *md_string(FeModule *m, LLVMValueRef node, u32 i)
{
	const char *text = llvm_operand_text(m->arena, node, i);
	return text ? text : "";
}

bool kernel_args_has_metadata(LLVMValueRef f) { return function_md(f, "kernel_arg_addr_space"); }

/* The kernel_arg_addr_space of argument i, in OpenCL's SPIR numbering:
 * private 0, global 1, constant 2, local 3. */
static u32 arg_space(LLVMValueRef f, u32 i)
{
	return llvm_operand_number(function_md(f, "kernel_arg_addr_space"), i);
}

/* The same of a pointer of amdgcn's. */
static u32 opencl_space(u32 space) { return space == SPACE_LDS ? 3 : space == SPACE_CONSTANT ? 2 : 1; }

/* ---- types by name ---- */

/* The shape of type or, when that is a typedef's name, of base. Pointers: of what
 * they point to. */
static bool shape(const char *type, const char *base, bool pointer, KernelArg *a)
{
	static const char atomic[] = "_Atomic(";
	const char *both[] = {type, base};
	for (u32 i = 0; i < 2; i++) {
		size_t n = strlen(both[i]);
		if (pointer && n && both[i][n - 1] == '*')
			n--;
		if (n > sizeof atomic && both[i][n - 1] == ')' && !strncmp(both[i], atomic, sizeof atomic - 1)) {
			both[i] += sizeof atomic - 1;
			n -= sizeof atomic;
		}
		if (n && both[i][n - 1] == '*') {
			*a = (KernelArg){.name = a->name, .type_name = a->type_name, .kind = a->kind,
			                 .is_const = a->is_const, .elem_class = ELEM_OTHER, .width = 1,
			                 .size = 8};
			return true;
		}
		if (arg_type_parse(both[i], n, a))
			return true;
	}
	a->elem_class = ELEM_OTHER;
	a->width = 1;
	return false;
}

/* The kernel's line, what is wrong with the argument, and what helps. */
static bool bad_arg(const FeModule *m, const KernelArg *a, const char *what, const char *hint, Diag *d)
{
	LLVMMetadataRef at = LLVMGetSubprogram(m->kernel);
	Loc loc = {.file = m->user_path, .line = at && m->user_text ? LLVMDISubprogramGetLine(at) : 0};
	diag_error(d, loc, "argument '%s' of kernel '%s' is a %s", a->name, m->kernel_name, what);
	if (loc.line)
		diag_source_line(d, m->user_text, loc.line);
	return diag_hint(d, "%s", hint);
}

static bool is_pointer(LLVMValueRef type)
{
	LLVMMetadataRef md = LLVMValueAsMetadata(type);
	return LLVMDITypeGetSizeInBits(md) == 64 && !LLVMDITypeGetLine(md) && !llvm_operand(type, TYPE_NAME);
}

static u64 part_offset(LLVMValueRef part)
{
	bool member = llvm_is_node(part, LLVMDIDerivedTypeMetadataKind);
	return member ? LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(part)) / 8 : 0;
}

/* Mark the floats of a type that begins at byte `at` of size: KernelArg.floats. False: there are none, or another type
 * lies there as well. */
static bool mark_floats(FeModule *m, LLVMValueRef type, u64 at, u8 *out, u64 size, u32 depth)
{
	enum { DEEPEST = 16 };
	while (llvm_is_node(type, LLVMDIDerivedTypeMetadataKind) && !is_pointer(type) && depth++ < DEEPEST)
		type = llvm_operand(type, TYPE_BASE);
	if (!type || depth >= DEEPEST)
		return false;
	bool basic = llvm_is_node(type, LLVMDIBasicTypeMetadataKind), found = false;
	if (!basic && !llvm_is_node(type, LLVMDICompositeTypeMetadataKind))
		return false;
	u64 bytes = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) / 8;
	if (!bytes || bytes > size || at > size - bytes)
		return false;
	const char *name = llvm_operand_text(m->arena, type, TYPE_NAME);
	if (basic) {
		if (!name || (strcmp(name, "float") != 0 && strcmp(name, "double") != 0 && strcmp(name, "half") != 0))
			return false;
		out[at] = (u8)bytes;
		return true;
	}
	LLVMValueRef parts = llvm_operand(type, TYPE_ELEMENTS), base = llvm_operand(type, TYPE_BASE);
	u32 n = base ? 0 : llvm_operands(parts);
	for (u32 i = 1; i < n; i++)
		if (!part_offset(llvm_operand(parts, i))) /* a union */
			return false;
	for (u32 i = 0; i < n; i++) {
		LLVMValueRef part = llvm_operand(parts, i);
		found |= mark_floats(m, part, at + part_offset(part), out, size, depth + 1);
	}
	if (!base || !mark_floats(m, base, at, out, size, depth + 1))
		return found;
	u64 each = 0; /* bytes from one element of an array or vector to the next */
	while (llvm_is_node(base, LLVMDIDerivedTypeMetadataKind) && !each) {
		each = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(base)) / 8;
		base = llvm_operand(base, TYPE_BASE);
	}
	each = each ? each : LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(base)) / 8;
	for (u64 to = each; each && to < bytes; to++)
		out[at + to] = out[at + to - each];
	return true;
}

/* The type of argument i by the debug info, or NULL. */
static LLVMValueRef debug_type(FeModule *m, u32 i)
{
	LLVMMetadataRef sp = LLVMGetSubprogram(m->kernel);
	LLVMValueRef type = sp ? llvm_operand(LLVMMetadataAsValue(m->ctx, sp), SUBPROGRAM_TYPE) : NULL;
	return llvm_operand(llvm_operand(type, SUBROUTINE_TYPES), i + 1);
}

/* Bytes of what argument i points to, by the debug info; 0 = unknown. *floats: KernelArg.floats. */
static u32 pointee_bytes(FeModule *m, u32 i, const u8 **floats)
{
	enum { MOST_BYTES = 1 << 16 };
	LLVMValueRef type = debug_type(m, i);
	for (u32 pointers = 0, depth = 0; type && depth < 32; depth++) {
		LLVMMetadataRef md = LLVMValueAsMetadata(type);
		if (LLVMGetMetadataKind(md) == LLVMDICompositeTypeMetadataKind) {
			u32 bytes = (u32)(LLVMDITypeGetSizeInBits(md) / 8);
			u8 *map = bytes <= MOST_BYTES ? ARENA_ARRAY(m->arena, u8, bytes + 1) : NULL;
			*floats = pointers && map && mark_floats(m, type, 0, map, bytes, 0) ? map : NULL;
			return pointers ? bytes : 0;
		}
		if (LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind)
			return 0;
		pointers += LLVMDITypeGetSizeInBits(md) == 64;
		if (pointers > 1)
			return 8;
		type = llvm_operand(type, TYPE_BASE);
	}
	return 0;
}

/* ---- arguments of C++ ---- */

/* Without optimisation only declarations in the body name parameters: those of parameters come first. To write a
 * variable down, which says the number of its parameter, LLVM numbers all that the module holds. */
static const char *declared_name(FeModule *m, u32 i)
{
	static const char number[] = " arg: ";
	u32 n = LLVMCountParams(m->kernel), seen = 0;
	if (!m->declared) {
		m->declared = ARENA_ARRAY(m->arena, const char *, n);
		llvm_each_instruction(m->kernel, at) {
			LLVMValueRef v = llvm_debug(at) == LLVM_DEBUG_DECLARE ? llvm_debug_variable(at) : NULL;
			if (!v || seen++ >= n)
				continue;
			char *text = LLVMPrintValueToString(v);
			const char *arg = strstr(text, number);
			u64 k = arg ? strtoul(arg + sizeof number - 1, NULL, 10) : 0;
			if (k && k <= n && !m->declared[k - 1])
				m->declared[k - 1] = md_string(m, v, VARIABLE_NAME);
			LLVMDisposeMessage(text);
		}
	}
	return m->declared[i] ? m->declared[i] : "";
}

/* The names of a function's variables begin with those of its parameters. */
static const char *debug_name(FeModule *m, u32 i)
{
	LLVMMetadataRef sp = LLVMGetSubprogram(m->kernel);
	LLVMValueRef all = sp ? llvm_operand(LLVMMetadataAsValue(m->ctx, sp), SUBPROGRAM_VARIABLES) : NULL;
	LLVMValueRef v = llvm_operand(all, i);
	return llvm_is_node(v, LLVMDILocalVariableMetadataKind) ? md_string(m, v, VARIABLE_NAME) : declared_name(m, i);
}

/* Through names and qualifiers, to a pointer, a structure or a number; NULL: it cannot be told. *is_const: one of the
 * qualifiers is const. */
static LLVMValueRef plain_type(LLVMValueRef type, bool *is_const)
{
	enum { DEEPEST = 32 };
	for (u32 depth = 0; llvm_is_node(type, LLVMDIDerivedTypeMetadataKind) && !is_pointer(type); depth++) {
		if (!LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) && !llvm_operand(type, TYPE_NAME)) {
			char *text = LLVMPrintValueToString(type);
			*is_const |= strstr(text, "DW_TAG_const_type") != NULL;
			LLVMDisposeMessage(text);
		}
		type = depth < DEEPEST ? llvm_operand(type, TYPE_BASE) : NULL;
	}
	return type;
}

/* HIP's own vectors and halves are structures: `HIP_vector_type<float, 4>` is OpenCL's float4. */
static const char *opencl_name(FeModule *m, const char *name)
{
	static const char vector[] = "HIP_vector_type<";
	size_t n = sizeof vector - 1;
	if (!strncmp(name, vector, n) && strchr(name, ',')) {
		const char *comma = strchr(name, ',');
		return arena_printf(m->arena, "%.*s%lu", (int)(comma - name - (long)n), name + n,
		                    strtoul(comma + 1, NULL, 10));
	}
	return !strcmp(name, "__half") || !strcmp(name, "_Float16") ? "half" : name;
}

static const char *debug_type_name(FeModule *m, LLVMValueRef type)
{
	if (!type)
		return "void";
	return is_pointer(type) ? "void*" : opencl_name(m, md_string(m, type, TYPE_NAME));
}

/* What the metadata would say of it. */
static void debug_arg(FeModule *m, u32 i, const char **type, bool *is_const)
{
	bool own = false;
	LLVMValueRef t = plain_type(debug_type(m, i), &own);
	*type = t && is_pointer(t) ? arena_printf(m->arena, "%s*",
	                                          debug_type_name(m, plain_type(llvm_operand(t, TYPE_BASE), is_const)))
	        : t                ? debug_type_name(m, t)
	                           : "";
}

/* ---- fields of structs ---- */

typedef struct FieldList {
	ARRAY(ArgField) all;
	u32 steps; /* types looked at: damaged bitcode can have endless ones */
} FieldList;

static void list_fields(FeModule *m, LLVMValueRef type, const char *name, u64 at, u64 room, FieldList *out, u32 depth);

/* A number, or a vector of them, whose type has a name: as names of types lead to it. NULL type: it is one. */
static LLVMValueRef named_number(FeModule *m, LLVMValueRef type, KernelArg *a)
{
	enum { DEEPEST = 32 };
	for (u32 depth = 0; type && depth < DEEPEST; depth++) {
		const char *name = llvm_operand_text(m->arena, type, TYPE_NAME);
		u64 bytes = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) / 8;
		name = name ? opencl_name(m, name) : NULL;
		if (name && arg_type_parse(name, strlen(name), a) && (!bytes || a->size == bytes))
			return NULL;
		if (!llvm_is_node(type, LLVMDIDerivedTypeMetadataKind) || is_pointer(type))
			return type;
		type = llvm_operand(type, TYPE_BASE);
	}
	return type;
}

static void list_members(FeModule *m, LLVMValueRef type, const char *name, u64 at, u64 room, FieldList *out, u32 depth)
{
	LLVMValueRef parts = llvm_operand(type, TYPE_ELEMENTS);
	for (u32 i = 0; i < llvm_operands(parts); i++) {
		LLVMValueRef part = llvm_operand(parts, i);
		if (!llvm_is_node(part, LLVMDIDerivedTypeMetadataKind))
			continue; /* a function */
		LLVMMetadataRef md = LLVMValueAsMetadata(part);
		if (LLVMDITypeGetSizeInBits(md) % 8 || LLVMDITypeGetOffsetInBits(md) % 8)
			continue; /* some bits */
		const char *own = llvm_operand_text(m->arena, part, TYPE_NAME);
		u64 bytes = LLVMDITypeGetSizeInBits(md) / 8, offset = part_offset(part);
		if ((own && !bytes) || offset > room)
			continue; /* a static one, or nothing */
		own = own ? fe_plain_name(own) : NULL;
		const char *full = !own ? name : *name ? arena_printf(m->arena, "%s.%s", name, own) : own;
		u64 rest = room - offset; /* (A base class has no size of its own here.) */
		list_fields(m, llvm_operand(part, TYPE_BASE), full, at + offset, bytes && bytes < rest ? bytes : rest,
		            out, depth + 1);
	}
}

/* All that a type at byte `at` of an argument holds, in `room` bytes: a bit-field has fewer than its type, and so has
 * HIP's float3. Pointers, and arrays of what is no number, have no name here. */
static void list_fields(FeModule *m, LLVMValueRef type, const char *name, u64 at, u64 room, FieldList *out, u32 depth)
{
	enum { DEEPEST = 16, MOST_FIELDS = 1 << 12, MOST_STEPS = 1 << 15 };
	KernelArg number = {0};
	if (out->all.n >= MOST_FIELDS || out->steps++ >= MOST_STEPS || depth > DEEPEST)
		return;
	LLVMValueRef rest = named_number(m, type, &number);
	u64 bytes = number.size < room ? number.size : room;
	if (rest) {
		LLVMValueRef base = llvm_operand(rest, TYPE_BASE);
		if (!llvm_is_node(rest, LLVMDICompositeTypeMetadataKind))
			return;
		if (!base) {
			list_members(m, rest, name, at, room, out, depth);
			return;
		}
		bytes = LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(rest)) / 8;
		if (named_number(m, base, &number) || number.width == 3 || bytes % number.size || bytes > room)
			return;
	}
	u32 width = number.width * (u32)(rest ? bytes / number.size : 1);
	if (*name && width && width * number.elem_bytes <= bytes)
		array_push(&out->all,
		           ((ArgField){name, (u32)at, {number.elem_class, number.elem_bytes, width, (u32)bytes}}));
}

/* KernelArg.fields */
static void find_fields(FeModule *m, u32 i, KernelArg *a)
{
	FieldList all = {0};
	list_fields(m, debug_type(m, i), "", 0, a->size, &all, 0);
	ArgField *fields = ARENA_ARRAY(m->arena, ArgField, all.all.n + 1);
	for (u32 k = 0; k < all.all.n; k++)
		fields[a->nfields++] = all.all.v[k];
	a->fields = fields;
	array_free(&all.all);
}

/* Integers of SPIR-V have no sign: what the debug info says of it. */
static const char *signed_name(FeModule *m, u32 i, const char *type)
{
	static const char *const integers[] = {"char", "short", "int", "long"};
	enum { DEEPEST = 32 };
	LLVMValueRef t = debug_type(m, i);
	bool integer = false;
	for (u32 k = 0; k < COUNT(integers); k++)
		integer |= !strncmp(type, integers[k], strlen(integers[k]));
	for (u32 depth = 0; t && depth < DEEPEST && !llvm_is_node(t, LLVMDIBasicTypeMetadataKind); depth++)
		t = llvm_operand(t, TYPE_BASE);
	bool is_unsigned = llvm_is_node(t, LLVMDIBasicTypeMetadataKind) &&
	                   !strncmp(md_string(m, t, TYPE_NAME), "unsigned", strlen("unsigned"));
	return integer && is_unsigned ? arena_printf(m->arena, "u%s", type) : type;
}

/* ---- one argument ---- */

/* The debug info of a pipe is its packet's. */
static bool packet(FeModule *m, u32 i, const char *type, const char *base, KernelArg *a, Diag *d)
{
	LLVMValueRef t = debug_type(m, i);
	enum { DEEPEST = 32 };
	if (shape(type, base, false, a))
		return true;
	for (u32 depth = 0; depth < DEEPEST && llvm_is_node(t, LLVMDIDerivedTypeMetadataKind) && !is_pointer(t);
	     depth++)
		t = llvm_operand(t, TYPE_BASE);
	a->size = t ? (u32)(LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(t)) / 8) : 0;
	return a->size || bad_arg(m, a, "pipe of packets whose size is not known", "compile the bitcode with -g", d);
}

static u8 image_dims(const char *type) { return (u8)(type[5] - '0'); }

enum { MOST_BYTES = 32 << 10 }; /* of arguments: NVIDIA's limit, the largest; AMD's is 1 KiB */

/* The source's name; else LLVM's, or a number. */
static const char *arg_name(FeModule *m, u32 i, bool described)
{
	const char *own = LLVMGetValueName(LLVMGetParam(m->kernel, i));
	const char *name = described ? md_string(m, function_md(m->kernel, "kernel_arg_name"), i) : "";
	if (!*name)
		name = debug_name(m, i);
	if (!*name)
		name = *own ? arena_strdup(m->arena, own) : arena_printf(m->arena, "arg%u", i);
	return fe_plain_name(name);
}

/* Pipes are simulated of OpenCL C only, queues of a kernel's own not at all. */
static bool not_simulated(FeModule *m, KernelArg *a, const char *base, bool pipe, Diag *d)
{
	const char *what = !pipe     ? base
	                   : m->spir ? "pipe in SPIR-V"
	                             : "pipe in bitcode for this processor";
	return bad_arg(m, a, arena_printf(m->arena, "%s, which wavesim does not simulate", what),
	               pipe ? "give wavesim the kernel's OpenCL C: its pipes are simulated"
	                    : "let the host launch what this kernel would enqueue",
	               d);
}

static bool take_value(FeModule *m, KernelArg *a, LLVMTypeRef t, LLVMTargetDataRef td, Diag *d)
{
	u64 size = LLVMABISizeOfType(td, t);
	a->kind = ARG_VALUE;
	a->size = (u32)size;
	if (size <= MOST_BYTES)
		return true;
	diag_error(d, (Loc){.file = m->user_path},
	           "argument '%s' of kernel '%s' takes %llu bytes: devices take at most %u", a->name, m->kernel_name,
	           (unsigned long long)size, MOST_BYTES);
	return diag_hint(d, "give it as a buffer"), false;
}

static bool read_arg(FeModule *m, u32 i, KernelArg *a, LLVMTargetDataRef td, Diag *d)
{
	LLVMValueRef f = m->kernel, param = LLVMGetParam(f, i);
	bool described = kernel_args_has_metadata(f);
	a->name = arg_name(m, i, described);
	const char *type = a->type_name = md_string(m, function_md(f, "kernel_arg_type"), i);
	const char *base = md_string(m, function_md(f, "kernel_arg_base_type"), i);
	const char *qual = md_string(m, function_md(f, "kernel_arg_type_qual"), i);
	const char *access = md_string(m, function_md(f, "kernel_arg_access_qual"), i);
	u32 space = arg_space(f, i);
	bool pointer = LLVMGetTypeKind(LLVMTypeOf(param)) == LLVMPointerTypeKind;
	u32 byval = llvm_attribute(m->device && !m->spir ? "byref" : "byval");
	LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(f, i + 1, byval);
	bool pipe = strstr(qual, "pipe");
	if ((pipe && (m->spir || !m->device)) || !strcmp(base, "queue_t") || !strcmp(base, "clk_event_t"))
		return not_simulated(m, a, base, pipe, d);
	if (!described) {
		debug_arg(m, i, &type, &a->is_const);
		a->type_name = base = type;
		space = pointer ? opencl_space(LLVMGetPointerAddressSpace(LLVMTypeOf(param))) : 0;
	}
	if (m->spir)
		a->type_name = base = type = signed_name(m, i, base);
	a->is_const |= strstr(qual, "const") || space == 2;
	a->is_restrict = pointer && (strstr(qual, "restrict") ||
	                             LLVMGetEnumAttributeAtIndex(f, i + 1, llvm_attribute("noalias")));
	if (!strncmp(base, "image", 5) && base[5] >= '1' && base[5] <= '3') {
		a->kind = ARG_IMAGE;
		a->image_dims = image_dims(base);
		a->writes = !strcmp(access, "write_only") || !strcmp(access, "read_write");
		return true;
	}
	if (!strcmp(base, "sampler_t")) {
		a->kind = ARG_SAMPLER;
		a->size = 4;
		return true;
	}
	if (pipe) {
		a->kind = ARG_PIPE;
		a->writes = !strcmp(access, "write_only");
		return packet(m, i, type, base, a, d);
	}
	if (pointer && !by) {
		a->kind = space == 3 ? ARG_LOCAL : space == 2 ? ARG_CONSTANT : ARG_GLOBAL;
		if (!shape(type, base, true, a))
			a->size = pointee_bytes(m, i, &a->floats);
		return true;
	}
	shape(type, base, false, a);
	if (!take_value(m, a, by ? LLVMGetTypeAttributeValue(by) : LLVMTypeOf(param), td, d))
		return false;
	if (a->elem_class == ELEM_OTHER)
		find_fields(m, i, a);
	return true;
}

void kernel_args_local(KernelArg *a, const char *type, u32 bytes)
{
	a->kind = ARG_LOCAL;
	a->type_name = type;
	if (!shape(type, type, true, a))
		a->size = bytes;
}

u32 kernel_max_group(LLVMValueRef f)
{
	static const char key[] = "amdgpu-flat-work-group-size"; /* "least,most" */
	enum { HIP = 1024, OPENCL = 256 }; /* what clang writes where the source says nothing */
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, ON_FUNCTION, key, sizeof key - 1);
	unsigned n = 0;
	const char *text = a ? LLVMGetStringAttributeValue(a, &n) : NULL, *comma = text ? memchr(text, ',', n) : NULL;
	u64 most = 0;
	for (const char *p = comma ? comma + 1 : text; p && p < text + n && isdigit((unsigned char)*p) && most < HIP;
	     p++)
		most = 10 * most + (u64)(*p - '0');
	return comma && most < HIP && !(most == OPENCL && kernel_args_has_metadata(f)) ? (u32)most : 0;
}

static bool has_constant_args(LLVMModuleRef mod)
{
	enum { CONSTANT = 2 };
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		for (u32 i = 0; kernel_args_has_metadata(f) && i < LLVMCountParams(f); i++)
			if (arg_space(f, i) == CONSTANT)
				return true;
	return false;
}

bool kernel_args_read(FeModule *m, Diag *d)
{
	LLVMTargetDataRef td = LLVMCreateTargetData(LLVMGetDataLayoutStr(m->mod));
	bool ok = true;
	m->args.n = 0;
	m->declared = NULL; /* of another kernel */
	for (u32 i = 0; i < LLVMCountParams(m->kernel); i++) {
		KernelArg a = {0};
		ok &= read_arg(m, i, &a, td, d);
		array_push(&m->args, a);
	}
	LLVMDisposeTargetData(td);
	LLVMValueRef reqd = function_md(m->kernel, "reqd_work_group_size");
	for (u32 i = 0; i < 3; i++)
		m->reqd_local[i] = llvm_operand_number(reqd, i);
	m->max_group = m->device ? kernel_max_group(m->kernel) : 0;
	m->constant_args = has_constant_args(m->mod);
	return ok;
}
