/* The tables of the wave ISA: rows, names, and the copy of the op table in the README. */
#include "isa/isa.h"
#include "isa/text.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_isa(void);

/* ---- tables ---- */

static void info_rows(void)
{
	for (u32 op = 0; op < OP_COUNT; op++) {
		const OpInfo *i = &op_info[op];
		CU_ASSERT(i->name && *i->name && i->doc && *i->doc && i->operands);
		CU_ASSERT(i->unit < UNIT_COUNT);
		if (i->lane) {
			CU_ASSERT(i->lane <= 3 && i->ndst == 1 && i->nsrc == i->lane && i->expr &&
				  !i->flags);
			for (u32 k = 0; k <= i->lane; k++)
				CU_ASSERT(i->type[k] < TYPE_COUNT);
		} else {
			CU_ASSERT_PTR_NULL(i->expr);
		}
		CU_ASSERT_EQUAL(op_by_name(i->name), op);
	}
	CU_ASSERT_EQUAL(op_by_name(""), OP_COUNT);
	CU_ASSERT_EQUAL(op_by_name("add"), OP_COUNT);
	CU_ASSERT_EQUAL(op_by_name("add_i33"), OP_COUNT);
	CU_ASSERT_EQUAL(op_by_name("lane_local_memory_is_the_name_of_no_operation_at_all"),
			OP_COUNT);
}

static void info_details(void)
{
	CU_ASSERT_STRING_EQUAL(op_info[OP_add_i32].expr, "a + b");
	CU_ASSERT_EQUAL(op_info[OP_select_f64].type[1], T_b1);
	CU_ASSERT_EQUAL(op_info[OP_sdiv_i32].unit, UNIT_SDIV);
	CU_ASSERT_EQUAL(op_info[OP_poke].ndst, ANY_COUNT);
	CU_ASSERT(op_has_imm(OP_lea_i64) && op_has_imm(OP_leas_i64) && op_has_imm(OP_ld));
	CU_ASSERT(!op_has_imm(OP_add_i32) && !op_has_imm(OP_copy) && !op_has_imm(OP_fma_f32));
	CU_ASSERT_STRING_EQUAL(space_name[SPACE_LDS], "lds");
	CU_ASSERT_STRING_EQUAL(atomic_name[ATOMIC_udec_wrap], "udec_wrap");
	CU_ASSERT_STRING_EQUAL(query_name[QUERY_wave_size], "wave_size");
	CU_ASSERT_EQUAL(type_bytes[T_i128], 16);
}

/* Members of families, in whatever order the rows stand. */
static void families(void)
{
	CU_ASSERT_EQUAL(op_on(OP_add_i8, T_i128), OP_add_i128);
	CU_ASSERT_EQUAL(op_on(OP_eq_i64, T_i8), OP_eq_i8);
	CU_ASSERT_EQUAL(op_on(OP_xor_i32, T_b1), OP_xor_b1);
	CU_ASSERT_EQUAL(op_on(OP_select_b1, T_f64), OP_select_f64);
	CU_ASSERT_EQUAL(op_on(OP_fma_f32, T_f64), OP_fma_f64);
	CU_ASSERT_EQUAL(op_on(OP_exp2_f32, T_f32), OP_exp2_f32); /* of no family */
	CU_ASSERT(op_is_of(OP_slt_i64, OP_slt_i8) && op_is_of(OP_slt_i8, OP_slt_i64));
	CU_ASSERT(!op_is_of(OP_sle_i64, OP_slt_i8) && !op_is_of(OP_trunc_f32, OP_trunc_b1_i8));
}

/* Where the types in an operation's name begin: "zext_i32_i8" at "_i32_i8". */
static size_t stem(const char *name)
{
	for (const char *at = name; (at = strchr(at, '_')); at++) {
		const char *rest = at;
		while (*rest == '_') {
			u32 t = 0;
			size_t n = strcspn(rest + 1, "_");
			while (t < TYPE_COUNT &&
			       (strlen(type_name[t]) != n || strncmp(rest + 1, type_name[t], n)))
				t++;
			if (t == TYPE_COUNT)
				break;
			rest += 1 + n;
		}
		if (!*rest)
			return (size_t)(at - name);
	}
	return strlen(name);
}

/* The table of isa/README.md: one row for each family of operations. */
static void op_table(Buf *out)
{
	buf_printf(out,
		   "| Operation | Types | Operands | Unit | Meaning |\n|---|---|---|---|---|\n");
	for (u32 op = 0, next; op < OP_COUNT; op = next) {
		const OpInfo *i = &op_info[op];
		size_t n = stem(i->name);
		buf_printf(out, "| `%.*s` |", (int)n, i->name);
		for (next = op; next < OP_COUNT; next++) {
			const OpInfo *j = &op_info[next];
			if (strcmp(i->doc, j->doc) || stem(j->name) != n ||
			    strncmp(i->name, j->name, n))
				break;
			if (j->name[n])
				buf_printf(out, " %s", j->name + n + 1);
		}
		buf_printf(out, " | %s | %s | ", i->operands, i->unit == UNIT_NONE ? "-" : unit_name[i->unit]);
		for (const char *c = i->doc; *c; c++)
			buf_printf(out, *c == '|' ? "\\|" : "%c", *c);
		buf_printf(out, "%s |\n", i->flags & F_MASKED ? " (active lanes only)" : "");
	}
}

/* GOLDEN=1 in the environment writes the table into the README instead. */
static void readme_table(void)
{
	static const char begin[] = "<!-- op table: made by tests/unit/test_isa.c -->\n";
	Buf want = {0}, all = {0};
	size_t size;
	char *text = read_file("isa/README.md", &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	char *at = strstr(text, begin);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	at += strlen(begin);
	op_table(&want);
	bool same = !strncmp(at, want.v, want.n) && !at[want.n];
	if (!same && getenv("GOLDEN")) {
		buf_write(&all, text, (size_t)(at - text));
		buf_write(&all, want.v, want.n);
		FILE *f = fopen("isa/README.md", "wb");
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		CU_ASSERT_EQUAL(fwrite(all.v, 1, all.n, f), all.n);
		CU_ASSERT_EQUAL(fclose(f), 0);
	} else {
		CU_ASSERT_TRUE(same);
	}
	free(text);
	array_free(&want);
	array_free(&all);
}

void suite_isa(void)
{
	CU_pSuite s = CU_add_suite("isa", NULL, NULL);
	CU_add_test(s, "rows of the op table", info_rows);
	CU_add_test(s, "details of the tables", info_details);
	CU_add_test(s, "families", families);
	CU_add_test(s, "op table of the README", readme_table);
}
