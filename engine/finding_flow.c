/* What the flow of control says about a finding: which work-items returned before a barrier, what keeps a loop from
 * ending. Of the former only the source tells: compiled, `if (i >= n) return;` is the same as a branch around the
 * rest. */
#include "engine/advice.h"
#include "engine/findings.h"

/* Which blocks control comes from to that one, itself included? */
static bool *blocks_before(const Program *p, u32 block, Arena *a)
{
	bool *before = ARENA_ARRAY(a, bool, p->blocks.n + 1);
	before[block] = true;
	for (bool more = true; more;) {
		more = false;
		for (u32 b = p->blocks.n; b-- > 0;) {
			u32 n;
			const u32 *next = block_succs(p, b, &n);
			for (u32 i = 0; i < n && !before[b]; i++)
				more |= before[b] = before[next[i]];
		}
	}
	return before;
}

/* The last branch before a block at which lanes parted, of whose two sides one does not come to it; NULL: none. */
static const Ins *parting_branch(const Program *p, const Profile *prof, u32 block, Arena *a)
{
	const bool *before = blocks_before(p, block, a);
	for (u32 b = block; b-- > 0;) {
		const Ins *end = &p->ins.v[p->blocks.v[b].first + p->blocks.v[b].n - 1];
		const u32 *to = ins_tgt(p, end);
		if (end->op == OP_br && end->ntgt == 2 && prof->blocks[b].divergent && before[to[0]] != before[to[1]])
			return end;
	}
	return NULL;
}

/* Behind the bracket at *s, its pair included. */
static const char *behind_pair(const char *s)
{
	u32 depth = 0;
	SrcStep step;
	while (source_next(&s, &step)) {
		depth += source_is_char(&step, '(') || source_is_char(&step, '{');
		depth -= source_is_char(&step, ')') || source_is_char(&step, '}');
		if (!depth)
			break;
	}
	return s;
}

static const char *over_space(const char *s)
{
	SrcStep step;
	for (const char *next = s; source_next(&next, &step); s = next)
		if (step.kind != SRC_BLANK && step.kind != SRC_COMMENT)
			break;
	return s;
}

/* Behind the first such word that begins before an end, or NULL: there is none. */
static const char *behind_word(const char *s, const char *end, const char *word)
{
	SrcStep step;
	while (s && s < end && source_next(&s, &step))
		if (source_is(&step, word))
			return s;
	return NULL;
}

static const char *place_in(const char *text, const SrcLoc *at)
{
	for (u32 line = 1; text && line < at->line; line++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

/* Behind the statement at s: a block, or what a semicolon ends that is in no parentheses. */
static const char *behind_statement(const char *s)
{
	u32 depth = 0;
	SrcStep step;
	while (source_next(&s, &step)) {
		if (source_is_char(&step, '{') && !depth)
			return behind_pair(step.at);
		depth += source_is_char(&step, '(');
		depth -= source_is_char(&step, ')') && depth;
		if (source_is_char(&step, ';') && !depth)
			break;
	}
	return s;
}

/* Is the word at s a macro of the text whose definition has an if and a return: GUARD(i, n)? */
static bool macro_returns(const char *text, const char *s)
{
	SrcStep macro, name;
	if (!source_next(&s, &macro) || macro.kind != SRC_WORD)
		return false;
	for (const char *at = text; (at = strstr(at, "#define ")) != NULL;) {
		at += strlen("#define ");
		if (!source_next(&at, &name) || name.n != macro.n || memcmp(name.at, macro.at, name.n))
			continue;
		const char *end = strchrnul(at, '\n');
		while (*end && end[-1] == '\\')
			end = strchrnul(end + 1, '\n');
		return behind_word(at, end, "if") && behind_word(at, end, "return");
	}
	return false;
}

/* Has the if on that line a return in its body or its else's, all of it before `barrier`? */
static bool returns_before(const char *text, const SrcLoc *branch, const SrcLoc *barrier)
{
	const char *s = place_in(text, branch), *until = place_in(text, barrier);
	const char *end = s ? strchrnul(s, '\n') : NULL;
	if (s && until && s < until && branch->col && macro_returns(text, s + branch->col - 1))
		return true;
	s = behind_word(s, end, "if");
	s = s && until ? over_space(s) : NULL;
	if (!s || *s != '(')
		return false;
	s = behind_pair(s);
	end = behind_statement(s);
	if (end > until || behind_word(s, end, "return"))
		return end <= until;
	s = over_space(end);
	s = behind_word(s, s + 1, "else");
	end = s ? behind_statement(s) : NULL;
	return end && end <= until && behind_word(s, end, "return");
}

u32 finding_parting(const Program *p, const Profile *prof, u32 ins, Arena *a)
{
	u32 block = program_block_of(p, ins);
	const Ins *branch = block < p->blocks.n ? parting_branch(p, prof, block, a) : NULL;
	return branch ? (u32)(branch - p->ins.v) : p->ins.n;
}

const SrcLoc *finding_return(const ResultInput *in, const Program *p, const Profile *prof, u32 ins, Arena *a)
{
	u32 block = program_block_of(p, ins);
	const Ins *branch = block < p->blocks.n ? parting_branch(p, prof, block, a) : NULL;
	const SrcLoc *at = branch ? program_place(p, branch->loc) : NULL;
	const SrcLoc *barrier = program_place(p, p->ins.v[ins].loc);
	if (!at || !barrier || at->file != barrier->file)
		return NULL;
	for (u32 i = 0; i < in->nsources; i++)
		if (!strcmp(in->sources[i].name, p->files.v[at->file]))
			return returns_before(in->sources[i].text, at, barrier) ? at : NULL;
	return NULL;
}

/* Are registers that the loop computes made of what its atomics return? made: one for each register, all false. */
static bool waits_for_atomic(const Program *p, const LoopBlocks *loop, bool *made)
{
	bool waits = false;
	for (bool more = true; more;) {
		more = false;
		for (u32 b = loop->first; b <= loop->last; b++)
			for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
				const Ins *x = &p->ins.v[i];
				bool of = x->op == OP_atomic || x->op == OP_cas ||
				          (x->op == OP_ld && x->sync >= SYNC_ATOMIC);
				for (u32 k = 0; k < x->nsrc; k++)
					of |= made[ins_src(p, x)[k]];
				waits |= of && x->ntgt > 1;
				for (u32 d = 0; of && d < x->ndst; d++) {
					more |= !made[ins_dst(p, x)[d]];
					made[ins_dst(p, x)[d]] = true;
				}
			}
	}
	return waits;
}

EndlessLoop finding_endless_loop(const Program *p, u32 ins, Arena *a)
{
	LoopBlocks loop;
	u32 block = program_block_of(p, ins), work = 0;
	bool waits = false;
	if (block == p->blocks.n || !loop_around(p, block, &loop))
		return ENDLESS_other;
	do {
		waits = waits_for_atomic(p, &loop, ARENA_ARRAY(a, bool, p->regs.n + 1));
		for (u32 b = loop.first; b <= loop.last; b++)
			work += p->blocks.v[b].weight;
	} while (!waits && loop_outside(p, block, &loop));
	return waits ? ENDLESS_waits : work ? ENDLESS_other : ENDLESS_empty;
}
