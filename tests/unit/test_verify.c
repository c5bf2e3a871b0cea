/* The verifier: each thing that isa.h promises about a Program, broken once, with
 * the message it must give. Most programs are in text form; what the text cannot
 * say wrongly is broken in memory. */
#include "isa/isa.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_verify(void);

/* Does the text give exactly this message (and no other)? */
static bool gives(const char *text, const char *message)
{
	Diag d;
	Buf m = {0};
	diag_init(&d);
	Program *p = program_parse("t", text, &d);
	diag_print(&d, &m);
	bool same = m.v && !strcmp(m.v, message) && !p;
	if (!same)
		fprintf(stderr, "%s\ngave\n%sinstead of\n%s", text, m.v ? m.v : "nothing\n",
			message);
	program_free(p);
	array_free(&m);
	diag_free(&d);
	return same;
}

/* Instructions, in a kernel with registers to choose from. */
static const char frame[] =
    "kernel \"k\"\nformat 0 \"x\"\n"
    "reg v0:i32\nreg v1:i32\nreg v2:i64\nreg v3:f32\nreg v4:b1\nreg v5:i8\nreg v6:i128\n"
    "reg s7:i32\nreg s8:i64\nreg s9:b1\nreg s10:f32\nreg v11:i32\nreg v12:f32\nreg s13:i32\nreg "
    "c14 = 9:i32\n"
    "func 0 \"k\"\nblock 0\n";
static const char rest[] =
    "func 1 \"f\" params(v11:i32, s13:i32) results(v12:f32)\nblock 2\n\tret v3\n";
enum { FIRST_LINE = 20 };

