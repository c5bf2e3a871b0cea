/* Innermost loops are marked with the metadata of `#pragma unroll N`. LLVM unrolls loops of an
 * unknown number of iterations for an AMD chip only where they use local memory; NVIDIA's compiler does
 * it with all that are small. A loop that has such metadata already (a pragma of the user's, or
 * what LLVM leaves on one that it unrolled) is left alone.
 *
 * LLVM's C interface has no loops: they are found by their back edges, a depth-first search's
 * edges to blocks that it has not left yet, and their blocks backward from there. */
#include "frontend/retarget/unroll.h"

#include "base/hash.h"
#include "base/scan.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

typedef struct Edge {
	u32 from, next; /* of the same block, + 1 */
} Edge;

typedef struct UnrollLoop {
	u32 header, latch;
} UnrollLoop;

typedef struct UnrollFlow {
	Arena *arena;
	LlvmBlocks all;
	u32 *preds; /* per block: first edge + 1 */
	ARRAY(Edge) edges;
	ARRAY(UnrollLoop) loops;
	u8 *seen;  /* 0: not yet, 1: on the way, 2: left */
	u32 *body; /* per block: the loop (+ 1) whose body was walked last */
	ARRAY(u32) walked; /* the blocks of that loop */
} UnrollFlow;

static void find_edges(UnrollFlow *f)
{
	for (u32 b = 0; b < f->all.n; b++)
		for (u32 k = 0; k < llvm_successors(&f->all, b); k++) {
			u32 to = llvm_successor(&f->all, b, k);
			array_push(&f->edges, ((Edge){b, f->preds[to]}));
			f->preds[to] = f->edges.n;
		}
}

static void find_loops(UnrollFlow *f)
{
	struct {
		u32 block, next;
	} *stack = arena_alloc(f->arena, (f->all.n + 1) * sizeof *stack);
	u32 n = 0;
	stack[n++] = (__typeof__(*stack)){0, 0};
	f->seen[0] = 1;
	while (n) {
		u32 b = stack[n - 1].block;
		if (stack[n - 1].next == llvm_successors(&f->all, b)) {
			f->seen[b] = 2;
			n--;
			continue;
		}
		u32 to = llvm_successor(&f->all, b, stack[n - 1].next++);
		if (f->seen[to] == 1)
			array_push(&f->loops, ((UnrollLoop){to, b}));
		if (f->seen[to])
			continue;
		f->seen[to] = 1;
		stack[n++] = (__typeof__(*stack)){to, 0};
	}
}

/* Instructions of a loop, at most `most` + 1; 0: it is not innermost, or has a second latch. Once for each loop. */
static u32 size_of(UnrollFlow *f, u32 loop, u32 most)
{
	const UnrollLoop *l = &f->loops.v[loop];
	ARRAY(u32) work = {0};
	u32 size = 0;
	f->walked.n = 0;
	array_push(&work, l->latch);
	f->body[l->header] = f->body[l->latch] = loop + 1;
	if (l->header != l->latch)
		array_push(&work, l->header);
	while (work.n && size <= most) {
		u32 b = work.v[--work.n];
		array_push(&f->walked, b);
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[b]); i && size <= most;
		     i = LLVMGetNextInstruction(i))
			size += !llvm_debug(i);
		for (u32 e = b == l->header ? 0 : f->preds[b]; e; e = f->edges.v[e - 1].next) {
			u32 from = f->edges.v[e - 1].from;
			if (f->body[from] == loop + 1 || !f->seen[from])
				continue;
			f->body[from] = loop + 1;
			array_push(&work, from);
		}
	}
	for (u32 k = 0; k < f->loops.n; k++)
		if (k != loop && f->body[f->loops.v[k].latch] == loop + 1 &&
		    f->body[f->loops.v[k].header] == loop + 1)
			size = 0;
	array_free(&work);
	return size;
}

