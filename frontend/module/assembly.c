/* Inline assembly: see assembly.h, and assembly_parts.h for its files. */
#include "frontend/module/assembly_parts.h"

#include <math.h>
#include <stdlib.h>

enum { SWAPPED = 1, SHIFT = 2, ONES = 4, HIGH = 8, SUM = 16, SCC = 32 };

typedef struct AsmStep {
	LLVMOpcode opcode;
	const char *intrinsic; /* or NULL */
} AsmStep;

typedef struct AsmRow {
	const char *name;
	AsmType result, operand;
	u8 n, how; /* n: operands that are written */
	AsmStep step, then; /* opcode 0 and no intrinsic: there is none */
} AsmRow;

#define OP(opcode) opcode, NULL
#define OF(name) 0, name
static const AsmRow rows[] = {
#define NOTHING(row) {.name = row},
#define CALLS(row, to, function) {.name = row, .result = to, .step = {OF(function)}},
#define ASM(row, to, from, count, flags, first) \
	{.name = row, .result = to, .operand = from, .n = count, .how = flags, .step = {first}},
#define ASM2(row, t, count, flags, first, second) \
	{.name = row, .result = t, .operand = t, .n = count, .how = flags, .step = {first}, .then = {second}},
#include "frontend/module/assembly.def"
};

/* ---- what is written ---- */

static bool hex_digits(const char *s) { return isxdigit((unsigned char)s[0]) && isxdigit((unsigned char)s[1]); }

/* What stands between the next quotes, as LLVM prints it; *p moves behind. */
static char *unquoted(const char **p, Arena *arena)
{
	Buf b = {0};
	const char *s = strchr(*p, '"');
	for (s = s ? s + 1 : ""; *s && *s != '"'; s++) {
		bool escape = *s == '\\', code = escape && hex_digits(s + 1);
		s += *s == '$' && s[1] == '|'; /* clang's for a bar that separates no dialects */
		buf_printf(&b, "%c", code ? (int)strtol((char[]){s[1], s[2], 0}, NULL, 16) : *s);
		s += code ? 2 : escape && s[1] == '\\';
	}
	*p = *s ? s + 1 : s;
	return buf_keep(&b, arena);
}

/* Values that registers hold as they are. */
static bool is_plain(LLVMTypeRef t)
{
	LLVMTypeKind k = LLVMGetTypeKind(t);
	k = k == LLVMVectorTypeKind ? LLVMGetTypeKind(LLVMGetElementType(t)) : k;
	return k == LLVMIntegerTypeKind || k == LLVMHalfTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind ||
	       (k == LLVMPointerTypeKind && LLVMGetTypeKind(t) == k);
}

static bool plain_results(LLVMTypeRef t, u32 n)
{
	if (LLVMGetTypeKind(t) != LLVMStructTypeKind)
		return LLVMGetTypeKind(t) == LLVMVoidTypeKind ? n == 0 : n == 1 && is_plain(t);
	bool ok = LLVMCountStructElementTypes(t) == n;
	for (u32 i = 0; i < n && ok; i++)
		ok = is_plain(LLVMStructGetTypeAtIndex(t, i));
	return ok;
}

/* What each constraint stands for: a result, an argument, or an argument that a result begins with. */
static bool read_constraints(Asm *a, const char *list)
{
	u32 arg = 0, nargs = LLVMGetNumArgOperands(a->call);
	for (const char *p = list; *p; p += *p == ',') {
		const char *word = p;
		p += strcspn(p, ",");
		if (*word == '~')
			continue;
		bool fixed = *word == '=' && memchr(word, '{', (size_t)(p - word));
		if (a->n == MOST_VALUES || fixed || memchr(word, '*', (size_t)(p - word)))
			return false;
		a->same[a->n] = a->n;
		a->value[a->n] = *word == '=' || arg == nargs ? NULL : LLVMGetOperand(a->call, arg++);
		a->nresults += *word == '=';
		unsigned long same = strtoul(word, NULL, 10);
		if (isdigit((unsigned char)*word) && same < a->nresults) {
			a->value[same] = a->value[a->n];
			a->same[a->n] = (u32)same;
		}
		a->n++;
	}
	LLVMTypeRef t = LLVMTypeOf(a->call);
	for (u32 i = 0; i < nargs; i++)
		if (!is_plain(LLVMTypeOf(LLVMGetOperand(a->call, i))))
			return false;
	if (arg != nargs || !plain_results(t, a->nresults))
		return false;
	bool many = LLVMGetTypeKind(t) == LLVMStructTypeKind;
	for (u32 i = a->nresults; i < a->n; i++)
		if (!a->value[i])
			return false;
	for (u32 i = 0; i < a->n; i++)
		a->type[i] = i >= a->nresults ? LLVMTypeOf(a->value[i]) : many ? LLVMStructGetTypeAtIndex(t, i) : t;
	for (u32 i = 0; i < a->n; i++)
		if (llvm_bits(a->m->td, a->type[i]) != llvm_bits(a->m->td, a->type[a->same[i]]))
			return false;
	return true;
}

