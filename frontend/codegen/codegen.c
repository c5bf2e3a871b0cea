/* Number the IR, generate its machine code in a child process, read the assembly. */
#include "frontend/codegen/codegen.h"

#include "frontend/codegen/backend.h"
#include "frontend/retarget/images.h"
#include "base/hash.h"
#include "base/child.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>

#include <stdio.h>
#include <unistd.h>

enum { CHILD_SAID = 2 }; /* why it ends, in place of the code */
enum { CODEGEN_SECONDS = 60, DWARF_VERSION = 4, DEBUG_INFO_VERSION = 3 };
enum { LANGUAGE = LLVMDWARFSourceLanguageC99, MODULE_FLAG_WARNING = LLVMModuleFlagBehaviorWarning };

struct Codegen {
	MachineCode code;
	R600Code r600;      /* where the back end has it: what code is made of */
	Map *numbers;    /* LLVMBasicBlockRef -> Numbered */
	ARRAY(Loc) places;   /* per instruction number … */
	ARRAY(u32) block_of; /* … and its block's number */
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

static bool touches_memory(LLVMValueRef v)
{
	return LLVMIsALoadInst(v) || LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) ||
	       LLVMIsAAtomicCmpXchgInst(v) || LLVMIsACallInst(v);
}

static bool divides(LLVMValueRef v)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(v);
	return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

/* Does the Program's instruction say which one of the IR it is? */
static bool is_told(LLVMValueRef v) { return touches_memory(v) || divides(v); }

/* ---- numbers ---- */

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

static void number_block(FeModule *m, Codegen *c, LLVMBasicBlockRef b)
{
	Numbered *k = ARENA_NEW(m->arena, Numbered);
	k->number = c->code.nir_blocks++;
	k->name = arena_strdup(m->arena, LLVMGetBasicBlockName(b));
	*ptrmap_slot(c->numbers, b) = k;
	for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
		if (llvm_debug(v))
			continue;
		array_push(&c->places, place_of(m, v));
		array_push(&c->block_of, k->number);
		if (is_told(v)) {
			u32 *number = ARENA_NEW(m->arena, u32);
			*number = c->places.n;
			*ptrmap_slot(c->numbers, v) = number;
		}
	}
}

static void number_module(FeModule *m, Codegen *c)
{
	llvm_each_function(m->mod, f)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			number_block(m, c, b);
	c->code.places = c->places.v;
	c->code.nplaces = c->places.n;
}

u32 codegen_block(const FeModule *m, LLVMBasicBlockRef b)
{
	const Numbered *k = m->codegen ? ptrmap_get(m->codegen->numbers, b) : NULL;
	return k && !strcmp(k->name, LLVMGetBasicBlockName(b)) ? k->number : NO_IR;
}

u32 codegen_ins(const FeModule *m, LLVMValueRef v)
{
	const u32 *number = m->codegen && is_told(v) ? ptrmap_get(m->codegen->numbers, v) : NULL;
	return number ? *number : 0;
}

u32 codegen_nblocks(const FeModule *m) { return m->codegen ? m->codegen->code.nir_blocks : 0; }

/* ---- what has no machine code ---- */

/* Cases of a switch. LLVM makes a tree of branches of them, and the time that it then takes to bring these in an
 * order that lanes can leave one by one grows with the square of their number. */
enum { MOST_CASES = 1000 };

static u32 most_cases(const FeModule *m)
{
	u32 most = 0;
	llvm_each_function(m->mod, f)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
			u32 cases = LLVMIsASwitchInst(last) ? LLVMGetNumSuccessors(last) - 1 : 0;
			most = cases > most ? cases : most;
		}
	return most;
}

static const char *why_not(const FeModule *m)
{
	if (m->wave_missing)
		return m->wave_missing;
	if (m->images_missing)
		return m->images_missing;
	u32 cases = most_cases(m);
	if (cases > MOST_CASES)
		return arena_printf(m->arena, "a switch has %u cases, and LLVM's code generator takes too long with "
		                    "more than %u", cases, (u32)MOST_CASES);
	if (m->backend->r600 && codegen_calls_lanes(m))
		return "VLIW chips pass values between lanes only through LDS, which LLVM's code generator does not do";
	if (m->backend->r600 && images_used(m))
		return "LLVM's r600 back end has no instructions for images";
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
	llvm_each_function(m->mod, f) {
		if (LLVMIsDeclaration(f))
			continue;
		LLVMMetadataRef scope = number_scope(b, file, f);
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) {
			char name[24];
			int len = snprintf(name, sizeof name, "wavesim.%ub", blocks++);
			LLVMSetValueName2(LLVMBasicBlockAsValue(k), name, (size_t)len);
		}
		llvm_each_instruction(f, v)
			LLVMInstructionSetDebugLoc(v, LLVMDIBuilderCreateDebugLocation(m->ctx, ++n, 0, scope,
			                                                               NULL));
	}
	LLVMDIBuilderFinalize(b);
	LLVMDisposeDIBuilder(b);
}

