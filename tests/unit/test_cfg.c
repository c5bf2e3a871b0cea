/* Successors and post-dominators, against the definition: b post-dominates a when
 * every path from a to the exit goes through b. The definition is tried out by
 * removing b and looking whether a still reaches the exit. */
#include "isa/isa.h"
#include "tests/unit/random_program.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_cfg(void);

enum { MAX_BLOCKS = 12 };

/* A kernel with the blocks "0>1,2 1>3 2>3 3>": a block with no successor returns. */
static Program *graph(const char *edges)
{
	Buf text = {0};
	Diag d;
	diag_init(&d);
	buf_printf(&text, "kernel \"k\"\nreg v0:i32\nreg v1:b1\nfunc 0\n");
	for (const char *s = edges; *s;) {
		u32 to[4], n = 0, b = (u32)strtoul(s, (char **)&s, 10);
		s++;
		while (*s >= '0' && *s <= '9') {
			to[n++] = (u32)strtoul(s, (char **)&s, 10);
			s += *s == ',';
		}
		s += *s == ' ';
		buf_printf(&text, "block %u\n", b);
		if (n == 0)
			buf_printf(&text, "\tret\n");
		else if (n == 1)
			buf_printf(&text, "\tjmp -> %u\n", to[0]);
		else if (n == 2)
			buf_printf(&text, "\tbr v1 -> %u, %u\n", to[0], to[1]);
		else
			buf_printf(&text, "\tswitch v0 -> %u [1: %u, 2: %u]\n", to[0], to[1],
				   to[2]);
	}
	Program *p = program_parse(edges, text.v, &d);
	if (!p) {
		Buf m = {0};
		diag_print(&d, &m);
		fprintf(stderr, "%s", m.v);
		array_free(&m);
	}
	diag_free(&d);
	array_free(&text);
	return p;
}

/* The edges of function f as a matrix, block n the exit. Blocks that cannot reach the
 * exit: the last of them leads there too, again and again. */
typedef struct Matrix {
	u32 n;
	bool edge[64][65];
} Matrix;

static bool reaches(const Matrix *m, u32 from, u32 without)
{
	bool seen[65] = {false};
	u32 stack[65], depth = 0;
	if (from == without)
		return false;
	stack[depth++] = from;
	seen[from] = true;
	while (depth) {
		u32 b = stack[--depth];
		if (b == m->n)
			return true;
		for (u32 to = 0; to <= m->n; to++) {
			if (m->edge[b][to] && to != without && !seen[to]) {
				seen[to] = true;
				stack[depth++] = to;
			}
		}
	}
	return false;
}

static void matrix(Matrix *m, const Program *p, u32 f)
{
	const Func *fn = &p->funcs.v[f];
	memset(m, 0, sizeof *m);
	m->n = fn->nblocks;
	for (u32 b = 0; b < m->n; b++) {
		u32 ns;
		const u32 *succ = block_succs(p, fn->first_block + b, &ns);
		for (u32 k = 0; k < ns; k++)
			m->edge[b][succ[k] - fn->first_block] = true;
		m->edge[b][m->n] = ns == 0;
	}
	for (u32 b = m->n; b-- > 0;)
		if (!reaches(m, b, UINT32_MAX))
			m->edge[b][m->n] = true;
}

/* Is every ipdom of function f the nearest of the blocks that post-dominate it? */
static bool right(const Program *p, u32 f)
{
	static Matrix m;
	const Func *fn = &p->funcs.v[f];
	if (fn->nblocks > 64)
		return true;
	matrix(&m, p, f);
	for (u32 a = 0; a < m.n; a++) {
		u32 nearest = NO_BLOCK;
		for (u32 b = 0; b < m.n; b++) {
			if (b == a || reaches(&m, a, b))
				continue;
			/* b is nearer than c when c also post-dominates b. */
			if (nearest == NO_BLOCK || !reaches(&m, b, nearest))
				nearest = b;
		}
		u32 want = nearest == NO_BLOCK ? NO_BLOCK : fn->first_block + nearest;
		if (p->blocks.v[fn->first_block + a].ipdom != want) {
			fprintf(stderr, "block %u joins at %u, not %u\n", fn->first_block + a,
				p->blocks.v[fn->first_block + a].ipdom, want);
			return false;
		}
	}
	return true;
}

