/* Programs built, printed and parsed: the text form both ways, and what it says about
 * mistakes. Rejected programs are in test_verify.c. */
#include "isa/isa.h"
#include "tests/unit/random_program.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_text(void);

/* ---- equality of programs ---- */

static bool same_string(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_ins(const Program *p, const Program *q, u32 k)
{
	const Ins *a = &p->ins.v[k], *b = &q->ins.v[k];
	if (a->op != b->op || a->space != b->space || a->aux != b->aux || a->imm != b->imm ||
	    a->ndst != b->ndst || a->nsrc != b->nsrc || a->ntgt != b->ntgt)
		return false;
	if (memcmp(ins_dst(p, a), ins_dst(q, b), 4 * ((u32)a->ndst + a->nsrc + a->ntgt)))
		return false;
	if (a->op == OP_switch &&
	    memcmp(&p->cases.v[a->cases], &q->cases.v[b->cases], 8 * (a->ntgt - 1u)))
		return false;
	if (!a->loc || !b->loc)
		return a->loc == b->loc;
	const SrcLoc *x = &p->locs.v[a->loc], *y = &q->locs.v[b->loc];
	return x->line == y->line && x->col == y->col && x->file == y->file;
}

static bool same_object(const Object *a, const Object *b)
{
	return a->space == b->space && a->seg == b->seg && a->size == b->size &&
	       a->align == b->align && same_string(a->name, b->name) && a->nrelocs == b->nrelocs &&
	       !a->data == !b->data && (!a->data || !memcmp(a->data, b->data, a->size)) &&
	       (!a->nrelocs || !memcmp(a->relocs, b->relocs, sizeof(Reloc) * a->nrelocs));
}

static bool same_arg(const KernelArg *a, const KernelArg *b)
{
	return same_string(a->name, b->name) && same_string(a->type_name, b->type_name) &&
	       a->kind == b->kind && a->elem_class == b->elem_class &&
	       a->elem_bytes == b->elem_bytes && a->width == b->width && a->size == b->size &&
	       a->is_const == b->is_const && a->is_restrict == b->is_restrict && a->writes == b->writes &&
	       a->image_dims == b->image_dims && a->seg == b->seg;
}

static bool same_head(const Program *p, const Program *q)
{
	bool same =
	    same_string(p->kernel, q->kernel) && !memcmp(p->reqd_local, q->reqd_local, 12) &&
	    p->max_group == q->max_group && p->constant_args == q->constant_args &&
	    p->peak_vgprs == q->peak_vgprs && p->peak_sgprs == q->peak_sgprs &&
	    p->files.n == q->files.n && p->formats.n == q->formats.n && p->args.n == q->args.n &&
	    p->objects.n == q->objects.n && p->params.n == q->params.n && p->regs.n == q->regs.n;
	for (u32 i = 0; same && i < p->files.n; i++)
		same = !strcmp(p->files.v[i], q->files.v[i]);
	for (u32 i = 0; same && i < p->formats.n; i++)
		same = !strcmp(p->formats.v[i], q->formats.v[i]);
	for (u32 i = 0; same && i < p->objects.n; i++)
		same = same_object(&p->objects.v[i], &q->objects.v[i]);
	for (u32 i = 0; same && i < p->args.n; i++)
		same = same_arg(&p->args.v[i], &q->args.v[i]);
	for (u32 i = 0; same && i < p->params.n; i++) {
		const Param *a = &p->params.v[i], *b = &q->params.v[i];
		same = a->reg == b->reg && a->arg == b->arg && a->offset == b->offset &&
		       a->by_address == b->by_address;
	}
	for (u32 i = 0; same && i < p->regs.n; i++) {
		const Reg *a = &p->regs.v[i], *b = &q->regs.v[i];
		same = a->type == b->type && a->kind == b->kind && a->slot == b->slot &&
		       a->value == b->value && same_string(a->name, b->name);
	}
	return same;
}

static bool same_program(const Program *p, const Program *q)
{
	if (!same_head(p, q) || p->funcs.n != q->funcs.n || p->blocks.n != q->blocks.n ||
	    p->ins.n != q->ins.n || p->live_vgprs.n != q->live_vgprs.n)
		return false;
	for (u32 i = 0; i < p->funcs.n; i++) {
		const Func *a = &p->funcs.v[i], *b = &q->funcs.v[i];
		if (!same_string(a->name, b->name) || a->first_block != b->first_block ||
		    a->nblocks != b->nblocks || a->nparams != b->nparams ||
		    a->nresults != b->nresults ||
		    memcmp(p->opnds.v + a->params, q->opnds.v + b->params, 4 * a->nparams) ||
		    memcmp(p->opnds.v + a->results, q->opnds.v + b->results, 4 * a->nresults))
			return false;
	}
	for (u32 i = 0; i < p->blocks.n; i++) {
		const Block *a = &p->blocks.v[i], *b = &q->blocks.v[i];
		if (a->first != b->first || a->n != b->n || a->func != b->func ||
		    a->ipdom != b->ipdom || a->weight != b->weight ||
		    a->loop_depth != b->loop_depth || a->masked != b->masked ||
		    !same_string(a->name, b->name))
			return false;
	}
	for (u32 i = 0; i < p->ins.n; i++)
		if (!same_ins(p, q, i))
			return false;
	return !p->live_vgprs.n || !memcmp(p->live_vgprs.v, q->live_vgprs.v, 2 * p->live_vgprs.n);
}

/* ---- text form ---- */

static void complain(const Diag *d)
{
	Buf m = {0};
	diag_print(d, &m);
	if (m.n)
		fprintf(stderr, "%s", m.v);
	array_free(&m);
}

/* Print, parse, print: the same program and the same text. */
static bool round_trips(const Program *p)
{
	Diag d;
	Buf first = {0}, second = {0};
	diag_init(&d);
	program_print(p, &first);
	Program *q = program_parse("again.wave", first.v, &d);
	bool same = q && same_program(p, q);
	if (q)
		program_print(q, &second);
	same = same && !strcmp(first.v, second.v);
	complain(&d);
	diag_free(&d);
	program_free(q);
	array_free(&first);
	array_free(&second);
	return same;
}

static void samples(void)
{
	static const char *const files[] = {"tests/isa/saxpy.wave", "tests/isa/reduce.wave",
					    "tests/isa/collatz.wave"};
	for (u32 i = 0; i < COUNT(files); i++) {
		Diag d;
		diag_init(&d);
		char *text = read_file(files[i], NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		Program *p = program_parse(files[i], text, &d);
		complain(&d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		CU_ASSERT_TRUE(round_trips(p));
		program_free(p);
		diag_free(&d);
		free(text);
	}
}

static void random_programs(void)
{
	for (u64 seed = 0; seed < 150; seed++) {
		Diag d;
		diag_init(&d);
		Program *p = random_program(seed, &random_shape);
		bool ok = program_verify(p, &d);
		complain(&d);
		CU_ASSERT_TRUE(ok);
		bool same = ok && round_trips(p);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "seed %llu does not round-trip\n",
				(unsigned long long)seed);
		program_free(p);
		diag_free(&d);
	}
}

/* Everything the text form can say, in one program. */
static void every_feature(void)
{
	static const char text[] =
	    "kernel \"k \\\"q\\\" \\\\ \\n\\t\\x01\xc3\xa9\"\r\n"
	    "reqd_local 8 4 2\n"
	    "max_group 64\n"
	    "constant_args\n"
	    "peak vgprs 12 sgprs 7\n"
	    "file 0 \"a.cl\"\n"
	    "file 1 \"b.h\"  # the other one\n"
	    "format 0 \"%d\\n\"\n"
	    "format 1 \"\"\n"
	    "object 0 \"t\" constant seg 1 size 32 align 16 data 00ff10 reloc 8 to 1 -4 reloc 16 "
	    "to 0 +0\n"
	    "object 1 global seg 2 size 4 align 4 data 00\n"
	    "object 2 \"big\" lds seg 1 size 2097153 align 16\n"
	    "object 3 \"l\" lds seg 4 size 0 align 1\n"
	    "object 4 \"p\" private seg 9 size 12 align 4\n"
	    "arg 0 \"a\" value type \"float3\" elem float bytes 4 width 3 size 16\n"
	    "arg 1 \"i\" image type \"image2d_t\" dims 2 writes\n"
	    "arg 2 local type \"int*\" elem int bytes 4 width 1 size 4\n"
	    "arg 3 \"s\" sampler\n"
	    "arg 4 \"c\" constant const restrict\n"
	    "reg v1:f32 slot 1 \"acc\"\n"
	    "reg v3:f32 slot 0\n"
	    "reg s4:i64\n"
	    "reg c5 = 7:i32 \"seven\"\n"
	    "reg v6:i128 slot 0\n"
	    "param s4:i64 arg 0 offset 8\n"
	    "param s7:i64 arg 1 offset 0 by_address\n"
	    "func 0 \"k\"\n"
	    "block 0 \"entry\"\n"
	    "\tv1:f32 = fadd_f32 1.5:f32, -0:f32  @3:1\n"
	    "\tv3:f32 = fadd_f32 0x7fc00001:f32, 1e-45:f32  @1:3:0\n"
	    "\tv8:f64 = fadd_f64 0.1:f64, 0xfff0000000000000:f64\n"
	    "\tv6:i128 = add_i128 0x123456789abcdef0123456789abcdef0:i128, -1:i128\n"
	    "\tv9:i8 = add_i8 200:i8, -128:i8\n"
	    "\tv10:b1 = xor_b1 1:b1, 0:b1\n"
	    "\tv11:i32 = add_i32 7:i32, c5\n"
	    "\tv12:i32, v13:i32 = ld.global s4 -16\n"
	    "\tst.lds 0x100000:i32, v12, v13 +4\n"
	    "\tv14:i32 = atomic.umax.flat s4, v12 +8\n"
	    "\tv15:i64 = cas.global s4, 1:i64, 2:i64\n"
	    "\tcopy.private.constant 0x900000:i32, s4, 12:i32\n"
	    "\tfill.lds 0x100000:i32, 0:i8, 4:i64\n"
	    "\tv16:i64 = toflat.private v12\n"
	    "\tv17:i32 = tolds v16\n"
	    "\tfence\n"
	    "\tv18:i32 = pick v11, v12, v13, 3:i32\n"
	    "\tv19:i32, v20:i32 = poke v11, 9:i32, v12, v13\n"
	    "\tv21:i32, s22:i32 = call v12, v1 -> 1\n"
	    "\tbarrier\n"
	    "\ts23:i32 = query.wave_size\n"
	    "\tv24:i32 = printf v12, s4 +1\n"
	    "\ts25:i64 = async_copy.1 s4, 0x100000:i32, 4:i64, 1:i64, 0:i64 +4\n"
	    "\tasync_copied\n"
	    "\tasync_wait.0 1:i32, 0x900000:i32\n"
	    "\tasync_wait.2 s25, 1:i64\n"
	    "\ts26:i64 = ballot v10\n"
	    "\ts27:i32 = readfirst v12\n"
	    "\ts28:i32 = readlane v12, s27\n"
	    "\tv29:i32 = bpermute v11, v12 +1\n"
	    "\tv35:i128 = mov 0:i128\n"
	    "\ts36:i128 = reduce.umax v35\n"
	    "\tv37:i32 = reduce.add v12 +8\n"
	    "\tv38:i32 = scan.smin v12 +1\n"
	    "\twhole\n"
	    "\ts30:i64 = lea_i64 s4, 3:i64 *-8\n"
	    "\tswitch v12 -> 3 [1: 1, -7: 2, 9223372036854775807: 3]\n"
	    "block 1 depth 2 masked\n"
	    "\tjmp -> 3\n"
	    "block 2 \"else\" masked\n"
	    "\tunreachable\n"
	    "block 3\n"
	    "\tret\n"
	    "func 1 params(v31:i32, v32:f32) results(v33:i32, s34:i32)\n"
	    "block 4\n"
	    "\tswitch v31 -> 5 []\n"
	    "block 5\n"
	    "\tret v31, 5:i32\n";
	Diag d;
	diag_init(&d);
	Program *p = program_parse("all.wave", text, &d);
	complain(&d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_STRING_EQUAL(p->kernel, "k \"q\" \\ \n\t\x01\xc3\xa9");
	CU_ASSERT_TRUE(p->constant_args);
	CU_ASSERT_EQUAL(p->objects.v[0].data[1], 0xFF);
	CU_ASSERT_EQUAL(p->objects.v[0].relocs[0].addend, -4);
	CU_ASSERT_EQUAL(p->regs.v[5].value, 7);
	CU_ASSERT_EQUAL(ins_src(p, &p->ins.v[6])[0], 5); /* 7:i32 is the declared constant */
	CU_ASSERT_EQUAL(ins_src(p, &p->ins.v[6])[1], 5);
	CU_ASSERT_EQUAL(p->regs.v[ins_src(p, &p->ins.v[0])[1]].value, 0x80000000u);
	CU_ASSERT_EQUAL(p->regs.v[ins_src(p, &p->ins.v[1])[1]].value, 1);
	CU_ASSERT_EQUAL(p->regs.v[ins_src(p, &p->ins.v[4])[1]].value, 0x80);
	CU_ASSERT(p->regs.v[ins_src(p, &p->ins.v[3])[1]].value == ~(u128)0);
	CU_ASSERT_EQUAL(p->blocks.v[0].ipdom, NO_BLOCK);
	CU_ASSERT_EQUAL(p->blocks.v[1].ipdom, 3);
	CU_ASSERT_TRUE(round_trips(p));
	/* With register counts for each instruction. */
	for (u32 i = 0; i < p->ins.n; i++)
		array_push(&p->live_vgprs, (u16)(i * 3));
	CU_ASSERT_TRUE(round_trips(p));
	program_free(p);
	diag_free(&d);
}

/* The program in the README, indented there by four blanks. */
static void readme_program(void)
{
	Buf text = {0};
	Diag d;
	diag_init(&d);
	char *readme = read_file("isa/README.md", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(readme);
	const char *at = strstr(readme, "    kernel \"saxpy\"");
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	while (!strncmp(at, "    ", 4) || *at == '\n') {
		size_t n = strcspn(at, "\n") + 1;
		buf_write(&text, at, n);
		at += n;
	}
	Program *p = program_parse("isa/README.md", text.v, &d);
	complain(&d);
	CU_ASSERT_PTR_NOT_NULL(p);
	CU_ASSERT(p && round_trips(p));
	program_free(p);
	diag_free(&d);
	array_free(&text);
	free(readme);
}

/* ---- mistakes in a text ---- */

static void mistakes(void)
{
#define K "kernel \"k\"\nfunc 0\nblock 0\n"
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"", "t.wave: error: the program does not name its kernel\nt.wave: error: there is no "
		 "function\n"},
	    {"%", "t.wave:1:1: error: expected a line that starts with a word here\n    1 | %\n    "
		  "  | ^\n"},
	    {"kernel k\n", "t.wave:1:8: error: expected a string in double quotes\n    1 | kernel "
			   "k\n      |        ^\n"},
	    {"kernel \"k", "t.wave:1:8: error: this string has no closing quote\n    1 | kernel "
			   "\"k\n      |        ^\n"},
	    {"kernel \"\\q\"",
	     "t.wave:1:9: error: unknown escape in a string; there are \\\" \\\\ \\n \\t \\xHH\n"
	     "    1 | kernel \"\\q\"\n      |         ^\n"},
	    {"file 1 \"x\"", "t.wave:1:6: error: the file number must be 0, the next one\n"
			     "    1 | file 1 \"x\"\n      |      ^\n"},
	    {K "\tv1:i32 = ad_i32 1:i32, 2:i32\n\tret\n",
	     "t.wave:4:11: error: there is no operation ad_i32\n    4 | \tv1:i32 = ad_i32 1:i32, "
	     "2:i32\n"
	     "      | \t         ^\nhint: did you mean add_i32?\n"},
	    {K "\tv1:i32 = add_i32 1, 2:i32\n\tret\n",
	     "t.wave:4:19: error: a constant needs its type behind it, as in 1:i32\n"
	     "    4 | \tv1:i32 = add_i32 1, 2:i32\n      | \t                 ^\n"},
	    {K "\tv1:i32 = add_i32 1:i23, 2:i32\n\tret\n",
	     "t.wave:4:21: error: i23 is not a type\n    4 | \tv1:i32 = add_i32 1:i23, 2:i32\n"
	     "      | \t                   ^\nhint: did you mean i8?\n"},
	    {K "\tv1:i8 = add_i8 256:i8, 2:i8\n\tret\n",
	     "t.wave:4:17: error: 256 is not a value of type i8\n    4 | \tv1:i8 = add_i8 256:i8, "
	     "2:i8\n"
	     "      | \t               ^\n"},
	    {K "\tv1:i32 = add_i32 v7, 2:i32\n\tret\n",
	     "t.wave:4:19: error: register 7 is not declared; give its type, as in v7:i32\n"
	     "    4 | \tv1:i32 = add_i32 v7, 2:i32\n      | \t                 ^\n"},
	    {K "\tv1:i32 = ld.local 0:i64\n\tret\n",
	     "t.wave:4:14: error: local is not an address space\n    4 | \tv1:i32 = ld.local "
	     "0:i64\n"
	     "      | \t            ^\nhint: did you mean global?\n"},
	    {K "\tv9999999:i32 = mov 1:i32\n\tret\n",
	     "t.wave:4:3: error: a register number is too large; it may be at most 57\n"
	     "    4 | \tv9999999:i32 = mov 1:i32\n      | \t ^\n"},
	    {K "\tret ret\n",
	     "t.wave:4:6: error: this does not belong here; the line is complete before it\n"
	     "    4 | \tret ret\n      | \t    ^\n"},
	    {K "\tret @5:1\n",
	     "t.wave:4:7: error: there is no file 0\n    4 | \tret @5:1\n      | \t     ^\n"},
	    {"func 0\n\tret\n", "t.wave:2:2: error: an instruction must stand in a block; there is "
				"no block line above\n"
				"    2 | \tret\n      | \t^\n"},
	    {"block 0\n",
	     "t.wave:1:6: error: a block must stand in a function; there is no func line above\n"
	     "    1 | block 0\n      |      ^\n"},
	    {"object 0 lds seg 1 size 999999999 align 1\n",
	     "t.wave:1:25: error: an object size is too large; it may be at most 268435456\n"
	     "    1 | object 0 lds seg 1 size 999999999 align 1\n      |                         "
	     "^\n"},
	    {"object 0 constant seg 1 size 2 align 1 data 001122\n",
	     "t.wave:1:45: error: 3 bytes of data do not fit in size 2\n"
	     "    1 | object 0 constant seg 1 size 2 align 1 data 001122\n"
	     "      |                                             ^\n"},
	    {"arg 0 value elm float\n",
	     "t.wave:1:13: error: elm is not a word of an argument\n    1 | arg 0 value elm float\n"
	     "      |             ^\nhint: did you mean elem?\n"},
	    {"reg v0:i32\nreg v0:i32\n",
	     "t.wave:2:5: error: register 0 is declared already\n    2 | reg v0:i32\n"
	     "      |     ^\n"},
	    {K "\tv1:i32 = mov 1:i32\n\tv1:i64 = mov 1:i64\n\tret\n",
	     "t.wave:5:2: error: register 1 has type i32\n    5 | \tv1:i64 = mov 1:i64\n      | "
	     "\t^\n"},
	};
	for (u32 i = 0; i < COUNT(cases); i++) {
		Diag d;
		Buf m = {0};
		diag_init(&d);
		Program *p = program_parse("t.wave", cases[i].text, &d);
		CU_ASSERT_PTR_NULL(p);
		diag_print(&d, &m);
		bool same = !strncmp(m.v ? m.v : "", cases[i].message, strlen(cases[i].message));
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "case %u gave\n%sinstead of\n%s", i, m.v ? m.v : "",
				cases[i].message);
		array_free(&m);
		diag_free(&d);
		program_free(p);
	}
}

/* Every line gets its message, up to a limit. */
static void many_mistakes(void)
{
	Diag d;
	Buf text = {0};
	diag_init(&d);
	for (u32 i = 0; i < 200; i++)
		buf_printf(&text, "bogus %u\n", i);
	CU_ASSERT_PTR_NULL(program_parse("t.wave", text.v, &d));
	CU_ASSERT_EQUAL(d.errors, 50);
	diag_free(&d);
	array_free(&text);
}

/* However many errors there are and however long their line is: a bounded number of bounded texts. */
static void endless_mistakes(void)
{
	enum { N = 5000 };
	Diag d;
	Buf line = {0}, out = {0};
	diag_init(&d);
	for (u32 i = 0; i < N; i++)
		buf_printf(&line, "%05u ", i);
	buf_printf(&line, "\nshort\n");
	for (u32 i = 0; i < N; i++) {
		diag_error(&d, (Loc){"a.cl", 1, 6 * i + 1}, "wrong: %u", i);
		diag_source(&d, line.v);
		diag_hint(&d, "no %u", i);
	}
	CU_ASSERT_EQUAL(d.errors, N);
	CU_ASSERT_EQUAL(d.lost, N - DIAG_MOST);
	CU_ASSERT_EQUAL(d.msgs.n, DIAG_MOST + 1);
	diag_print(&d, &out);
	CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "a.cl:1:5995: error: wrong: 999\n"));
	CU_ASSERT_PTR_NULL(strstr(out.v, "wrong: 1000"));
	CU_ASSERT_PTR_NULL(strstr(out.v, "wrong: 4999"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out.v, "wavesim: note: and 4000 more\n"));
	CU_ASSERT_TRUE(out.n < DIAG_MOST * 1000);
	/* The caret is under the column all the same. */
	const char *at = strstr(out.v, "wrong: 999\n") + strlen("wrong: 999\n"), *below = strchr(at, '\n') + 1;
	CU_ASSERT_EQUAL(memcmp(at + strcspn(below, "^"), "00999 ", 6), 0);
	diag_free(&d);
	array_free(&line);
	array_free(&out);
}

