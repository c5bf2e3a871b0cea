/* What is live where the most vector registers are: names, elements, members, lines. The expected
 * values were checked by hand against the lowered program (--dump-isa): each is used again behind
 * the peak. A 64-bit value, as the index of a buffer, takes two registers. */
#include "frontend/frontend.h"
#include "frontend/module/llvm.h"
#include "isa/isa.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static const struct {
	const char *text, *peak; /* registers @ line: name @ line: registers, … */
} cases[] = {
	/* elements of an array are one value with indices */
	{"kernel void k(global float *o, global const float *a, int n)\n"
	 "{\n"
	 " int g = get_global_id(0);\n"
	 " float s[4];\n"
	 " for (int i = 0; i < 4; i++)\n"
	 " s[i] = a[g + i];\n"
	 "#pragma unroll 1\n"
	 " for (int i = 0; i < n; i++)\n"
	 " for (int j = 0; j < 4; j++)\n"
	 "  s[j] = s[j] * s[j] + s[(j + 1) & 3];\n"
	 " o[g] = s[0] - s[1] * s[2] / s[3];\n"
	 "}\n",
	 "8 @ 6: g @ 3: 2, s[0..1] @ 4: 2, (value) @ 6: 2, (address) @ 6: 2"},
	/* members, vectors and a two-dimensional array in a struct */
	{"typedef struct { float x; float2 v; int t[2][2]; } P;\n"
	 "kernel void k(global float *o, global const float *a, int n)\n"
	 "{\n"
	 " int g = get_global_id(0);\n"
	 " P p = {a[g], (float2)(a[g + 1], 1), {{g, 2}, {3, g}}};\n"
	 "#pragma unroll 1\n"
	 " for (int i = 0; i < n; i++) {\n"
	 " p.x += p.v.y;\n"
	 " p.v.x *= p.x;\n"
	 " p.v.y -= p.v.x;\n"
	 " p.t[0][1] ^= p.t[1][1];\n"
	 " p.t[1][1] += p.t[0][1];\n"
	 " }\n"
	 " o[g] = p.x + p.v.x + p.v.y + p.t[0][1] + p.t[1][1];\n"
	 "}\n",
	 "7 @ 7: p.v.s01 @ 5: 2, (value) @ 4: 2, p.t[0][1] @ 5: 1, p.t[1][1] @ 5: 1, p.x @ 5: 1"},
	/* a vector of a function that was inlined */
	{"float norm(float4 q)\n"
	 "{\n"
	 " float4 r = q * q;\n"
	 " float big = fmax(fmax(r.x, r.y), fmax(r.z, r.w));\n"
	 " return big + r.x + r.y + r.z + r.w;\n"
	 "}\n"
	 "kernel void k(global float *o, global const float4 *a)\n"
	 "{\n"
	 " int g = get_global_id(0);\n"
	 " float4 in = a[g];\n"
	 " double d = in.x;\n"
	 " o[g] = norm(in) + (float)(d * d);\n"
	 "}\n",
	 "7 @ 4: r.s0123 @ 3: 4, (value) @ 4: 2, (value) @ 10: 1"},
	/* nothing has a name */
	{"kernel void k(global float *o, global const float *a)\n"
	 "{\n"
	 " o[get_global_id(0)] = a[get_global_id(0)] * a[get_global_id(1)]\n"
	 " + a[get_global_id(0) + 7];\n"
	 "}\n",
	 "7 @ 3: (address) @ 3: 4, (value) @ 3: 3"},
	/* a call: what the function needs */
	{"__attribute__((noinline)) float far(float4 a, float4 b)\n"
	 "{\n"
	 " float4 c = a * b, d = a - b;\n"
	 " return dot(c, d) + c.x * d.y;\n"
	 "}\n"
	 "kernel void k(global float *o, global const float4 *a)\n"
	 "{\n"
	 " int g = get_global_id(0);\n"
	 " float keep = o[g];\n"
	 " float f = far(a[g], a[g + 1]);\n"
	 " o[g] = far(a[g + 2], a[g + 3]) * keep + f;\n"
	 "}\n",
	 "25 @ 10: far() @ 10: 12, (value) @ 10: 8, (value) @ 9: 2, (address) @ 11: 2, keep @ 9: 1"},
	/* unrolled sums in a loop: of equal peaks the inner one */
	{"typedef struct { float x, y; int n; } P;\n"
	 "kernel void mm(global float *o, global const float *a, int n)\n"
	 "{\n"
	 " size_t i = get_global_id(0);\n"
	 " float acc[4] = {0, 0, 0, 0};\n"
	 " float4 v = (float4)(0);\n"
	 " P p = {0, 0, 0};\n"
	 " for (int k = 0; k < n; k++) {\n"
	 " float t = a[i + k];\n"
	 " for (int j = 0; j < 4; j++)\n"
	 "  acc[j] += t * a[j * 64 + k];\n"
	 " v += t;\n"
	 " p.x += t; p.y -= t * t;\n"
	 " p.n ^= (int)t;\n"
	 " }\n"
	 " o[i] = acc[0] * acc[1] + acc[2] - acc[3] + v.x * v.y + v.z - v.w + p.x * p.y + p.n;\n"
	 "}\n",
	 "15 @ 13: acc[0..3] @ 5: 4, v.s0123 @ 6: 4, i @ 4: 2, p.n @ 7: 1, p.x @ 7: 1, p.y @ 7: 1, t @ 9: 1,"
	 " (value) @ 13: 1"},
};

