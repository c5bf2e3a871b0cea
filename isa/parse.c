/* Read the text form (isa/README.md): one line, one thing. Numbers of functions,
 * blocks, files and so on are written down in the text and must count up; the
 * numbers of registers are free, but not larger than the text is long, so that a
 * small file cannot ask for much memory. Every line that is wrong gets one message;
 * a text without such lines still has to pass the verifier. */
#include "isa/parse.h"
#include "isa/text.h"

enum { MAX_OPERANDS = UINT16_MAX };

u32 parse_pool(Parser *ps, Type t, u128 v)
{
	u32 i = program_const(ps->pool, t, v);
	while (ps->place.n <= i)
		array_push(&ps->place, UINT32_MAX);
	return i;
}

bool parse_at_reg(Lex *l)
{
	if (!lex_is(l, "v") && !lex_is(l, "s") && !lex_is(l, "c"))
		return false;
	return l->at[1] >= '0' && l->at[1] <= '9';
}

void parse_declare(Parser *ps, u32 n, Type t, RegKind kind)
{
	while (ps->p->regs.n <= n) {
		program_reg(ps->p, T_i32, REG_SCALAR, NULL);
		array_push(&ps->known, false);
	}
	ps->p->regs.v[n].type = (u8)t;
	ps->p->regs.v[n].kind = (u8)kind;
	ps->known.v[n] = true;
}

/* v12, s3, v12:f32; the type declares the register when nothing has before. */
bool parse_reg(Parser *ps, u32 *r)
{
	Lex *l = &ps->l;
	if (!parse_at_reg(l))
		return lex_fail(l, l->at, "expected a register, v or s and a number");
	const char *start = l->at;
	char letter = *l->at++;
	RegKind kind = letter == 'v' ? REG_VECTOR : letter == 's' ? REG_SCALAR : REG_CONST;
	u32 n;
	if (!lex_number(l, &n, ps->max_reg, "a register number"))
		return false;
	bool known = n < ps->known.n && ps->known.v[n];
	if (*l->at == ':') {
		Type t;
		l->at++;
		if (!lex_type(l, &t))
			return false;
		if (known && ps->p->regs.v[n].type != t)
			return lex_fail(l, start, "register %u has type %s", n,
					type_name[ps->p->regs.v[n].type]);
		if (!known && kind != REG_CONST)
			parse_declare(ps, n, t, kind), known = true;
	}
	if (!known && kind == REG_CONST)
		return lex_fail(l, start, "there is no reg line for constant c%u", n);
	if (!known)
		return lex_fail(l, start,
				"register %u is not declared; give its type, as in %c%u:i32", n,
				letter, n);
	if (ps->p->regs.v[n].kind != kind)
		return lex_fail(l, start, "register %u is not a %s", n,
				kind == REG_VECTOR   ? "vector register (v)"
				: kind == REG_SCALAR ? "scalar register (s)"
						     : "constant (c)");
	*r = n;
	return true;
}

static bool parse_operand(Parser *ps, u32 *r)
{
	if (parse_at_reg(&ps->l))
		return parse_reg(ps, r);
	Type t;
	u128 v;
	if (!lex_const(&ps->l, &t, &v))
		return false;
	*r = POOLED | parse_pool(ps, t, v);
	return true;
}

bool parse_index(Parser *ps, u32 next, const char *what)
{
	Lex *l = &ps->l;
	lex_end(l);
	const char *start = l->at;
	u32 n;
	if (!lex_number(l, &n, UINT32_MAX - 1, what))
		return false;
	if (n != next)
		return lex_fail(l, start, "%s must be %u, the next one", what, next);
	return true;
}

bool parse_name(Parser *ps, const char **name)
{
	*name = NULL;
	return lex_is(&ps->l, "\"") ? lex_string(&ps->l, name) : !ps->l.failed;
}

/* ---- code ---- */