/* Names that IR blocks have already must not be in the way of the numbers. */
static void clear_names(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
			LLVMSetValueName2(LLVMBasicBlockAsValue(k), "", 0);
}

/* What LLVM says before it ends the process, or of code that it leaves out. */
static void say_fatal(const char *reason)
{
	write_bytes(STDOUT_FILENO, reason, strlen(reason));
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
	const Backend *b = m->backend;
	/* Say line 0 for an instruction without a line, instead of nothing. */
	static const char *const options[] = {"wavesim", "-use-unknown-locations=Enable"};
	LLVMParseCommandLineOptions((int)COUNT(options), options, NULL);
	if (dup2(c->text, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
		return 1;
	child_limit((ChildLimits){.seconds = CODEGEN_SECONDS, .memory = b->max_memory}, false);
	LLVMInstallFatalErrorHandler(say_fatal);
	if (b->errors_end)
		LLVMContextSetDiagnosticHandler(m->ctx, say_error, c);
	clear_names(m);
	set_numbers(m);
	if (!codegen_replace_calls(m))
		return 1;
	const char *cannot = b->convert ? b->convert(m) : NULL;
	if (cannot)
		say_fatal(cannot);
	LLVMSetTargetMachineAsmVerbosity(m->tm, b->comments);
	char *why = NULL;
	LLVMMemoryBufferRef out;
	if (LLVMTargetMachineEmitToMemoryBuffer(m->tm, m->mod, LLVMAssemblyFile, &why, &out))
		return 1;
	bool written = write_bytes(c->text, LLVMGetBufferStart(out), LLVMGetBufferSize(out));
	LLVMDisposeMemoryBuffer(out);
	return !written;
}

/* ---- in the parent ---- */

void codegen_start(FeModule *m)
{
	Codegen *c = m->codegen = ARENA_NEW(m->arena, Codegen);
	c->m = m;
	c->numbers = map_new(m->arena);
	c->code.cpu = c->r600.cpu = m->chip;
	c->code.stands_for = m->stands_for;
	c->code.listing = c->r600.listing = m->listing;
	number_module(m, c);
	c->code.missing = why_not(m);
	c->code.left_out = codegen_leaves_out(m);
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

const R600Code *codegen_r600(const FeModule *m)
{
	const Codegen *c = m->codegen;
	return c && m->backend->r600 ? &c->r600 : NULL;
}

/* What the child left behind, as machine code. Why there is none, or NULL. */
static const char *read_output(Codegen *c, ChildEnd end, const char *text, size_t size)
{
	const FeModule *m = c->m;
	if (end.timed_out)
		return "LLVM's code generator does not finish for this kernel";
	if (end.code == CHILD_SAID && size)
		return arena_printf(m->arena, "LLVM cannot translate this kernel for %s: %s", m->chip,
		                    backend_reason(m->backend, text, m->arena));
	char *fault = end.signal || end.code || !size ? child_fault(false) : NULL;
	if (fault) {
		const char *why = arena_printf(m->arena, "LLVM's code generator cannot work on this machine: %s",
		                               fault);
		free(fault);
		return why;
	}
	if (end.signal || end.code || !size)
		return "LLVM's code generator cannot translate this kernel for the device";
	Assembly in = {m->kernel_symbol, text, c->block_of.v, m->arena};
	return m->backend->read(&in, &c->code, &c->r600)
	               ? NULL
	               : arena_printf(m->arena, "LLVM's %s assembly cannot be read", m->backend->name);
}

static void read_code(FeModule *m)
{
	Codegen *c = m->codegen;
	if (!c->running)
		return;
	c->running = false;
	ChildEnd end = child_wait(&c->child, CODEGEN_SECONDS * CHILD_PATIENCE);
	size_t size;
	char *text = child_file_read(c->text, &size);
	c->code.missing = read_output(c, end, text, size);
	free(text);
}

const MachineCode *codegen_finish(FeModule *m)
{
	Codegen *c = m->codegen;
	read_code(m);
	c->r600.missing = c->code.missing; /* one reason for both */
	c->code.listing &= !c->code.missing;
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
	array_free(&c->places);
	array_free(&c->block_of);
	array_free(&c->code.ins);
	array_free(&c->code.blocks);
	array_free(&c->code.edges);
}
