/* Number the IR, generate its machine code in a child process, read the assembly. */
#include "frontend/codegen.h"

#include "frontend/child.h"
#include "frontend/lowering.h"
#include "frontend/r600.h"
#include "frontend/retarget.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>

#include <stdio.h>
#include <unistd.h>

enum { CHILD_SAID = 2 }; /* why it ends, in place of the code */
#define R600_BYTES ((u64)2 << 30)
enum { CODEGEN_SECONDS = 60, DWARF_VERSION = 4, DEBUG_INFO_VERSION = 3 };
enum { LANGUAGE = LLVMDWARFSourceLanguageC99, MODULE_FLAG_WARNING = LLVMModuleFlagBehaviorWarning };

struct Codegen {
	MachineCode code;
	R600Code r600;      /* of a VLIW chip, what code is made of */
	PtrMap *numbers;    /* LLVMBasicBlockRef -> Numbered */
	u32 *block_of;      /* per instruction number: that of its block */
	Child child;
	int text;           /* the child writes here */
	bool running;
	FeModule *m;
};

/* A block's memory may be used again for another block: the name tells them apart. */
typedef struct Numbered {
	u32 number;
	const char *name;
} Numbered;

static bool is_debug_call(LLVMValueRef v)
{
	LLVMValueRef f = retarget_callee(v);
	return f && !strncmp(LLVMGetValueName(f), "llvm.dbg.", 9);
}

static bool touches_memory(LLVMValueRef v)
{
	return LLVMIsALoadInst(v) || LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) ||
	       LLVMIsAAtomicCmpXchgInst(v) || LLVMIsACallInst(v);
}

/* ---- numbers ---- */

static u32 count_instructions(const FeModule *m)
{
	u32 n = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f))
		for_each_instruction(f, v)
			n += !is_debug_call(v);
	return n;
}

/* The optimiser makes address arithmetic that has no line: it belongs to the line that
 * uses it. */
static Loc place_of(const FeModule *m, LLVMValueRef v)
{
	enum { STEPS = 6 };
	Loc at = fe_loc(m, v);
	for (u32 i = 0; i < STEPS && !at.file; i++) {
		LLVMUseRef use = LLVMGetFirstUse(v);
		if (!use || !LLVMIsAInstruction(LLVMGetUser(use)))
			break;
		v = LLVMGetUser(use);
		at = fe_loc(m, v);
	}
	return at;
}

static void number_module(FeModule *m, Codegen *c)
{
	u32 n = count_instructions(m), blocks = 0, block = 0;
	Loc *places = ARENA_ARRAY(m->arena, Loc, n);
	c->block_of = ARENA_ARRAY(m->arena, u32, n);
	n = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f)) {
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
			Numbered *k = ARENA_NEW(m->arena, Numbered);
			k->number = blocks++;
			k->name = arena_strdup(m->arena, LLVMGetBasicBlockName(b));
			*ptrmap_slot(c->numbers, b) = k;
		}
		for_each_instruction(f, v) {
			if (is_debug_call(v))
				continue;
			c->block_of[n] = block;
			block += LLVMIsATerminatorInst(v) != NULL;
			if (touches_memory(v)) {
				u32 *number = ARENA_NEW(m->arena, u32);
				*number = n + 1;
				*ptrmap_slot(c->numbers, v) = number;
			}
			places[n++] = place_of(m, v);
		}
	}
	c->code.places = places;
	c->code.nplaces = n;
	c->code.nir_blocks = blocks;
}

u32 codegen_block(const FeModule *m, LLVMBasicBlockRef b)
{
	const Numbered *k = m->codegen ? ptrmap_get(m->codegen->numbers, b) : NULL;
	return k && !strcmp(k->name, LLVMGetBasicBlockName(b)) ? k->number : NO_IR;
}

u32 codegen_ins(const FeModule *m, LLVMValueRef v)
{
	const u32 *number = m->codegen && touches_memory(v) ? ptrmap_get(m->codegen->numbers, v) : NULL;
	return number ? *number : 0;
}

u32 codegen_nblocks(const FeModule *m) { return m->codegen ? m->codegen->code.nir_blocks : 0; }

/* ---- what the code generator cannot price ---- */

static const char *why_not(const FeModule *m)
{
	if (m->wave_missing)
		return m->wave_missing;
	const char *name = codegen_cannot_call(m), *dot = name ? strrchr(name, '.') : NULL;
	return name ? arena_printf(m->arena, "the kernel calls %s, which is no machine code here",
	                           dot ? dot + 1 : name)
	            : NULL;
}

/* ---- in the child ---- */

/* A function of its own for debug lines that are numbers, not lines. */
static LLVMMetadataRef number_scope(LLVMDIBuilderRef b, LLVMMetadataRef file, LLVMValueRef f)
{
	size_t n;
	const char *name = LLVMGetValueName2(f, &n);
	LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(b, file, NULL, 0, LLVMDIFlagZero);
	LLVMMetadataRef s = LLVMDIBuilderCreateFunction(b, file, name, n, "", 0, file, 0, type, 0, 1, 0,
	                                                LLVMDIFlagZero, 1);
	LLVMSetSubprogram(f, s);
	return s;
}

