/* What lanes pass each other (frontend/module/collective.h) as AMD's compiler does it: reductions and scans are
 * those of its device library (__ockl_wfred_…, __ockl_wfscan_…: data-parallel primitives, DPP, from gfx8 on,
 * ds_swizzle before), the rest its instructions. What the library lacks, clusters and products, is made of the same
 * exchanges.
 *
 * The bodies are made and cleaned in a module of their own, with what of AMD's library they need, so that the kernel's
 * code stays as it is. */
#include "frontend/codegen/codegen.h"
#include "frontend/module/collective.h"
#include "frontend/retarget/amdlib.h"

#include <llvm-c/Linker.h>

typedef struct Bodies {
	const FeModule *m;
	Buf text, calls; /* functions; declarations */
	const char *type; /* of the value, as LLVM writes it */
	u32 bits;
	u32 number;      /* of names within a function */
} Bodies;

#define put(b, ...) buf_line(&(b)->text, __VA_ARGS__)

static void declare(Bodies *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void declare(Bodies *b, const char *fmt, ...)
{
	Buf line = {0};
	va_list ap;
	va_start(ap, fmt);
	buf_printf(&line, "declare ");
	buf_vprintf(&line, fmt, ap);
	va_end(ap);
	buf_printf(&line, "\n");
	if (!b->calls.v || !strstr(b->calls.v, line.v))
		buf_printf(&b->calls, "%s", line.v);
	array_free(&line);
}

static const char *name_of(Bodies *b) { return arena_printf(b->m->arena, "%%x%u", b->number++); }

/* A value of an operation or a call. */
static const char *value(Bodies *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
static const char *value(Bodies *b, const char *fmt, ...)
{
	const char *name = name_of(b);
	va_list ap;
	va_start(ap, fmt);
	buf_printf(&b->text, " %s = ", name);
	buf_vprintf(&b->text, fmt, ap);
	va_end(ap);
	buf_printf(&b->text, "\n");
	return name;
}

static bool is_float(const char *type) { return *type != 'i'; }

static u32 bits_of(const char *type)
{
	return *type == 'i' ? (u32)strtoul(type + 1, NULL, 10) : *type == 'h' ? 16 : *type == 'f' ? 32 : 64;
}

/* ---- dwords ---- */

typedef const char *Exchange(Bodies *b, const char *dword, const void *how);

/* Each dword of x of b->type exchanged. */
static const char *exchanged(Bodies *b, const char *x, Exchange *exchange, const void *how)
{
	const char *integer = arena_printf(b->m->arena, "i%u", b->bits);
	if (is_float(b->type))
		x = value(b, "bitcast %s %s to %s", b->type, x, integer);
	if (b->bits < 32)
		x = value(b, "zext %s %s to i32", integer, x);
	if (b->bits <= 32) {
		x = exchange(b, x, how);
	} else {
		const char *both = value(b, "bitcast i64 %s to <2 x i32>", x), *to = "undef";
		for (u32 i = 0; i < 2; i++) {
			const char *half = value(b, "extractelement <2 x i32> %s, i32 %u", both, i);
			half = exchange(b, half, how);
			to = value(b, "insertelement <2 x i32> %s, i32 %s, i32 %u", to, half, i);
		}
		x = value(b, "bitcast <2 x i32> %s to i64", to);
	}
	if (b->bits < 32)
		x = value(b, "trunc i32 %s to %s", x, integer);
	return is_float(b->type) ? value(b, "bitcast %s %s to %s", integer, x, b->type) : x;
}

static const char *by_first(Bodies *b, const char *dword, const void *how)
{
	(void)how;
	declare(b, "i32 @llvm.amdgcn.readfirstlane(i32)");
	return value(b, "call i32 @llvm.amdgcn.readfirstlane(i32 %s)", dword);
}

/* how: the lane's number, equal in all */
static const char *by_read(Bodies *b, const char *dword, const void *how)
{
	declare(b, "i32 @llvm.amdgcn.readlane(i32, i32)");
	return value(b, "call i32 @llvm.amdgcn.readlane(i32 %s, i32 %s)", dword, (const char *)how);
}

/* how: four times the lane's number */
static const char *by_permute(Bodies *b, const char *dword, const void *how)
{
	declare(b, "i32 @llvm.amdgcn.ds.bpermute(i32, i32)");
	return value(b, "call i32 @llvm.amdgcn.ds.bpermute(i32 %s, i32 %s)", (const char *)how, dword);
}

/* From gfx8 on vector instructions read their operand from another lane. */
static bool has_dpp(const FeModule *m) { return strlen(m->cpu) != 6 || m->cpu[3] >= '8'; }

static const char *lane(Bodies *b)
{
	declare(b, "i32 @_Z22get_sub_group_local_idv()");
	return value(b, "call i32 @_Z22get_sub_group_local_idv()");
}

/* how: 1, 2, 4 … 32: with the neighbour of so many, whose neighbours nearer to it have its value already. */
static const char *by_swap(Bodies *b, const char *dword, const void *how)
{
	static const u16 dpp[] = {[1] = 0x0b1, [2] = 0x04e, [4] = 0x141, [8] = 0x140}; /* quad_perm, row mirrors */
	u32 by = *(const u32 *)how;
	if (by == 32) {
		const char *other = value(b, "xor i32 %s, 32", lane(b));
		return by_permute(b, dword, value(b, "shl i32 %s, 2", other));
	}
	if (by < COUNT(dpp) && has_dpp(b->m)) {
		declare(b, "i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)");
		return value(b, "call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %s, i32 %u, i32 15, i32 15, i1 true)",
		             dword, dpp[by]);
	}
	declare(b, "i32 @llvm.amdgcn.ds.swizzle(i32, i32 immarg)");
	return value(b, "call i32 @llvm.amdgcn.ds.swizzle(i32 %s, i32 %u)", dword, by << 10 | 31);
}

/* ---- joining ---- */

static const char *join(Bodies *b, u32 fold, const char *x, const char *y)
{
	if (fe_fold_plain[fold])
		return value(b, "%s %s %s, %s", fe_fold_plain[fold], b->type, x, y);
	const char *name = arena_printf(b->m->arena, "@llvm.%s.%c%u", fe_fold_called[fold],
	                                is_float(b->type) ? 'f' : 'i', b->bits);
	declare(b, "%s %s(%s, %s)", b->type, name, b->type, b->type);
	return value(b, "call %s %s(%s %s, %s %s)", b->type, name, b->type, x, b->type, y);
}

/* AMD's function of a reduction or scan of 16, 32, 64 bits: its name's end, or NULL. */
static const char *amd_name(Bodies *b, u32 fold)
{
	static const char *const names[FOLD_COUNT] = {
	    [FOLD_add] = "add_i",  [FOLD_and] = "and_i",  [FOLD_or] = "or_i",    [FOLD_xor] = "xor_i",
	    [FOLD_umin] = "min_u", [FOLD_umax] = "max_u", [FOLD_smin] = "min_i", [FOLD_smax] = "max_i",
	    [FOLD_fadd] = "add_f", [FOLD_fmin] = "min_f", [FOLD_fmax] = "max_f",
	};
	return names[fold]
	           ? arena_printf(b->m->arena, "%s%u", names[fold], b->bits < 32 && !is_float(b->type) ? 32 : b->bits)
	           : NULL;
}

/* Smaller integers in one of 32 bits, and back. */
static const char *widened(Bodies *b, u32 fold, const char *x)
{
	bool sign = fold == FOLD_smin || fold == FOLD_smax;
	return b->bits >= 32 || is_float(b->type) ? x : value(b, "%s %s %s to i32", sign ? "sext" : "zext", b->type, x);
}

static const char *narrowed(Bodies *b, const char *x)
{
	return b->bits >= 32 || is_float(b->type) ? x : value(b, "trunc i32 %s to %s", x, b->type);
}

static const char *wide_type(const Bodies *b) { return b->bits < 32 && !is_float(b->type) ? "i32" : b->type; }

static const char *amd_join(Bodies *b, const char *how, u32 fold, const char *x, const char *more_types,
                            const char *more)
{
	const char *t = wide_type(b), *name = amd_name(b, fold);
	declare(b, "%s @__ockl_%s_%s(%s%s)", t, how, name, t, more_types);
	x = widened(b, fold, x);
	return narrowed(b, value(b, "call %s @__ockl_%s_%s(%s %s%s)", t, how, name, t, x, more));
}

static const char *swapped_join(Bodies *b, u32 fold, const char *x, u32 lanes)
{
	for (u32 by = 1; by < lanes; by *= 2)
		x = join(b, fold, x, exchanged(b, x, by_swap, &by));
	return x;
}

/* By steps of 1, 2, 4 … lanes. */
static const char *stepped_scan(Bodies *b, u32 fold, const char *x, bool without, const char *neutral)
{
	const char *l = lane(b);
	for (u32 by = 1; by < b->m->chip_wave; by *= 2) {
		const char *from = value(b, "sub i32 %s, %u", l, by);
		const char *y = exchanged(b, x, by_permute, value(b, "shl i32 %s, 2", from));
		const char *there = value(b, "icmp uge i32 %s, %u", l, by), *both = join(b, fold, y, x);
		x = value(b, "select i1 %s, %s %s, %s %s", there, b->type, both, b->type, x);
	}
	if (!without)
		return x;
	const char *from = value(b, "sub i32 %s, 1", l);
	const char *y = exchanged(b, x, by_permute, value(b, "shl i32 %s, 2", from));
	const char *first = value(b, "icmp eq i32 %s, 0", l);
	return value(b, "select i1 %s, %s %s, %s %s", first, b->type, neutral, b->type, y);
}

/* ---- the bodies ---- */

static const char *ballot(Bodies *b, const char *condition)
{
	u32 wave = b->m->chip_wave;
	declare(b, "i%u @llvm.amdgcn.ballot.i%u(i1)", wave, wave);
	return value(b, "call i%u @llvm.amdgcn.ballot.i%u(i1 %s)", wave, wave, condition);
}

/* Truth values: of all lanes by a ballot, of those before as 1 and 0. */
static const char *logical(Bodies *b, u32 fold, u32 lanes, bool scans, bool without)
{
	u32 wave = b->m->chip_wave;
	if (!scans && !lanes) {
		bool all = fold == FOLD_and;
		const char *bits = ballot(b, all ? value(b, "xor i1 %%a, true") : "%a");
		if (fold != FOLD_xor)
			return value(b, "icmp %s i%u %s, 0", all ? "eq" : "ne", wave, bits);
		declare(b, "i%u @llvm.ctpop.i%u(i%u)", wave, wave, wave);
		const char *n = value(b, "call i%u @llvm.ctpop.i%u(i%u %s)", wave, wave, wave, bits);
		return value(b, "trunc i%u %s to i1", wave, n);
	}
	u32 as = fold == FOLD_and ? FOLD_umin : fold == FOLD_or ? FOLD_umax : FOLD_add;
	const char *x = value(b, "zext i1 %%a to i32");
	b->type = "i32";
	b->bits = 32;
	x = scans ? amd_join(b, "wfscan", as, x, ", i1", without ? ", i1 false" : ", i1 true")
	          : swapped_join(b, as, x, lanes);
	if (as == FOLD_add)
		x = value(b, "and i32 %s, 1", x);
	return value(b, "icmp ne i32 %s, 0", x);
}

static const char *write_fold(Bodies *b, const char *rest, bool scans, u32 how)
{
	u32 fold = 0;
	while (strncmp(rest, fold_name[fold], strlen(fold_name[fold])) || rest[strlen(fold_name[fold])] != '.')
		fold++;
	if (b->bits == 1)
		return logical(b, fold, scans ? 0 : how, scans, how);
	if (scans && amd_name(b, fold))
		return amd_join(b, "wfscan", fold, "%a", ", i1", how ? ", i1 false" : ", i1 true");
	if (scans) /* products */
		return stepped_scan(b, fold, "%a", how, is_float(b->type) ? "1.0" : "1");
	if (!how && amd_name(b, fold))
		return amd_join(b, "wfred", fold, "%a", "", "");
	return swapped_join(b, fold, "%a", how && how < b->m->chip_wave ? how : b->m->chip_wave);
}

static const char *write_query(Bodies *b, const char *name)
{
	static const struct { const char *name, *amd; } rows[] = {
		{"lane_id", "_Z22get_sub_group_local_idv"}, {"wave_id", "_Z16get_sub_group_idv"},
		{"group_waves", "_Z18get_num_sub_groupsv"}, {"full_waves", "_Z27get_enqueued_num_sub_groupsv"},
		{"wave_items", "_Z18get_sub_group_sizev"}, {"wave_most", "_Z22get_max_sub_group_sizev"},
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (!strcmp(rows[i].name, name)) {
			declare(b, "i32 @%s()", rows[i].amd);
			return value(b, "call i32 @%s()", rows[i].amd);
		}
	return NULL;
}

static const char *write_value(Bodies *b, const char *name, u32 how)
{
	if (!strncmp(name, "query.", 6))
		return write_query(b, name + 6);
	if (!strncmp(name, "reduce.", 7))
		return write_fold(b, name + 7, false, how);
	if (!strncmp(name, "scan.", 5))
		return write_fold(b, name + 5, true, how);
	if (!strcmp(name, "ballot"))
		return value(b, "zext i%u %s to i128", b->m->chip_wave, ballot(b, "%a"));
	if (!strncmp(name, "first.", 6))
		return exchanged(b, "%a", by_first, NULL);
	if (!strncmp(name, "read.", 5))
		return exchanged(b, "%a", by_read, by_first(b, "%b", NULL));
	return exchanged(b, "%b", by_permute, value(b, "shl i32 %%a, 2")); /* permute */
}

/* One body; the type of its value is the end of its name. how: the constant of a reduction or scan. */
static void write_body(Bodies *b, const char *what, u32 how, const char *symbol)
{
	const char *dot = strrchr(what, '.'), *result, *takes;
	bool none = !strcmp(what, "whole"), barrier = !strcmp(what, "barrier"), query = !strncmp(what, "query.", 6);
	b->type = query || !dot ? "i32" : dot + 1;
	b->bits = bits_of(b->type);
	b->number = 0;
	result = none || barrier ? "void" : !strcmp(what, "ballot") ? "i128" : b->type;
	if (none || query || barrier)
		takes = barrier ? "i32 %a" : "";
	else if (!strcmp(what, "ballot"))
		takes = "i1 %a";
	else if (!strncmp(what, "permute.", 8))
		takes = arena_printf(b->m->arena, "i32 %%a, %s %%b", b->type);
	else
		takes = arena_printf(b->m->arena, "%s %%a%s", b->type, strncmp(what, "first.", 6) ? ", i32 %b" : "");
	put(b, "define %s @\"%s\"(%s) alwaysinline convergent nounwind {", result, symbol, takes);
	if (barrier) {
		declare(b, "void @llvm.amdgcn.wave.barrier()");
		put(b, " call void @llvm.amdgcn.wave.barrier()");
	}
	if (none || barrier)
		put(b, " ret void\n}");
	else
		put(b, " ret %s %s\n}", result, write_value(b, what, how));
}

/* ---- all that the kernel calls ---- */

static const char *wave_name(LLVMValueRef f)
{
	const char *name = LLVMGetValueName(f);
	bool ours = LLVMIsDeclaration(f) && !strncmp(name, FE_WAVE, sizeof FE_WAVE - 1) && LLVMGetFirstUse(f);
	return ours ? name + sizeof FE_WAVE - 1 : NULL;
}

#define BODY "lanes."
static bool is_body(LLVMValueRef f) { return !strncmp(LLVMGetValueName(f), BODY, sizeof BODY - 1); }

bool codegen_is_wave(const char *name) { return !strncmp(name, FE_WAVE, sizeof FE_WAVE - 1); }

bool codegen_calls_lanes(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (wave_name(f))
			return true;
	return false;
}

/* A body for each constant: calls go to one that has its number in its name. */
static void write_bodies(Bodies *b, const FeModule *m)
{
	llvm_each_function(m->mod, f) {
		const char *what = wave_name(f);
		if (!what)
			continue;
		what = arena_strdup(m->arena, what);
		bool constant = !strncmp(what, "reduce.", 7) || !strncmp(what, "scan.", 5);
		for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
			LLVMValueRef call = LLVMGetUser(use);
			u32 how = constant ? (u32)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)) : 0;
			const char *symbol = arena_printf(m->arena, BODY "%s.%u", what, how);
			LLVMValueRef body = LLVMGetNamedFunction(m->mod, symbol);
			if (!body) {
				body = LLVMAddFunction(m->mod, symbol, LLVMGlobalGetValueType(f));
				write_body(b, what, how, symbol);
			}
			LLVMSetOperand(call, (u32)LLVMGetNumOperands(call) - 1, body);
		}
	}
}