/* Of the loop that size_of() walked last: does `what` hold for an instruction of it? */
static bool any_in(const UnrollFlow *f, bool (*what)(LLVMValueRef))
{
	for (u32 k = 0; k < f->walked.n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->all.block[f->walked.v[k]]); i; i = LLVMGetNextInstruction(i))
			if (what(i))
				return true;
	return false;
}

/* An access of a private array by an index that is no constant; of one that registers can hold, half of a lane's. */
enum { REGISTERS = 128 * 4 };

static bool indexes_private(LLVMValueRef i)
{
	LLVMValueRef at = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
	if (!at || LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != SPACE_PRIVATE)
		return false;
	bool varies = false;
	while (LLVMIsABitCastInst(at) || LLVMIsAGetElementPtrInst(at)) {
		for (u32 k = 1; LLVMIsAGetElementPtrInst(at) && k < (u32)LLVMGetNumOperands(at); k++)
			varies |= !LLVMIsConstant(LLVMGetOperand(at, k));
		at = LLVMGetOperand(at, 0);
	}
	if (!varies || !LLVMIsAAllocaInst(at))
		return false;
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
	return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(at)) <= REGISTERS;
}

static bool has_width(LLVMValueRef v, u32 bits)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

/* An index of 32 bits that may wrap: it is widened without its sign. */
static bool wraps(LLVMValueRef i)
{
	if (!LLVMIsAZExtInst(i) || !has_width(i, 64) || !has_width(LLVMGetOperand(i, 0), 32))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
		if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
			return true;
	return false;
}

/* The constant that the loop's branch compares with, of most loops how often they run; 0: none. */
static u64 bound_of(LLVMValueRef branch)
{
	LLVMValueRef test = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
	if (!test || !LLVMIsAICmpInst(test))
		return 0;
	for (u32 k = 0; k < 2; k++) {
		LLVMValueRef c = LLVMGetOperand(test, k);
		if (LLVMIsAConstantInt(c) && LLVMGetIntTypeWidth(LLVMTypeOf(c)) <= 64)
			return LLVMConstIntGetZExtValue(c);
	}
	return 0;
}

/* ---- metadata ---- */

static bool says_unroll(FeModule *m, LLVMValueRef node)
{
	bool found = false;
	for (u32 k = 1; k < llvm_operands(node); k++) {
		const char *text = llvm_operand_text(m->arena, llvm_operand(node, k), 0);
		found |= text && strstr(text, "llvm.loop.unroll");
	}
	return found;
}

/* A node that begins with itself, as those of loops do, then what there was but for `without`, then `more`; either may
 * be NULL. */
static void set_node(FeModule *m, LLVMValueRef branch, LLVMValueRef old, u32 kind, const char *without,
                     LLVMMetadataRef more)
{
	u32 n = llvm_operands(old), k = 1;
	LLVMMetadataRef *op = xcalloc(n + 2, sizeof *op);
	LLVMMetadataRef self = op[0] = LLVMTemporaryMDNode(m->ctx, NULL, 0);
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef was = llvm_operand(old, i);
		const char *text = without ? llvm_operand_text(m->arena, was, 0) : NULL;
		if (was && !(text && !strcmp(text, without)))
			op[k++] = LLVMValueAsMetadata(was);
	}
	if (more)
		op[k++] = more;
	LLVMMetadataRef node = LLVMMDNodeInContext2(m->ctx, op, k);
	LLVMMetadataReplaceAllUsesWith(self, node);
	LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(m->ctx, node));
	free(op);
}

static void set_count(FeModule *m, LLVMValueRef branch, LLVMValueRef old, u32 kind, u32 count)
{
	static const char key[] = "llvm.loop.unroll.count";
	LLVMMetadataRef pair[2] = {
	    LLVMMDStringInContext2(m->ctx, key, sizeof key - 1),
	    LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->ctx), count, 0)),
	};
	set_node(m, branch, old, kind, NULL, LLVMMDNodeInContext2(m->ctx, pair, 2));
}

static u32 loop_kind(const FeModule *m)
{
	static const char name[] = "llvm.loop";
	return LLVMGetMDKindIDInContext(m->ctx, name, sizeof name - 1);
}