static void instructions(void)
{
	static const struct {
		const char *ins, *what;
	} cases[] = {
	    {"v0:i32 = add_i32 v1", "add_i32 takes 2 operands, not 1"},
	    {"v0:i32, v1:i32 = add_i32 v1, v1", "add_i32 takes 1 results, not 2"},
	    {"v0:i32 = add_i32 v1, v2", "b must have type i32, not i64"},
	    {"v0:i32 = add_i32 v3, v1", "a must have type i32, not f32"},
	    {"v3:f32 = add_i32 v1, v1", "the result must have type i32, not f32"},
	    {"v0:i32 = select_i32 v4, v1, v5", "c must have type i32, not i8"},
	    {"s7:i32 = add_i32 s7, v1",
	     "a scalar result needs scalar operands, but v1 is a vector register"},
	    {"s7:i32 = mov v1", "a goes from a vector register into scalar register 7"},
	    {"v0:i32 = mov v2", "a must have type i32, not i64"},
	    {"v0:i32 = mov v1 +4", "mov takes no immediate"},
	    {"v0:i32 = add_i32 v1, v1 *4", "add_i32 takes no immediate"},
	    {"v0:i32 = mov v1 -> 0", "mov does not take 1 targets"},
	    {"v0:i32, v0:i32 = ld.global v2", "it writes register 0 twice"},
	    {"v0:i32 = ld.global v1", "the address must have type i64, not i32"},
	    {"v0:i32 = ld.lds v2", "the address must have type i32, not i64"},
	    {"v0:i32 = ld.region v2", "there is no address space 2"},
	    {"v4:b1 = ld.global v2", "there is no b1 in memory"},
	    {"v0:i32, v3:f32 = ld.global v2", "every element must have type i32, not f32"},
	    {"s7:i32 = ld.global v2",
	     "a scalar result needs scalar operands, but v2 is a vector register"},
	    {"s7:i32 = ld.private s7",
	     "private memory differs by lane; the result must be a vector register"},
	    {"ld.global v2", "it moves nothing"},
	    {"st.global v2", "it moves nothing"},
	    {"st.global", "it has no address"},
	    {"st.global v2, v0, v3", "every element must have type i32, not f32"},
	    {"within.0.lds v0, v2, v0, 0:i64", "the number of elements must have type i32, not i64"},
	    {"within.0.lds v0, v0, v0, v2", "the offset differs by lane"},
	    {"within.4.lds v0, v0, v0, 0:i64", "its aux 4 is out of range"},
	    {"within.0.global v0, v0, v2, 0:i64 -4", "k is -3 or more, not -4"},
	    {"v0:i32 = atomic.fadd.global v2, v1", "there is no such atomic operation on i32"},
	    {"v3:f32 = atomic.add.global v2, v3", "there is no such atomic operation on f32"},
	    {"v6:i128 = atomic.add.global v2, v6", "there is no such atomic operation on i128"},
	    {"v0:i32 = atomic.add.global v2, v3",
	     "a value of an atomic operation must have type i32, not f32"},
	    {"s7:i32 = atomic.add.global s8, s7",
	     "the result of an atomic operation must be a vector register"},
	    {"v3:f32 = cas.lds v0, v3, v3", "there is no such atomic operation on f32"},
	    {"copy.global.lds v2, v2, v0", "the address copied from must have type i32, not i64"},
	    {"copy.global.lds v2, v0, v5", "the number of bytes must have type i32 or i64, not i8"},
	    {"fill.global v2, v0, v0", "the byte must have type i8, not i32"},
	    {"v2:i64 = toflat.global v2", "toflat takes an LDS or private address"},
	    {"v2:i64 = toflat.lds v2", "a must have type i32, not i64"},
	    {"v2:i64 = tolds v2", "the result must have type i32, not i64"},
	    {"v0:i32 = pick v1", "the number of components does not fit"},
	    {"v0:i32 = pick v1, v1, v3", "every component must have type i32, not f32"},
	    {"v0:i32 = pick v3, v1, v1", "the index must have type i32 or i64, not f32"},
	    {"v0:i32, v1:i32 = poke v1, v0, v1", "the number of components does not fit"},
	    {"s7:i32 = pick v1, s7, s7",
	     "a scalar result needs scalar operands, but v1 is a vector register"},
	    {"v0:i32 = query.group_id_x",
	     "the result of query.group_id_x must be a scalar register"},
	    {"s7:i32 = query.lane_id", "the result of query.lane_id must be a vector register"},
	    {"s7:i32 = query.dispatch_ptr", "the result must have type i64, not i32"},
	    {"v0:i32 = printf v1 +1", "there is no format 1"},
	    {"v2:i64 = printf v1", "the result must have type i32, not i64"},
	    {"s8:i64 = async_copy.0 s8, s8", "async_copy takes 5 operands, not 2"},
	    {"s8:i64 = async_copy.4 s8, s7, s7, s7, s8", "its aux 4 is out of range"},
	    {"async_wait.0 s8", "async_wait takes 2 operands, not 1"},
	    {"async_wait.3 s8, s8", "its aux 3 is out of range"},
	    {"async_wait.2 s8, s7", "an event must have type i64, not i32"},
	    {"v2:i64 = ballot v4", "the result must be a scalar register"},
	    {"s8:i64 = ballot v0", "the condition must have type b1, not i32"},
	    {"s7:i32 = readfirst v3", "the result must have type f32, not i32"},
	    {"s7:i32 = readlane v1, v0", "the index must be scalar"},
	    {"s7:i32 = bpermute v0, v1", "the result must be a vector register"},
	    {"v0:i32 = bpermute v5, v1", "the index must have type i32, not i8"},
	    {"v0:i32 = bpermute v0, v1 +2", "k is 0 or 1, not 2"},
	    {"v3:f32 = matrix v3, v3, v3 +29", "k is a shape of isa/matrix.def, below 29, not 29"},
	    {"v3:f32 = matrix v3, v3, v3 +4", "f32.16x16x4f32 has 4 results, and as many operands behind a and b"},
	    {"v0:i32 = matrix v1, v1, v1 +28", "a result must have type f64, not i32"},
	    {"s7:i32 = reduce.fadd v1", "there is no fadd of i32"},
	    {"v0:i32 = reduce.add v1", "the result must be a scalar register"},
	    {"v0:i32 = reduce.add v1 +3", "k is a power of two up to 128, or 0, not 3"},
	    {"s7:i32 = scan.add v1", "the result must be a vector register"},
	    {"v3:f32 = scan.fadd v3 +2", "k is 0 or 1, not 2"},
	    {"s7:i32 = scan.xor v3", "there is no xor of f32"},
	    {"v3:f32 = call v0, s7 -> 7", "there is no function 7 to call"},
	    {"v3:f32 = call v0, s7 -> 0", "there is no function 0 to call"},
	    {"v3:f32 = call v0 -> 1", "function 1 has 2 parameters and 1 results"},
	    {"v3:f32 = call v0, v1 -> 1",
	     "an argument goes from a vector register into scalar register 13"},
	    {"v3:f32 = call v3, s7 -> 1", "an argument must have type i32, not f32"},
	    {"s10:f32 = call v0, s7 -> 1",
	     "a result goes from a vector register into scalar register 10"},
	    {"v2:i64 = async_copy.1 s8, s8, s7, s7, s8 +4096", "elements have 1 to 1024 bytes, not 4096"},
	    {"ret", "only the last instruction of a block may end it"},
	};
	for (u32 i = 0; i < COUNT(cases); i++) {
		Buf text = {0}, want = {0};
		buf_printf(&text, "%s\t%s\n\tjmp -> 1\nblock 1\n\tret\n%s", frame, cases[i].ins,
			   rest);
		buf_printf(&want, "t:%u: error: function 0 k, block 0, instruction 0: %s: %s\n",
			   FIRST_LINE, cases[i].what, cases[i].ins);
		CU_ASSERT_TRUE(gives(text.v, want.v));
		array_free(&text);
		array_free(&want);
	}
}