/* %=, a number of its own for each expansion, as the source has it: clang's is ${:uid}. */
static void own_numbers(char *lines)
{
	static const char uid[] = "${:uid}";
	const size_t n = sizeof uid - 1;
	for (char *p = lines; (p = strstr(p, uid)); p += 2) {
		memcpy(p, "%=", 2);
		memmove(p + 2, p + n, strlen(p + n) + 1);
	}
}

/* (LLVMGetInlineAsmAsmString came with LLVM 18.) */
static bool begin(Asm *a, const FeModule *m, LLVMValueRef call, char **lines)
{
	*a = (Asm){.m = m, .call = call};
	char *text = LLVMPrintValueToString(LLVMGetCalledValue(call));
	const char *p = strstr(text, " asm ");
	p = p ? p : text;
	*lines = unquoted(&p, m->arena);
	own_numbers(*lines);
	bool ok = read_constraints(a, unquoted(&p, m->arena));
	LLVMDisposeMessage(text);
	return ok;
}

/* ---- values ---- */

LLVMTypeRef asm_type(const Asm *a, AsmType t)
{
	LLVMContextRef c = a->m->ctx;
	switch (t) {
	case NONE: return LLVMVoidTypeInContext(c);
	case F16: return LLVMHalfTypeInContext(c);
	case F32: return LLVMFloatTypeInContext(c);
	case F64: return LLVMDoubleTypeInContext(c);
	case I32: return LLVMInt32TypeInContext(c);
	case I64: return LLVMInt64TypeInContext(c);
	case H2: return LLVMVectorType(LLVMHalfTypeInContext(c), 2);
	case F2: return LLVMVectorType(LLVMFloatTypeInContext(c), 2);
	}
	return NULL;
}

static bool is_float(AsmType t) { return t == F16 || t == F32 || t == F64; }

/* The bits of a register in another type. One that has no value holds 0: the source is warned (Asm.before). */
static LLVMValueRef as_type(const Asm *a, LLVMValueRef v, LLVMTypeRef t)
{
	return v && a->b ? llvm_bits_as(a->b, a->m->td, v, t) : LLVMConstNull(t);
}

/* May a register with a value of the source's be such an operand? Of a shorter one nobody knows the upper bits. */
static bool fits(const Asm *a, LLVMTypeRef own, AsmType t)
{
	u32 has = llvm_bits(a->m->td, own), bits = llvm_bits(a->m->td, asm_type(a, t));
	return has == bits || (t == F16 && has == 32);
}

static bool is_short(double x)
{
	x = fabs(x);
	return x == 0 || x == 0.5 || x == 1 || x == 2 || x == 4;
}

LLVMValueRef asm_number(const Asm *a, const char **p, AsmType t)
{
	const char *digits = *p + (**p == '-');
	char *whole, *real;
	if (!isdigit((unsigned char)*digits) || t == H2 || t == F2)
		return NULL;
	u64 n = strtoull(*p, &whole, 0);
	double x = strtod(*p, &real);
	if (whole < real) {
		*p = real;
		return is_float(t) && (t != F64 || is_short(x)) ? LLVMConstReal(asm_type(a, t), x) : NULL;
	}
	*p = whole;
	LLVMTypeRef type = asm_type(a, t);
	u32 bits = llvm_bits(a->m->td, type);
	bool inlined = (i64)n >= -16 && (i64)n <= 64, large = (i64)n < INT32_MIN || (i64)n > UINT32_MAX;
	if (!inlined && large)
		return NULL;
	n = bits < 64 || inlined ? n : t == F64 ? (u64)(u32)n << 32 : (u64)(u32)n;
	n = bits < 64 ? n & (((u64)1 << bits) - 1) : n;
	return LLVMConstBitCast(LLVMConstInt(LLVMIntTypeInContext(a->m->ctx, bits), n, 0), type);
}