/* NVIDIA unrolls twice: the compiler so many times what is small and has no index that wraps, then the assembler. What
 * both unroll may become twice as long; what makes an array registers, much longer. */
enum { BY_COMPILER = 4, ROOM_OF_BOTH = 2, ROOM_OF_ARRAYS = 8, MOST_TURNS = 32 };

static u32 copies_of(const UnrollFlow *f, u32 size, u32 copies, u32 instructions)
{
	u32 by_assembler = copies > BY_COMPILER ? copies / BY_COMPILER : copies;
	u32 n = any_in(f, wraps) ? by_assembler : copies;
	while (n > 1 && n * size > (n > by_assembler ? ROOM_OF_BOTH * instructions : instructions))
		n /= 2;
	return n;
}

static void mark_function(FeModule *m, LLVMValueRef fn, u32 copies, u32 instructions)
{
	u32 kind = loop_kind(m);
	Arena *a = arena_new();
	UnrollFlow f = {.arena = a, .all = llvm_blocks(fn, a)};
	f.preds = ARENA_ARRAY(a, u32, f.all.n);
	f.body = ARENA_ARRAY(a, u32, f.all.n);
	f.seen = ARENA_ARRAY(a, u8, f.all.n);
	find_edges(&f);
	find_loops(&f);
	for (u32 l = 0; l < f.loops.n; l++) {
		LLVMValueRef branch = LLVMGetBasicBlockTerminator(f.all.block[f.loops.v[l].latch]);
		LLVMValueRef old = LLVMGetMetadata(branch, kind);
		if (old && says_unroll(m, old))
			continue;
		u32 room = ROOM_OF_ARRAYS * instructions, size = size_of(&f, l, room);
		u32 count = size ? copies_of(&f, size, copies, instructions) : 1;
		u64 turns = bound_of(branch);
		if (size && size <= room && turns > 1 && turns <= MOST_TURNS && any_in(&f, indexes_private))
			count = (u32)turns;
		if (count > 1)
			set_count(m, branch, old, kind, count);
	}
	array_free(&f.edges);
	array_free(&f.loops);
	array_free(&f.walked);
	arena_free(f.arena);
}

void unroll_mark(FeModule *m, u32 copies, u32 instructions)
{
	llvm_each_function(m->mod, fn)
		if (!LLVMIsDeclaration(fn))
			mark_function(m, fn, copies, instructions);
}

/* ---- what PoCL forbids ---- */

/* A source without its comments: blanks stand there. */
typedef struct UnrollSource {
	const char *file, *text; /* text: NULL: it cannot be read */
} UnrollSource;

typedef struct UnrollSources {
	FeModule *m;
	ARRAY(UnrollSource) known;
} UnrollSources;

static void blank_comments(char *text)
{
	for (char *p = text, *end; *p; p = end) {
		end = p + (source_skip(p) - p);
		for (char *c = *p == '/' ? p : end; c < end; c++)
			*c = *c == '\n' ? '\n' : ' ';
		end += end == p;
	}
}

static const char *text_of(UnrollSources *s, const char *file)
{
	FeModule *m = s->m;
	for (u32 i = 0; i < s->known.n; i++)
		if (!strcmp(s->known.v[i].file, file))
			return s->known.v[i].text;
	const char *given = m->user_path && !strcmp(file, m->user_path) ? m->user_text
	                    : m->src ? source_text(m->src, m->user_path, file, m->arena) : NULL;
	char *text = given ? xstrdup(given) : m->src ? NULL : read_regular_file(file, NULL);
	if (text)
		blank_comments(text);
	array_push(&s->known, ((UnrollSource){file, arena_strdup(m->arena, text)}));
	free(text);
	return s->known.v[s->known.n - 1].text;
}

static const char *line_start(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static bool contains(const char *at, size_t n, const char *word)
{
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= n; i++)
		if (!strncasecmp(at + i, word, length))
			return true;
	return false;
}