static u32 parse_func_regs(Parser *ps)
{
	u32 n = 0, r;
	if (lex_take(&ps->l, ")"))
		return 0;
	do {
		if (!parse_reg(ps, &r))
			return n;
		array_push(&ps->p->opnds, r);
		n++;
	} while (lex_take(&ps->l, ","));
	lex_expect(&ps->l, ")");
	return n;
}

static void parse_func(Parser *ps)
{
	Func f = {.first_block = ps->p->blocks.n};
	if (!parse_index(ps, ps->p->funcs.n, "the function number") || !parse_name(ps, &f.name))
		return;
	f.params = ps->p->opnds.n;
	if (lex_take(&ps->l, "params") && lex_expect(&ps->l, "("))
		f.nparams = parse_func_regs(ps);
	f.results = ps->p->opnds.n;
	if (lex_take(&ps->l, "results") && lex_expect(&ps->l, "("))
		f.nresults = parse_func_regs(ps);
	array_push(&ps->p->funcs, f);
}

static void parse_block(Parser *ps)
{
	Lex *l = &ps->l;
	const char *name;
	u32 depth = 0;
	if (!ps->p->funcs.n) {
		lex_fail(l, l->at, "a block must stand in a function; there is no func line above");
		return;
	}
	if (!parse_index(ps, ps->p->blocks.n, "the block number") || !parse_name(ps, &name))
		return;
	if (lex_take(l, "depth"))
		lex_number(l, &depth, UINT16_MAX, "a loop depth");
	u32 b = program_block(ps->p, name);
	ps->p->blocks.v[b].loop_depth = (u16)depth;
	ps->p->blocks.v[b].masked = lex_take(l, "masked");
}

static bool parse_suffixes(Parser *ps, Op op, u32 *space, u32 *aux)
{
	Lex *l = &ps->l;
	AuxKind kind = op_aux(op);
	if (kind == AUX_ATOMIC && lex_expect(l, "."))
		lex_name(l, atomic_name, ATOMIC_COUNT, aux, "an atomic operation");
	if (kind == AUX_QUERY && lex_expect(l, "."))
		lex_name(l, query_name, QUERY_COUNT, aux, "a launch value");
	if (kind == AUX_FOLD && lex_expect(l, "."))
		lex_name(l, fold_name, FOLD_COUNT, aux, "what lanes are joined by");
	if (kind == AUX_NUMBER && lex_expect(l, "."))
		lex_number(l, aux, UINT8_MAX, "a suffix");
	if (op_has_space(op) && lex_expect(l, "."))
		lex_name(l, space_name, SPACE_COUNT, space, "an address space");
	if (kind == AUX_SPACE && lex_expect(l, "."))
		lex_name(l, space_name, SPACE_COUNT, aux, "an address space");
	if (kind == AUX_ALIGN && lex_take(l, "."))
		lex_number(l, aux, 5, "an alignment");
	return !l->failed;
}

/* A program names few of all operations, each many times. */
static u32 find_op(Parser *ps, const char *name, u32 n)
{
	u16 *recent = &ps->recent[((u32)name[0] + 3u * (u32)name[n / 2] + 7u * (u32)name[n - 1]) % COUNT(ps->recent)];
	if (strcmp(op_info[*recent].name, name) == 0)
		return *recent;
	u32 found = op_by_name(name);
	if (found < OP_COUNT)
		*recent = (u16)found;
	return found;
}

static bool parse_op(Parser *ps, Op *op)
{
	Lex *l = &ps->l;
	LexWord w;
	char name[48];
	if (!lex_word(l, &w, "an operation"))
		return false;
	u32 n = w.n < sizeof name - 1 ? w.n : (u32)sizeof name - 1;
	memcpy(name, w.s, n);
	name[n] = 0;
	u32 found = find_op(ps, name, n);
	if (found == OP_COUNT || n < w.n) {
		const char *names[OP_COUNT];
		for (u32 i = 0; i < OP_COUNT; i++)
			names[i] = op_info[i].name;
		lex_fail(l, w.s, "there is no operation %.*s", (int)w.n, w.s);
		lex_hint(l, w, names, OP_COUNT);
		return false;
	}
	*op = (Op)found;
	return true;
}