static void block_ends(void)
{
	static const struct {
		const char *ins, *what;
	} cases[] = {
	    {"jmp -> 9", "block 9 is not in this function"},
	    {"jmp -> 2", "block 2 is not in this function"},
	    {"jmp", "jmp does not take 0 targets"},
	    {"br v4 -> 1", "br does not take 1 targets"},
	    {"br v0 -> 0, 1", "the condition must have type b1, not i32"},
	    {"switch v3 -> 1 []", "a switch cannot be over f32"},
	    {"switch v6 -> 1 []", "a switch cannot be over i128"},
	    {"switch v5 -> 1 [1: 1, 257: 1]", "two of its cases are equal"},
	    {"switch v0 -> 1 [1: 2]", "block 2 is not in this function"},
	    {"ret v0", "the function has 0 results"},
	    {"fence", "the last instruction of a block must end it"},
	};
	for (u32 i = 0; i < COUNT(cases); i++) {
		Buf text = {0}, want = {0};
		buf_printf(&text, "%s\t%s\nblock 1\n\tret\n%s", frame, cases[i].ins, rest);
		buf_printf(&want, "t:%u: error: function 0 k, block 0, instruction 0: %s: %s\n",
			   FIRST_LINE, cases[i].what, cases[i].ins);
		CU_ASSERT_TRUE(gives(text.v, want.v));
		array_free(&text);
		array_free(&want);
	}
}