/* ---- instructions ---- */

LLVMValueRef asm_call(const Asm *a, const char *name, LLVMTypeRef result, LLVMValueRef *x, u32 n)
{
	LLVMTypeRef types[] = {result, n ? LLVMTypeOf(x[0]) : NULL};
	bool both = n == 1 && types[0] != types[1]; /* a conversion */
	return llvm_call(a->b, llvm_intrinsic(a->m->mod, name, types, 1 + both), x, n);
}

static void note_read(Asm *a, u32 n)
{
	u32 from = a->same[n];
	a->before[from] |= from < a->nresults && !a->value[from] && !a->written[from];
}

LLVMValueRef asm_operand(Asm *a, const char **p, AsmType t, bool amount)
{
	scan_skip(p);
	const char *s = *p;
	bool minus = *s == '-' && (s[1] == '$' || s[1] == '|'), size = s[minus] == '|';
	s += minus + size;
	if (*s != '$')
		return minus || size ? NULL : asm_number(a, p, t);
	char *end;
	unsigned long n = strtoul(s + 1, &end, 10);
	if (end == s + 1 || n >= a->n || (size && *end != '|') || ((minus || size) && !is_float(t)))
		return NULL;
	LLVMTypeRef type = asm_type(a, t);
	if (!fits(a, a->type[n], amount ? I32 : t))
		return NULL;
	*p = end + size;
	note_read(a, (u32)n);
	LLVMValueRef v = as_type(a, a->value[a->same[n]], type);
	if (size && a->b)
		v = asm_call(a, "llvm.fabs", type, &v, 1);
	return minus && a->b ? LLVMBuildFNeg(a->b, v, "") : v;
}

static u32 register_at(const Asm *a, const char **p, u32 bits)
{
	scan_skip(p);
	char *end;
	if (**p != '$')
		return MOST_VALUES;
	unsigned long n = strtoul(*p + 1, &end, 10);
	if (end == *p + 1 || n >= a->n || llvm_bits(a->m->td, a->type[n]) != bits)
		return MOST_VALUES;
	*p = end;
	return (u32)n;
}

u32 asm_register(Asm *a, const char **p, u32 bits)
{
	u32 n = register_at(a, p, bits);
	if (n < MOST_VALUES)
		note_read(a, n);
	return n;
}

u32 asm_result(const Asm *a, const char **p, u32 bits)
{
	u32 n = register_at(a, p, bits), to = n < MOST_VALUES ? a->same[n] : n;
	return to < a->nresults ? to : MOST_VALUES;
}

void asm_write(Asm *a, u32 to, LLVMValueRef v)
{
	a->written[to] = true;
	if (a->b)
		a->value[to] = v;
}

LLVMValueRef asm_value(const Asm *a, u32 n, LLVMTypeRef t)
{
	return as_type(a, a->value[a->same[n]], t);
}

static bool is_step(const AsmStep *s) { return s->opcode || s->intrinsic; }

static LLVMValueRef step(const Asm *a, const AsmRow *r, const AsmStep *s, LLVMValueRef *x, u32 n)
{
	LLVMTypeRef t = asm_type(a, r->result);
	if (s->intrinsic)
		return asm_call(a, s->intrinsic, t, x, n);
	return n == 1 ? LLVMBuildCast(a->b, s->opcode, x[0], t, "") : LLVMBuildBinOp(a->b, s->opcode, x[0], x[1], "");
}