static bool room(Parser *ps, const Numbers *n)
{
	if (n->n < MAX_OPERANDS)
		return true;
	return lex_fail(&ps->l, ps->l.at, "an instruction has at most %u operands of a kind",
			MAX_OPERANDS);
}

/* [value: block, …] behind the default target */
static void parse_cases(Parser *ps)
{
	Lex *l = &ps->l;
	if (!lex_expect(l, "[") || lex_take(l, "]"))
		return;
	do {
		i64 value;
		u32 block;
		if (!room(ps, &ps->tgt) || !lex_i64(l, &value, "a case") || !lex_expect(l, ":") ||
		    !lex_number(l, &block, UINT32_MAX - 1, "a block"))
			return;
		array_push(&ps->p->cases, value);
		array_push(&ps->tgt, block);
	} while (lex_take(l, ","));
	lex_expect(l, "]");
}

static void parse_targets(Parser *ps)
{
	if (!lex_take(&ps->l, "->"))
		return;
	do {
		u32 block;
		if (!room(ps, &ps->tgt) || !lex_number(&ps->l, &block, UINT32_MAX - 1, "a target"))
			return;
		array_push(&ps->tgt, block);
	} while (lex_take(&ps->l, ","));
}

/* @line:col or @file:line:col */
static u32 parse_place(Parser *ps)
{
	Lex *l = &ps->l;
	if (!lex_take(l, "@"))
		return 0;
	const char *start = l->at;
	u32 n[3] = {0}, count = 0;
	do
		if (!lex_number(l, &n[count++], UINT32_MAX, "a source place"))
			return 0;
	while (count < 3 && lex_take(l, ":"));
	u32 file = count == 3 ? n[0] : 0, line = n[count == 3], col = n[count - 1];
	if (count < 2)
		lex_fail(l, start, "a source place is line:column or file:line:column");
	else if (file >= ps->p->files.n)
		lex_fail(l, start, "there is no file %u", file);
	else if (!line)
		lex_fail(l, start, "source lines count from 1");
	return l->failed ? 0 : program_loc(ps->p, ps->p->files.v[file], line, col);
}

/* Registers, one by `one`, with commas between them. */
static void parse_list(Parser *ps, Numbers *list, bool (*one)(Parser *, u32 *))
{
	u32 r;
	do {
		if (!room(ps, list) || !one(ps, &r))
			return;
		array_push(list, r);
	} while (lex_take(&ps->l, ","));
}

static void parse_results(Parser *ps)
{
	if (!parse_at_reg(&ps->l))
		return;
	parse_list(ps, &ps->dst, parse_reg);
	lex_expect(&ps->l, "=");
}

static bool at_operand(Lex *l)
{
	if (parse_at_reg(l))
		return true;
	const char *s = l->at + (*l->at == '-');
	return !l->failed && *s >= '0' && *s <= '9';
}

static void parse_live(Parser *ps)
{
	u32 live;
	if (lex_take(&ps->l, "!") && lex_number(&ps->l, &live, UINT16_MAX, "live registers"))
		array_push(&ps->p->live_vgprs, (u16)live);
}