/* The bodies with what they need of AMD's library, for this chip. */
static LLVMModuleRef bodies_module(const FeModule *m, const Bodies *b)
{
	FeModule part = *m;
	Diag d;
	char *why = NULL;
	part.mod = LLVMModuleCreateWithNameInContext("lanes", m->ctx);
	LLVMSetTarget(part.mod, LLVMGetTarget(m->mod));
	LLVMSetDataLayout(part.mod, LLVMGetDataLayoutStr(m->mod));
	diag_init(&d);
	bool good = llvm_link_text(part.mod, b->text.v, b->text.n, &why) && amdlib_adapt_images(&part) &&
	            amdlib_link(&part, &d);
	LLVMDisposeMessage(why);
	diag_free(&d);
	if (good) {
		llvm_each_function(part.mod, f)
			if (!LLVMIsDeclaration(f) && !is_body(f)) {
				llvm_inline_always(f);
				LLVMSetLinkage(f, LLVMInternalLinkage);
			}
		good = codegen_passes(&part, "always-inline,globaldce,function(sroa," LLVM_PASS_INSTCOMBINE ",simplifycfg,early-cse,"
		                             "" LLVM_PASS_INSTCOMBINE "),globaldce");
	}
	if (good)
		return part.mod;
	LLVMDisposeModule(part.mod);
	return NULL;
}

bool codegen_wave_calls(FeModule *m)
{
	Bodies b = {.m = m};
	write_bodies(&b, m);
	if (!b.text.n)
		return true;
	buf_printf(&b.text, "%s", b.calls.v ? b.calls.v : "");
	LLVMModuleRef part = bodies_module(m, &b);
	array_free(&b.text);
	array_free(&b.calls);
	if (!part || LLVMLinkModules2(m->mod, part))
		return false;
	llvm_each_function(m->mod, f)
		if (is_body(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	return codegen_passes(m, "always-inline,globaldce,function(" LLVM_PASS_INSTCOMBINE ")");
}