static void set_numbers(const FeModule *m)
{
	LLVMStripModuleDebugInfo(m->mod);
	LLVMAddModuleFlag(m->mod, (LLVMModuleFlagBehavior)MODULE_FLAG_WARNING, "Debug Info Version", 18,
	                  LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx),
	                                                   DEBUG_INFO_VERSION, 0)));
	LLVMDIBuilderRef b = LLVMCreateDIBuilder(m->mod);
	LLVMMetadataRef file = LLVMDIBuilderCreateFile(b, "ir", 2, "", 0);
	LLVMDIBuilderCreateCompileUnit(b, (LLVMDWARFSourceLanguage)LANGUAGE, file, "", 0, 1, "", 0, 0, "",
	                               0, LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
	u32 n = 0, blocks = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		LLVMMetadataRef scope = number_scope(b, file, f);
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) {
			char name[24];
			int len = snprintf(name, sizeof name, "wavesim.%ub", blocks++);
			LLVMSetValueName2(LLVMBasicBlockAsValue(k), name, (size_t)len);
		}
		for_each_instruction(f, v)
			LLVMInstructionSetDebugLoc(v, LLVMDIBuilderCreateDebugLocation(m->ctx, ++n, 0, scope,
			                                                               NULL));
	}
	LLVMDIBuilderFinalize(b);
	LLVMDisposeDIBuilder(b);
}

/* Names that IR blocks have already must not be in the way of the numbers. */
static void clear_names(const FeModule *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
			LLVMSetValueName2(LLVMBasicBlockAsValue(k), "", 0);
}

static bool write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t k = write(fd, text, size);
		if (k <= 0)
			return false;
		text += k;
		size -= (size_t)k;
	}
	return true;
}

/* What LLVM says before it ends the process, or of code that it leaves out. */
static void say_fatal(const char *reason)
{
	write_all(STDOUT_FILENO, reason, strlen(reason));
	_exit(CHILD_SAID);
}

static void say_error(LLVMDiagnosticInfoRef info, void *ctx)
{
	static const char in[] = ": in function ";
	(void)ctx;
	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	char *text = LLVMGetDiagInfoDescription(info), *p = strstr(text, in);
	p = p ? strstr(p + sizeof in - 1, ": ") : NULL;
	say_fatal(p ? p + 2 : text);
}

static int generate(void *arg)
{
	Codegen *c = arg;
	FeModule *m = c->m;
	/* Say line 0 for an instruction without a line, instead of nothing. */
	static const char *const options[] = {"wavesim", "-use-unknown-locations=Enable"};
	LLVMParseCommandLineOptions((int)COUNT(options), options, NULL);
	if (dup2(c->text, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
		return 1;
	if (m->r600_cpu) /* whose back end asks for ever more with some kernels */
		child_limit_memory(R600_BYTES);
	LLVMInstallFatalErrorHandler(say_fatal);
	if (m->r600_cpu) /* else code comes all the same: what LLVM calls too much, another chip may have */
		LLVMContextSetDiagnosticHandler(m->ctx, say_error, c);
	clear_names(m);
	set_numbers(m);
	if (!codegen_replace_calls(m))
		return 1;
	if (m->r600_cpu && !r600_convert(m))
		say_fatal("it asks for sizes of the launch in a way that has no counterpart there");
	LLVMSetTargetMachineAsmVerbosity(m->tm, !m->r600_cpu);
	char *why = NULL;
	LLVMMemoryBufferRef out;
	if (LLVMTargetMachineEmitToMemoryBuffer(m->tm, m->mod, LLVMAssemblyFile, &why, &out))
		return 1;
	bool written = write_all(c->text, LLVMGetBufferStart(out), LLVMGetBufferSize(out));
	LLVMDisposeMemoryBuffer(out);
	return !written;
}

/* ---- in the parent ---- */

void codegen_start(FeModule *m)
{
	Codegen *c = m->codegen = ARENA_NEW(m->arena, Codegen);
	c->m = m;
	c->numbers = ptrmap_new(m->arena);
	c->code.cpu = c->r600.cpu = m->r600_cpu ? m->r600_cpu : m->cpu;
	number_module(m, c);
	c->code.missing = why_not(m);
	c->code.left_out = codegen_leaves_out(m) ? "printf" : NULL;
	if (c->code.missing)
		return;
	c->text = child_file("code");
	c->running = c->text >= 0 && child_start(&c->child, generate, NULL, c);
	if (c->running)
		return;
	c->code.missing = "no process to generate its machine code could be started";
	if (c->text >= 0)
		close(c->text);
}

static void read_r600(const FeModule *m, Codegen *c, const char *text)
{
	r600_parse(&c->r600, m->kernel_name, text, m->arena);
	r600_machine(&c->code, &c->r600, c->block_of);
}

const R600Code *codegen_r600(const FeModule *m)
{
	const Codegen *c = m->codegen;
	return m->r600_cpu && c ? &c->r600 : NULL;
}

static void read_code(FeModule *m)
{
	Codegen *c = m->codegen;
	if (!c->running)
		return;
	c->running = false;
	ChildEnd end = child_wait(&c->child, CODEGEN_SECONDS);
	size_t size;
	char *text = child_file_read(c->text, &size);
	if (end.timed_out)
		c->code.missing = "LLVM's code generator does not come to an end with this kernel";
	else if (m->r600_cpu && end.code == CHILD_SAID)
		c->code.missing = arena_printf(m->arena, "LLVM cannot translate this kernel for %s: %s",
		                               m->r600_cpu, r600_reason(text, m->arena));
	else if (end.signal || end.code || !size)
		c->code.missing = "LLVM's code generator cannot translate this kernel for the device";
	else if (m->r600_cpu)
		read_r600(m, c, text);
	else
		codegen_parse(&c->code, m->kernel_name, text, m->arena);
	free(text);
}

const MachineCode *codegen_finish(FeModule *m)
{
	Codegen *c = m->codegen;
	read_code(m);
	c->r600.missing = c->code.missing;
	return &c->code;
}

void codegen_free(FeModule *m)
{
	Codegen *c = m->codegen;
	if (!c)
		return;
	if (c->running) {
		child_wait(&c->child, 0.001);
		close(c->text);
	}
	array_free(&c->code.ins);
	array_free(&c->code.blocks);
	array_free(&c->code.edges);
}