static void parse_ins(Parser *ps)
{
	Lex *l = &ps->l;
	Op op = OP_unreachable;
	u32 space = 0, aux = 0, cases = ps->p->cases.n;
	i64 imm = 0;
	ps->dst.n = ps->src.n = ps->tgt.n = 0;
	if (!ps->p->blocks.n || !ps->p->funcs.v[ps->p->funcs.n - 1].nblocks) {
		lex_fail(l, l->at,
			 "an instruction must stand in a block; there is no block line above");
		return;
	}
	parse_results(ps);
	if (l->failed || !parse_op(ps, &op) || !parse_suffixes(ps, op, &space, &aux))
		return;
	if (at_operand(&ps->l))
		parse_list(ps, &ps->src, parse_operand);
	if (lex_take(l, "*") || lex_is(l, "+") || (lex_is(l, "-") && !lex_is(l, "->")))
		lex_i64(l, &imm, "an immediate");
	parse_targets(ps);
	if (op == OP_switch)
		parse_cases(ps);
	u32 loc = parse_place(ps);
	parse_live(ps);
	if (l->failed)
		return;
	Ins *i = program_emit(ps->p, op, ps->dst.v, ps->dst.n, ps->src.v, ps->src.n, ps->tgt.v,
			      ps->tgt.n, loc);
	i->space = (u8)space;
	i->aux = (u8)aux;
	i->imm = imm;
	i->cases = op == OP_switch ? cases : 0;
	array_push(&ps->lines, l->line);
}

/* ---- the whole text ---- */

typedef struct LineKind {
	const char *word;
	void (*parse)(Parser *ps);
} LineKind;

static const LineKind line_kind[] = {
    {"kernel", parse_kernel}, {"reqd_local", parse_reqd_local}, {"max_group", parse_max_group},
    {"constant_args", parse_constant_args},
    {"peak", parse_peak},     {"file", parse_file},             {"format", parse_format},
    {"object", parse_object}, {"arg", parse_arg},               {"reg", parse_reg_line},
    {"param", parse_param},   {"func", parse_func},             {"block", parse_block},
};

static void parse_line(Parser *ps)
{
	Lex *l = &ps->l;
	if (lex_end(l))
		return;
	const char *start = l->at;
	LexWord w = {0};
	bool found = false;
	lex_word(l, &w, "a line that starts with a word");
	for (u32 i = 0; i < COUNT(line_kind) && !found && !l->failed; i++) {
		found = word_is(w, line_kind[i].word);
		if (found)
			line_kind[i].parse(ps);
	}
	if (!found && !l->failed) {
		l->at = start;
		parse_ins(ps);
	}
	if (!lex_end(l))
		lex_fail(l, l->at, "this does not belong here; the line is complete before it");
}

/* Give the pooled constants their registers and put these into the operands. */
static void place_constants(Parser *ps)
{
	Program *p = ps->p;
	for (u32 i = 0; i < ps->place.n; i++)
		if (ps->place.v[i] == UINT32_MAX)
			ps->place.v[i] =
			    program_const(p, ps->pool->regs.v[i].type, ps->pool->regs.v[i].value);
	for (u32 i = 0; i < p->ins.n; i++) {
		u32 *src = p->opnds.v + p->ins.v[i].opnd + p->ins.v[i].ndst;
		for (u32 s = 0; s < p->ins.v[i].nsrc; s++)
			if (src[s] & POOLED)
				src[s] = ps->place.v[src[s] & ~POOLED];
	}
}

Program *program_parse(const char *name, const char *text, Diag *d)
{
	Parser ps = {.p = program_new(), .pool = program_new(), .data_left = MAX_OBJECT};
	size_t n = strlen(text);
	ps.max_reg = n < POOLED / 2 ? (u32)n : POOLED / 2;
	ps.l = (Lex){.file = name, .text = text, .at = text, .d = d, .arena = ps.p->arena};
	while (ps.l.errors < LEX_MAX_ERRORS && lex_next_line(&ps.l))
		parse_line(&ps);
	bool ok = ps.l.errors == 0;
	if (ok) {
		place_constants(&ps);
		program_finish(ps.p);
		ok = verify_lines(ps.p, d, name, ps.lines.v);
	}
	program_free(ps.pool);
	array_free(&ps.place);
	array_free(&ps.known);
	array_free(&ps.lines);
	array_free(&ps.dst);
	array_free(&ps.src);
	array_free(&ps.tgt);
	if (ok)
		return ps.p;
	program_free(ps.p);
	return NULL;
}