/* From LLVM 18 on small arrays are vectors without names. */
static const struct {
	u32 of, from;
	const char *peak;
} later[] = {
	{0, 18, "8 @ 6: (value) @ 6: 4, g @ 3: 2, (address) @ 6: 2"},
	{4, 16, "25 @ 10: far() @ 10: 12, (value) @ 10: 8, (value) @ 9: 2, (address) @ 9: 2, keep @ 9: 1"},
	{5, 18, "17 @ 13: v.s0123 @ 6: 7, i @ 4: 2, (address) @ 9: 2, p.n @ 7: 1, p.x @ 7: 1, p.y @ 7: 1, t @ 9: 1,"
	    " (value) @ 11: 1, (value) @ 13: 1"},
};

static const char *expected(u32 i)
{
	for (u32 k = 0; k < COUNT(later); k++)
		if (later[k].of == i && llvm_version() >= later[k].from)
			return later[k].peak;
	return cases[i].peak;
}

static void show(const Program *p, Buf *out)
{
	buf_printf(out, "%u @ %u:", p->peak_vgprs, p->locs.v[p->peak_loc].line);
	for (u32 i = 0; i < p->peak_live.n; i++) {
		const LiveValue *v = &p->peak_live.v[i];
		buf_printf(out, "%s %s @ %u: %u", i ? "," : "",
		           v->name      ? v->name
		           : v->address ? "(address)"
		                        : "(value)",
		           p->locs.v[v->loc].line, v->vgprs);
	}
}

static void names(void)
{
	for (u32 i = 0; i < COUNT(cases); i++) {
		FeOptions o = {.path = "k.cl", .source = cases[i].text};
		Diag d;
		diag_init(&d);
		Fe *fe = fe_compile(&o, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(fe);
		Program *p = fe_program(fe);
		fe_close(fe);
		Buf b = {0};
		u32 sum = 0;
		show(p, &b);
		const char *want = expected(i);
		if (strcmp(b.v, want) != 0)
			fprintf(stderr, "case %u:\n  have %s\n  want %s\n", i, b.v, want);
		CU_ASSERT_STRING_EQUAL(b.v, want);
		for (u32 k = 0; k < p->peak_live.n; k++)
			sum += p->peak_live.v[k].vgprs;
		CU_ASSERT_EQUAL(sum, p->peak_vgprs);
		array_free(&b);
		program_free(p);
		diag_free(&d);
	}
}

void suite_live_values(void)
{
	CU_pSuite s = CU_add_suite("live values", NULL, NULL);
	CU_add_test(s, "names of what is live at the peak", names);
}