static void tables(void)
{
#define BODY "func 0\nblock 0\n\tret\n"
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"func 0\nblock 0\n\tret\n", "t: error: the program does not name its kernel\n"},
	    {"kernel \"k\"\nfunc 0\n", "t: error: function 0: it has no block\n"},
	    {"kernel \"k\"\nfunc 0\nblock 0\n",
	     "t: error: function 0, block 0: the block is empty\n"},
	    {"kernel \"k\"\nfunc 0 params(v0:i32)\nblock 0\n\tret\n",
	     "t: error: the kernel has parameters or results in registers\n"},
	    {"kernel \"k\"\n" BODY "func 1 params(v0:i32, v0)\nblock 1\n\tret\n",
	     "t: error: function 1: register 0 stands twice among its parameters\n"},
	    {"kernel \"k\"\nreg c1 = 4:i32\n" BODY "func 1 results(c1)\nblock 1\n\tret 4:i32\n",
	     "t: error: function 1: one of its results is not a register that can be written\n"},
	    {"kernel \"k\"\nreg c0 = 4:i32\nreg c1 = 4:i32\n" BODY,
	     "t: error: constants 0 and 1 are equal; they must share one register\n"},
	    {"kernel \"k\"\nreg v0:i32 slot 7\n" BODY,
	     "t: error: register 0 is in slot 7, but there are only 1 vector registers of type i32 "
	     "(was "
	     "program_finish called?)\n"},
	    {"kernel \"k\"\nparam v0:i32 arg 0 offset 0\n" BODY,
	     "t: error: parameter 0: register 0 is not a scalar register\n"},
	    {"kernel \"k\"\nparam s0:i32 arg 0 offset 0\n" BODY,
	     "t: error: parameter 0: there is no argument 0\n"},
	    {"kernel \"k\"\narg 0 value size 4\nparam s0:i64 arg 0 offset 0\n" BODY,
	     "t: error: parameter 0: offset 0 is outside the 4 bytes of argument 0\n"},
	    {"kernel \"k\"\narg 0 value size 4\nparam s0:i32 arg 0 offset 0\nparam s0 arg 0 offset "
	     "0\n" BODY,
	     "t: error: parameter 1: register 0 is a parameter already\n"},
	    {"kernel \"k\"\narg 0 value size 4\nparam s0:i32 arg 0 offset 0 by_address\n" BODY,
	     "t: error: parameter 0: an address needs a register of type i64\n"},
	    {"kernel \"k\"\nfile 0 \"a\"\nfile 1 \"a\"\n" BODY,
	     "t: error: two files have the name a\n"},
	    {"kernel \"k\"\nobject 0 flat seg 1 size 4 align 4\n" BODY,
	     "t: error: object 0 is in a space that objects cannot be in\n"},
	    {"kernel \"k\"\nobject 0 lds seg 1 size 4 align 3\n" BODY,
	     "t: error: object 0 has alignment 3, not a power of two\n"},
	    {"kernel \"k\"\nobject 0 lds size 4 align 4\n" BODY,
	     "t: error: object 0 has segment number 0, not one of 1 to 4095\n"},
	    {"kernel \"k\"\nobject 0 lds seg 4095 size 1048577 align 4\n" BODY,
	     "t: error: object 0 has segment number 4095, not one of 1 to 4095\n"},
	    {"kernel \"k\"\nobject 0 lds seg 1 size 1048577 align 4\nobject 1 lds seg 2 size 1 "
	     "align 1\n" BODY,
	     "t: error: object 1 has segment number 2, as another object has\n"},
	    {"kernel \"k\"\nobject 0 constant seg 2 size 4 align 4\n" BODY,
	     "t: error: global and constant objects must be numbered from 1 without gaps; there is "
	     "no segment 1\n"},
	    {"kernel \"k\"\nobject 0 constant seg 1 size 12 align 4 data 00 reloc 8 to 0 +0\n" BODY,
	     "t: error: object 0 has a relocation at 8, outside its 12 bytes\n"},
	    {"kernel \"k\"\nobject 0 constant seg 1 size 16 align 4 data 00 reloc 8 to 3 +0\n" BODY,
	     "t: error: object 0 has a relocation to object 3, which does not exist\n"},
	    {"kernel \"k\"\nobject 0 constant seg 1 size 16 align 4 reloc 8 to 0 +0\n" BODY,
	     "t: error: object 0 has relocations but no data\n"},
	    {"kernel \"k\"\nfunc 0\nblock 0\n\tfence !1\n\tret\n",
	     "t: error: there are live register counts for 1 of 2 instructions\n"},
	    {"kernel \"k\"\nfunc 0\nblock 0\n\tcall -> 1\n\tret\nfunc 1 \"f\"\nblock 1\n\tcall -> "
	     "1\n\tret\n",
	     "t: error: function 1 f: it is part of or called from a circle of calls; there is no "
	     "recursion\n"},
	};
	for (u32 i = 0; i < COUNT(cases); i++)
		CU_ASSERT_TRUE(gives(cases[i].text, cases[i].message));
}