static void known_graphs(void)
{
	static const struct {
		const char *edges;
		u32 ipdom[MAX_BLOCKS]; /* NO_BLOCK as 99 */
	} cases[] = {
	    {"0>", {99}},
	    {"0>1,2 1>2 2>", {2, 2, 99}},                               /* if */
	    {"0>1,2 1>3 2>3 3>", {3, 3, 3, 99}},                        /* if, else */
	    {"0>1,5 1>2,3 2>4 3>4 4>6 5>6 6>", {6, 4, 4, 4, 6, 6, 99}}, /* nested */
	    {"0>1 1>1,2 2>", {1, 2, 99}},                               /* loop of one block */
	    {"0>1 1>2,4 2>3,4 3>1,4 4>", {1, 4, 4, 4, 99}},             /* loop with three exits */
	    {"0>1 1>2 2>2,3 3>1,4 4>", {1, 2, 3, 4, 99}},               /* loop in a loop */
	    {"0>1,2 1> 2>", {99, 99, 99}},                              /* two returns */
	    {"0>1,2 1>3 2> 3>", {99, 3, 99, 99}},                       /* a return inside */
	    {"0>1,2,3 1>4 2>3 3>4 4>", {4, 4, 3, 4, 99}}, /* switch that falls through */
	    {"0>1,2 1>2 2>1,3 3>", {2, 2, 3, 99}},        /* irreducible */
	    {"0>0", {99}},                                /* endless */
	    {"0>1 1>2,3 2>4 3>4 4>1", {1, 4, 4, 4, 99}},  /* endless, with an if inside */
	    {"0>1,3 1>2 2>1 3>", {99, 2, 99, 99}},        /* some lanes endless */
	    {"0>1 1>0,2 2>2", {1, 2, 99}},                /* a loop, then an endless one */
	    {"0>2 1>2 2>", {2, 2, 99}},                   /* a block nobody reaches */
	    {"0>1,1 1>", {1, 99}},                        /* both ways the same */
	};
	for (u32 i = 0; i < COUNT(cases); i++) {
		Program *p = graph(cases[i].edges);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		bool ok = right(p, 0);
		for (u32 b = 0; b < p->blocks.n; b++)
			ok &= p->blocks.v[b].ipdom ==
			      (cases[i].ipdom[b] == 99 ? NO_BLOCK : cases[i].ipdom[b]);
		CU_ASSERT_TRUE(ok);
		if (!ok)
			fprintf(stderr, "graph %s\n", cases[i].edges);
		program_free(p);
	}
}

static void random_graphs(void)
{
	u64 rng = 7;
	for (u32 i = 0; i < 2000; i++) {
		Buf edges = {0};
		u32 n = 1 + (u32)(random_next(&rng) >> 40) % 10;
		for (u32 b = 0; b < n; b++) {
			u32 out = (u32)(random_next(&rng) >> 40) % 4;
			buf_printf(&edges, "%u>", b);
			for (u32 k = 0; k < out; k++)
				buf_printf(&edges, "%s%u", k ? "," : "",
					   (u32)(random_next(&rng) >> 40) % n);
			buf_printf(&edges, " ");
		}
		Program *p = graph(edges.v);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		CU_ASSERT_TRUE(right(p, 0));
		program_free(p);
		array_free(&edges);
	}
}

static void random_programs(void)
{
	for (u64 seed = 0; seed < 60; seed++) {
		Program *p = random_program(seed, &random_shape);
		for (u32 f = 0; f < p->funcs.n; f++)
			CU_ASSERT_TRUE(right(p, f));
		program_free(p);
	}
}

/* A chain of many blocks: no recursion, no quadratic time. */
static void long_chain(void)
{
	enum { N = 100000 };
	Program *p = program_new();
	p->kernel = "k";
	array_push(&p->funcs, ((Func){.name = "k"}));
	for (u32 b = 0; b < N; b++) {
		program_block(p, NULL);
		u32 next = b + 1;
		program_emit(p, b + 1 < N ? OP_jmp : OP_ret, NULL, 0, NULL, 0, &next, b + 1 < N, 0);
	}
	program_finish(p);
	for (u32 b = 0; b + 1 < N; b++)
		if (p->blocks.v[b].ipdom != b + 1)
			CU_FAIL("wrong post-dominator in a chain");
	u32 ns;
	CU_ASSERT_EQUAL(block_succs(p, 5, &ns)[0], 6);
	CU_ASSERT_EQUAL(ns, 1);
	program_free(p);
}

void suite_cfg(void)
{
	CU_pSuite s = CU_add_suite("cfg", NULL, NULL);
	CU_add_test(s, "post-dominators of known graphs", known_graphs);
	CU_add_test(s, "post-dominators of random graphs", random_graphs);
	CU_add_test(s, "post-dominators of random programs", random_programs);
	CU_add_test(s, "a long chain", long_chain);
}