/* A part of a long line has whole characters only. */
static void part_of_line(void)
{
	Diag d;
	Buf line = {0};
	diag_init(&d);
	for (u32 i = 0; i < 1000; i++)
		buf_printf(&line, "\xE2\x82\xAC");
	for (u32 i = 0; i < 3 * 1000; i += 7) {
		diag_error(&d, (Loc){"a.cl", 1, i + 1}, "wrong");
		diag_source(&d, line.v);
		const DiagMsg *m = &d.msgs.v[d.msgs.n - 1];
		char *clean = utf8_clean(m->source, strlen(m->source));
		CU_ASSERT_STRING_EQUAL(clean, m->source);
		CU_ASSERT_EQUAL(m->from % 3, 0);
		CU_ASSERT_TRUE(m->from <= i && i < m->from + strlen(m->source));
		free(clean);
	}
	diag_free(&d);
	array_free(&line);
}

/* ---- building ---- */

static void building(void)
{
	Program *p = program_new();
	array_push(&p->funcs, ((Func){.name = "k"}));
	p->kernel = "k";
	CU_ASSERT_EQUAL(program_block(p, "entry"), 0);
	u32 seven = program_const(p, T_i32, 7);
	CU_ASSERT_EQUAL(program_const(p, T_i32, ((u128)1 << 32) | 7), seven);
	CU_ASSERT_NOT_EQUAL(program_const(p, T_i64, 7), seven);
	for (u32 i = 0; i < 1000; i++)
		program_const(p, T_i64, (u128)i << 64 | i); /* cut to i */
	CU_ASSERT_EQUAL(p->regs.n, 1001);
	for (u32 i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(p->regs.v[program_const(p, T_i64, i)].value, i);
	CU_ASSERT_EQUAL(p->regs.n, 1001);
	u32 l1 = program_loc(p, "a.cl", 3, 4), l2 = program_loc(p, "b.cl", 3, 4);
	CU_ASSERT_EQUAL(program_loc(p, "a.cl", 3, 4), l1);
	CU_ASSERT_NOT_EQUAL(l1, l2);
	CU_ASSERT_EQUAL(program_loc(p, NULL, 3, 4), 0);
	CU_ASSERT_EQUAL(program_loc(p, "a.cl", 0, 0), 0);
	u32 a = program_reg(p, T_i32, REG_VECTOR, "a"), b = program_reg(p, T_i32, REG_VECTOR, NULL);
	u32 c = program_reg(p, T_i64, REG_VECTOR, NULL),
	    s = program_reg(p, T_i32, REG_SCALAR, NULL);
	p->regs.v[b].slot = 0;
	program_emit(p, OP_mov, &a, 1, &seven, 1, NULL, 0, l1);
	program_emit(p, OP_fence, NULL, 0, NULL, 0, NULL, 0, 0);
	program_emit(p, OP_barrier, NULL, 0, NULL, 0, NULL, 0, 0);
	program_emit(p, OP_ret, NULL, 0, NULL, 0, NULL, 0, l2);
	program_finish(p);
	CU_ASSERT_EQUAL(p->regs.v[a].slot, 1);
	CU_ASSERT_EQUAL(p->regs.v[c].slot, 0);
	CU_ASSERT_EQUAL(p->regs.v[s].slot, UINT32_MAX);
	CU_ASSERT_EQUAL(p->blocks.v[0].weight, 2);
	CU_ASSERT_EQUAL(p->blocks.v[0].ipdom, NO_BLOCK);
	Diag d;
	diag_init(&d);
	CU_ASSERT_TRUE(program_verify(p, &d));
	complain(&d);
	CU_ASSERT_TRUE(round_trips(p));
	diag_free(&d);
	program_free(p);
	program_free(NULL);
}

void suite_text(void)
{
	CU_pSuite s = CU_add_suite("text", NULL, NULL);
	CU_add_test(s, "building a program", building);
	CU_add_test(s, "samples round-trip", samples);
	CU_add_test(s, "every feature of the text form", every_feature);
	CU_add_test(s, "program of the README", readme_program);
	CU_add_test(s, "random programs round-trip", random_programs);
	CU_add_test(s, "mistakes in a text", mistakes);
	CU_add_test(s, "many mistakes", many_mistakes);
	CU_add_test(s, "mistakes without end", endless_mistakes);
	CU_add_test(s, "part of a long line", part_of_line);
}