/* ---- broken in memory ---- */

static Program *sound(void)
{
	Diag d;
	diag_init(&d);
	Program *p = program_parse(
	    "t",
	    "kernel \"k\"\nreg v0:i32\nreg s1:i32\nreg c2 = 1:i32\nfunc 0 \"k\"\nblock 0\n"
	    "\tv0:i32 = add_i32 s1, 1:i32\n\tjmp -> 1\nblock 1\n\tret\n",
	    &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	return p;
}

static void refused(Program *p, const char *message)
{
	Diag d;
	Buf m = {0};
	diag_init(&d);
	CU_ASSERT_FALSE(program_verify(p, &d));
	diag_print(&d, &m);
	bool same = m.v && !strcmp(m.v, message);
	CU_ASSERT_TRUE(same);
	if (!same)
		fprintf(stderr, "%sinstead of\n%s", m.v ? m.v : "", message);
	array_free(&m);
	diag_free(&d);
	program_free(p);
}

static void in_memory(void)
{
#define AT "wavesim: error: function 0 k, block 0, instruction 0: "
	Program *p = sound();
	p->ins.v[0].op = OP_COUNT;
	Buf want = {0};
	buf_printf(&want, AT "there is no operation %u: ?%u\n", OP_COUNT, OP_COUNT);
	refused(p, want.v);
	array_free(&want);
	p = sound();
	p->ins.v[0].opnd = 1000;
	refused(p, AT "its operands are outside the operand table: add_i32 ?\n");
}

static void in_memory_tables(void)
{
	Program *p = sound();
	p->opnds.v[p->ins.v[0].opnd + 1] = 77;
	refused(p, AT "there is no register 77: v0:i32 = add_i32 ?77, 1:i32\n");
	p = sound();
	p->opnds.v[p->ins.v[0].opnd] = 2;
	refused(p, AT "it writes a constant: 1:i32 = add_i32 s1, 1:i32\n");
	p = sound();
	p->ins.v[0].loc = 9;
	refused(p, AT "there is no source place 9: v0:i32 = add_i32 s1, 1:i32\n");
	p = sound();
	p->ins.v[0].space = SPACE_LDS;
	refused(p, AT "add_i32 takes no address space: v0:i32 = add_i32 s1, 1:i32\n");
	p = sound();
	p->ins.v[0].aux = 3;
	refused(p, AT "its aux 3 is out of range: v0:i32 = add_i32 s1, 1:i32\n");
	p = sound();
	p->blocks.v[0].ipdom = NO_BLOCK;
	refused(p,
		"wavesim: error: function 0 k, block 0: the block's post-dominator is wrong (was "
		"program_finish called?)\n");
	p = sound();
	p->blocks.v[0].weight = 7;
	refused(p, "wavesim: error: function 0 k, block 0: the block's weight is 7, not 1 (was "
		   "program_finish "
		   "called?)\n");
	p = sound();
	p->blocks.v[1].func = 4;
	refused(p, "wavesim: error: function 0 k, block 1: the block says that it belongs to "
		   "function 4\n");
	p = sound();
	p->blocks.v[1].first = 1;
	refused(p, "wavesim: error: the instructions of block 1 do not follow those of the block "
		   "before\n");
	p = sound();
	p->blocks.v[1].n = 0;
	refused(p, "wavesim: error: there are instructions that belong to no block\n");
	p = sound();
	p->funcs.v[0].nblocks = 1;
	refused(p, "wavesim: error: there are blocks that belong to no function\n");
	p = sound();
	p->funcs.v[0].nblocks = UINT32_MAX;
	refused(p, "wavesim: error: function 0 k: its blocks do not follow those of the function "
		   "before\n");
	p = sound();
	p->funcs.v[0].params = 5;
	p->funcs.v[0].nparams = UINT32_MAX;
	refused(p, "wavesim: error: function 0 k: its parameters are outside the operand table\n"
		   "wavesim: error: the kernel has parameters or results in registers\n");
	p = sound();
	p->regs.v[0].type = TYPE_COUNT;
	refused(p, "wavesim: error: register 0 has no valid type and kind\n");
	p = sound();
	p->regs.v[0].value = 5;
	refused(p, "wavesim: error: register 0 has a value but is no constant\n");
	p = sound();
	p->regs.v[1].slot = 5;
	refused(p, "wavesim: error: register 1 is not a vector register but has slot 5\n");
	p = sound();
	p->regs.v[2].value = (u128)1 << 32;
	refused(p, "wavesim: error: constant 2 has bits beyond its type i32\n");
}

/* An instruction with so many results of a type. Its message is longer than messages are shown. */
static void with_results(Type t, u32 n, const char *from, const char *what)
{
	Buf text = {0}, m = {0};
	Diag d;
	buf_printf(&text, "kernel \"k\"\nreg s0:i64\nreg s1:i32\n");
	for (u32 i = 0; i < n; i++)
		buf_printf(&text, "reg s%u:%s\n", 2 + i, type_name[t]);
	buf_printf(&text, "func 0 \"k\"\nblock 0\n\t");
	for (u32 i = 0; i < n; i++)
		buf_printf(&text, "%ss%u:%s", i ? ", " : "", 2 + i, type_name[t]);
	buf_printf(&text, " = %s", from);
	for (u32 i = 0; i < n && from[0] == 'p'; i++)
		buf_printf(&text, ", s%u", 2 + i);
	buf_printf(&text, "\n\tret\n");
	diag_init(&d);
	CU_ASSERT_PTR_NULL(program_parse("t", text.v, &d));
	diag_print(&d, &m);
	CU_ASSERT_PTR_NOT_NULL(strstr(m.v, what));
	array_free(&text);
	array_free(&m);
	diag_free(&d);
}

/* What the machine has room for. */
static void limits(void)
{
	with_results(T_i8, 257, "ld.global s0", "it has 257 results, more than 256");
	with_results(T_i64, 129, "ld.global s0", "it moves 1032 bytes of a lane, more than 1024");
	with_results(T_i64, 129, "poke s1, s2", "its components have 1032 bytes, more than 1024");
}

/* A hundred messages are enough. */
static void many(void)
{
	Diag d;
	Buf text = {0}, m = {0};
	diag_init(&d);
	buf_printf(&text, "%s", frame);
	for (u32 i = 0; i < 150; i++)
		buf_printf(&text, "\tv0:i32 = mov v2\n");
	buf_printf(&text, "\tjmp -> 1\nblock 1\n\tret\n%s", rest);
	CU_ASSERT_PTR_NULL(program_parse("t", text.v, &d));
	CU_ASSERT_EQUAL(d.errors, 101);
	diag_print(&d, &m);
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(m.v, "t: error: 50 more things are wrong with the program\n"));
	array_free(&text);
	array_free(&m);
	diag_free(&d);
}

void suite_verify(void)
{
	CU_pSuite s = CU_add_suite("verify", NULL, NULL);
	CU_add_test(s, "instructions", instructions);
	CU_add_test(s, "ends of blocks", block_ends);
	CU_add_test(s, "tables", tables);
	CU_add_test(s, "operations broken in memory", in_memory);
	CU_add_test(s, "tables broken in memory", in_memory_tables);
	CU_add_test(s, "limits", limits);
	CU_add_test(s, "many failures", many);
}