static LLVMValueRef high_half(const Asm *a, const AsmRow *r, LLVMValueRef *x)
{
	LLVMTypeRef wide = LLVMInt64TypeInContext(a->m->ctx);
	LLVMValueRef u = LLVMBuildCast(a->b, r->step.opcode, x[0], wide, "");
	LLVMValueRef v = LLVMBuildCast(a->b, r->step.opcode, x[1], wide, "");
	v = LLVMBuildLShr(a->b, LLVMBuildMul(a->b, u, v, ""), LLVMConstInt(wide, 32, 0), "");
	return LLVMBuildTrunc(a->b, v, asm_type(a, r->result), "");
}

/* x has room for more than n. */
static LLVMValueRef compute(const Asm *a, const AsmRow *r, LLVMValueRef *x, u32 n)
{
	LLVMTypeRef t = asm_type(a, r->operand);
	if (r->how & SWAPPED) {
		LLVMValueRef first = x[0];
		x[0] = x[1];
		x[1] = first;
	}
	if (r->how & SHIFT)
		x[1] = LLVMBuildAnd(a->b, x[1], LLVMConstInt(t, LLVMGetIntTypeWidth(t) - 1, 0), "");
	if (r->how & ONES)
		x[n++] = LLVMConstAllOnes(t);
	if (r->how & HIGH)
		return high_half(a, r, x);
	bool two = is_step(&r->then);
	LLVMValueRef v = step(a, r, &r->step, x, n - two);
	return two ? step(a, r, &r->then, (LLVMValueRef[]){v, x[n - 1]}, 2) : v;
}

/* Without the encoding that a name may end in. */
static size_t name_length(const char *word, size_t n)
{
	bool has = n > 4 && (!strncmp(word + n - 4, "_e32", 4) || !strncmp(word + n - 4, "_e64", 4));
	return has ? n - 4 : n;
}

static const AsmRow *row_of(const char *word, size_t n)
{
	for (u32 i = 0; i < COUNT(rows); i++)
		if (scan_is(word, n, rows[i].name))
			return &rows[i];
	return NULL;
}

bool asm_is_own(const char *p)
{
	return *p && strchr("vsa", *p) && (isdigit((unsigned char)p[1]) || p[1] == '[');
}

/* Does the kernel end behind it, whichever way a lane comes? All lanes end there: no other may still have to run. */
static bool ends_kernel(const Asm *a)
{
	LLVMValueRef next = LLVMGetNextInstruction(a->call), f = a->m->kernel;
	while (next && (llvm_debug(next) != LLVM_NO_DEBUG || llvm_is_lifetime(next)))
		next = LLVMGetNextInstruction(next);
	bool only = next && LLVMIsAReturnInst(next) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(a->call)) == f;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); only && b; b = LLVMGetNextBasicBlock(b))
		only = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)) || LLVMGetBasicBlockTerminator(b) == next;
	return only;
}

/* An instruction, up to the end of its line. False: one, or operands, that are not known. What is computed in registers
 * that the assembly chose itself shows in no value of the source. */
static bool instruction(Asm *a, const char *p)
{
	const char *word = p;
	size_t n = scan_word(p), length = name_length(p, n);
	const AsmRow *r = row_of(p, length);
	p += n;
	scan_skip(&p);
	if (a->ended)
		return false;
	if (scan_is(word, length, "s_endpgm")) {
		a->ended = true;
		return !*p && ends_kernel(a);
	}
	AsmRead other = asm_matrix(a, word, n, p);
	other = other == ASM_OTHER ? asm_mask(a, word, length, p) : other;
	other = other == ASM_OTHER ? asm_memory(a, word, length, p) : other;
	if (other != ASM_OTHER)
		return other == ASM_GOOD;
	if (r && r->how & SCC)
		a->scc.known = false;
	if (!r || !is_step(&r->step) || (r->result != NONE && asm_is_own(p)))
		return r != NULL;
	char *end = NULL;
	bool gives = *p == '$' && isdigit((unsigned char)p[1]);
	unsigned long to = gives ? strtoul(p + 1, &end, 10) : MOST_VALUES;
	if (gives != (r->result != NONE) || (gives && (to >= a->n || a->same[to] >= a->nresults)))
		return false;
	to = gives ? a->same[to] : to;
	if (gives && !fits(a, a->type[to], r->result))
		return false;
	p = gives ? end : p;
	LLVMValueRef x[MOST_OPERANDS + 1];
	u32 amount = !(r->how & SHIFT) ? MOST_OPERANDS : r->how & SWAPPED ? 0 : 1;
	for (u32 i = 0; i < r->n; i++) {
		scan_take(&p, ","); /* or a space */
		if (!(x[i] = asm_operand(a, &p, r->operand, i == amount)))
			return false;
	}
	scan_skip(&p);
	if (*p)
		return false;
	u32 count = r->n;
	if (r->how & SUM) {
		note_read(a, (u32)to);
		x[count++] = as_type(a, a->value[to], asm_type(a, r->operand));
	}
	LLVMValueRef v = NULL;
	if (a->b)
		v = r->n ? compute(a, r, x, count) : asm_call(a, r->step.intrinsic, asm_type(a, r->result), NULL, 0);
	if (gives)
		asm_write(a, (u32)to, v);
	return true;
}