/* Is one of the first n of these at p? Loops are first. */
enum { LOOPS = 3, STATEMENTS = 6 };
static bool is_statement(const char *p, u32 n)
{
	static const char *const words[STATEMENTS] = {"for", "while", "do", "if", "else", "switch"};
	size_t length = scan_word(p);
	for (u32 i = 0; i < n; i++)
		if (strlen(words[i]) == length && !strncmp(p, words[i], length))
			return true;
	return false;
}

/* Behind the word at p and what follows it in parentheses. */
static const char *behind_condition(const char *p, const char *end)
{
	p += scan_word(p);
	p += strspn(p, " \t");
	for (u32 depth = 0; p < end; p++) {
		depth += *p == '(';
		if (!depth || (*p == ')' && !--depth))
			return p + (*p == ')');
	}
	return end;
}

/* What stands there before a loop, behind all other statements. */
static const char *behind_statements(const char *at, const char *end)
{
	for (const char *p = at; p < end;) {
		size_t word = scan_word(p);
		if (*p == '=')
			at = p += strcspn(p, ";\n");
		else if (strchr(";:{}", *p))
			at = ++p;
		else if (is_statement(p, STATEMENTS))
			at = p = behind_condition(p, end);
		else
			p += word ? word : 1;
	}
	return at < end ? at : end;
}

/* Does the source speak of unrolling where hints of the loop at a line and column stand: before it in its line, in
 * pragmas and attributes above, or in a line above that is no statement, a macro maybe? */
static bool speaks_of_unrolling(const char *text, u32 line, u32 column)
{
	static const char word[] = "unroll", attribute[] = "__attribute__";
	const char *at = text;
	for (u32 i = 1; at && i < line; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	size_t n = strcspn(at, "\n"), before = column && column - 1 < n ? column - 1 : 0;
	const char *end = at + before, *rest = behind_statements(at, end);
	if (!is_statement(end, LOOPS)) /* a macro that makes it */
		end = at + n;
	if (contains(rest, (size_t)(end - rest), word))
		return true;
	while (rest == at && at > text) {
		rest = at = line_start(text, at - 1);
		n = strcspn(at, "\n");
		size_t blank = strspn(at, " \t");
		bool directive = at[blank] == '#';
		if (at[blank + strspn(at + blank, "\r")] == '\n' || (directive && !contains(at, n, "pragma")))
			continue;
		if (!directive)
			rest = behind_statements(at, at + n);
		if (contains(rest, n - (size_t)(rest - at), word))
			return true;
		if (!directive && strncmp(at + blank, attribute, sizeof attribute - 1) != 0)
			return false;
	}
	return false;
}

static bool is_hinted(UnrollSources *s, LLVMValueRef node)
{
	LLVMValueRef start = llvm_operand(node, 1);
	if (!llvm_is_node(start, LLVMDILocationMetadataKind))
		return false;
	LLVMMetadataRef at = LLVMValueAsMetadata(start), file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
	const char *name = file ? fe_file(s->m, file) : NULL;
	if (!name)
		return false;
	Loc loc = fe_physical(s->m, (Loc){name, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at)});
	const char *text = text_of(s, loc.file);
	return text && speaks_of_unrolling(text, loc.line, loc.col);
}

void unroll_allow(FeModule *m)
{
	static const char forbidden[] = "llvm.loop.unroll.disable";
	u32 kind = loop_kind(m);
	UnrollSources sources = {.m = m};
	llvm_each_function(m->mod, fn)
		for (LLVMBasicBlockRef b = LLVMGetSubprogram(fn) ? LLVMGetFirstBasicBlock(fn) : NULL; b;
		     b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
			LLVMValueRef node = branch ? LLVMGetMetadata(branch, kind) : NULL;
			bool forbids = false;
			for (u32 i = 1; i < llvm_operands(node); i++) {
				const char *text = llvm_operand_text(m->arena, llvm_operand(node, i), 0);
				forbids |= text && !strcmp(text, forbidden);
			}
			if (forbids && !is_hinted(&sources, node))
				set_node(m, branch, node, kind, forbidden, NULL);
		}
	array_free(&sources.known);
}