/* NAME: ; the lines up to one are left out where a branch leads there. */
static bool is_label(const char *p, const char *name)
{
	size_t n = strcspn(p, ": \t");
	return p[n] == ':' && !p[n + 1 + strspn(p + n + 1, " \t")] && (!name || scan_is(p, n, name));
}

/* The label's name, of `1f` (the next 1:) the number; NULL: no branch to a label. */
static const char *branch_to(const char *p, Arena *arena)
{
	static const char branch[] = "s_branch";
	const size_t n = sizeof branch - 1;
	if (strncmp(p, branch, n) != 0 || !isspace((unsigned char)p[n]))
		return NULL;
	p += n;
	scan_skip(&p);
	size_t length = strcspn(p, " \t"), digits = strspn(p, "0123456789");
	if (digits == length) /* a distance in dwords, of code that is not there */
		return NULL;
	return arena_strndup(arena, p, digits + 1 == length && p[digits] == 'f' ? digits : length);
}

/* All lines; NULL, or the one that is not known. A semicolon begins a comment. A branch leads on, to a line below. */
static const char *each_line(Asm *a, char *lines)
{
	const char *to = NULL, *branch = NULL;
	for (char *line = lines, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		const char *comment = strstr(line, "//");
		line[strcspn(line, ";")] = 0;
		if (comment && comment < line + strlen(line))
			line[comment - line] = 0;
		const char *p = line;
		scan_skip(&p);
		if (is_label(p, to))
			to = NULL;
		else if (!to && (to = branch_to(p, a->m->arena)))
			branch = p;
		else if (!to && *p && !instruction(a, p))
			return p;
	}
	return to ? branch : NULL;
}

/* ---- the functions of assembly.h ---- */

const char *assembly_unknown(const FeModule *m, LLVMValueRef call, u32 *unwritten)
{
	Asm a;
	char *lines;
	*unwritten = UINT32_MAX;
	if (!begin(&a, m, call, &lines))
		return "operands that are no numbers, or in registers of its own choice";
	const char *line = each_line(&a, lines);
	for (u32 i = 0; i < a.nresults && !line; i++) {
		if (!a.written[i] && !a.before[i] && !a.value[i])
			return "a result that nothing is written to";
		*unwritten = a.before[i] ? i : *unwritten;
	}
	if (!line)
		return NULL;
	char *out = arena_strdup(m->arena, line);
	for (char *p = out; *p; p++)
		*p = *p == '$' ? '%' : *p == '\t' ? ' ' : *p;
	return out;
}

static void expand(FeModule *m, LLVMValueRef call)
{
	Asm a;
	char *lines;
	if (!begin(&a, m, call, &lines))
		return;
	LLVMTypeRef t = LLVMTypeOf(call);
	a.b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderBefore(a.b, call);
	each_line(&a, lines);
	if (LLVMGetTypeKind(t) != LLVMVoidTypeKind) {
		LLVMValueRef v = LLVMGetUndef(t);
		if (LLVMGetTypeKind(t) != LLVMStructTypeKind)
			v = as_type(&a, a.value[0], t);
		else
			for (u32 i = 0; i < a.nresults; i++)
				v = LLVMBuildInsertValue(a.b, v, as_type(&a, a.value[i], a.type[i]), i, "");
		LLVMReplaceAllUsesWith(call, v);
	}
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(a.b);
}

void assembly_expand(FeModule *m)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
				expand(m, i);
}
