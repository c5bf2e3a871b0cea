/* Machine-code facts: the reader of assembly on texts of our own, the counts on hand-made
 * control flow, and the code generator on small kernels. */
#include "frontend/codegen/codegen.h"
#include "models/device/device.h"
#include "tests/unit/machine_kit.h"

#include <glob.h>
#include <stdio.h>

/* ---- the reader ---- */

static const char two_ways[] =
	"\t.text\n"
	"k:                                      ; @k\n"
	".Lfunc_begin0:\n"
	"\t.loc\t1 0 0\n"
	"; %bb.0:                                ; %wavesim.0b\n"
	"\t.loc\t1 1 0 prologue_end             ; ir:1:0\n"
	"\ts_load_dwordx4 s[0:3], s[4:5], 0x0\n"
	"\t.loc\t1 2 0                           ; ir:2:0\n"
	"\tv_cmp_gt_u32_e32 vcc, s0, v0\n"
	"\ts_and_saveexec_b64 s[0:1], vcc\n"
	"\t.loc\t1 0 0\n"
	"\ts_cbranch_execz .LBB0_2\n"
	"; %bb.1:                                ; %wavesim.1b\n"
	"\t.loc\t1 3 0\n"
	"\tds_read2_b32 v[0:1], v2 offset1:4\n"
	"\tv_rcp_f32_e32 v1, v1\n"
	"\tv_mul_lo_u32 v1, v1, v0\n"
	".LBB0_2:                                ; %Flow\n"
	"\t.loc\t1 4 0\n"
	"\tglobal_store_dword v0, v1, s[2:3]\n"
	"\ts_endpgm\n"
	".Lfunc_end0:\n"
	"; Kernel info:\n"
	"; codeLenInByte = 56\n"
	"; NumSgprs: 8\n"
	"; NumVgprs: 3\n"
	"; NumAgprs: 0\n"
	"; TotalNumVgprs: 4\n"
	"; ScratchSize: 16\n"
	"; LDSByteSize: 512 bytes/workgroup (compile time only)\n"
	"\t.amdgpu_metadata\n"
	"    .sgpr_spill_count: 2\n"
	"    .vgpr_spill_count: 1\n";

typedef struct Read {
	Arena *a;
	MachineCode c;
	bool ok;
} Read;

static Read read_text(const char *text)
{
	static const Loc places[4] = {{"k.cl", 1, 1}, {"k.cl", 2, 1}, {"k.cl", 3, 1}, {NULL, 0, 0}};
	Read r = {.a = arena_new()};
	r.c.places = places;
	r.c.nplaces = 4;
	r.c.nir_blocks = 2;
	r.ok = codegen_parse(&r.c, "k", text, r.a);
	return r;
}

static void read_free(Read *r)
{
	array_free(&r->c.ins);
	array_free(&r->c.blocks);
	array_free(&r->c.edges);
	arena_free(r->a);
}

static void reads_facts(void)
{
	Read r = read_text(two_ways);
	const MachineCode *c = &r.c;
	CU_ASSERT_TRUE(r.ok);
	CU_ASSERT_EQUAL(c->sgprs, 8);
	CU_ASSERT_EQUAL(c->vgprs, 3);
	CU_ASSERT_EQUAL(c->total_vgprs, 4);
	CU_ASSERT_EQUAL(c->scratch_bytes, 16);
	CU_ASSERT_EQUAL(c->lds_bytes, 512);
	CU_ASSERT_EQUAL(c->code_bytes, 56);
	CU_ASSERT_EQUAL(c->sgpr_spills, 2);
	CU_ASSERT_EQUAL(c->vgpr_spills, 1);
	read_free(&r);
}

/* Where private memory is accessed: offsets of a lane, and what scalar registers add, which for buffers is bytes of
 * all lanes. */
static void reads_frames(void)
{
	static const struct {
		const char *text;
		u32 frame, all;
	} rows[] = {
		{"buffer_store_dword v1, off, s[0:3], 0 offset:12 ; 4-byte Folded Spill", 12, 0},
		{"s_mov_b32 s5, 0x40000", NO_FRAME, 0},
		{"buffer_load_dword v1, off, s[0:3], s5 offset:4 ; 4-byte Folded Reload", 4, 0x40000},
		{"buffer_load_dword v1, v2, s[0:3], 0 offen offset:4", NO_FRAME, 0},
		{"scratch_store_b64 off, v[1:2], off offset:16", 16, 0},
		{"s_movk_i32 s5, 0x1000", NO_FRAME, 0},
		{"scratch_load_b64 v[1:2], off, s5 offset:8", 0x1008, 0},
		{"scratch_load_b32 v4, v4, off offset:4", NO_FRAME, 0},
		{"s_load_dwordx4 s[4:7], s[0:1], 0x0", NO_FRAME, 0},
		{"scratch_load_b64 v[1:2], off, s5 offset:8", NO_FRAME, 0},
	};
	KnownScalars known = {0};
	for (u32 i = 0; i < COUNT(rows); i++) {
		char name[32] = "";
		size_t n = strcspn(rows[i].text, " ");
		memcpy(name, rows[i].text, n);
		MachineIns x = {.mnemonic = name};
		codegen_classify(name, &x);
		codegen_frame(&x, rows[i].text + n, &known);
		CU_ASSERT_EQUAL(x.frame, rows[i].frame);
		CU_ASSERT_EQUAL(x.frame_all, rows[i].all);
	}
}

static void reads_blocks(void)
{
	Read r = read_text(two_ways);
	const MachineCode *c = &r.c;
	CU_ASSERT_EQUAL_FATAL(c->blocks.n, 3);
	CU_ASSERT_EQUAL(c->blocks.v[0].ir_block, 0);
	CU_ASSERT_EQUAL(c->blocks.v[1].ir_block, 1);
	CU_ASSERT_EQUAL(c->blocks.v[2].ir_block, NO_IR);
	CU_ASSERT_STRING_EQUAL(c->blocks.v[2].label, ".LBB0_2");
	CU_ASSERT_EQUAL(c->blocks.v[0].nedges, 2);
	CU_ASSERT_EQUAL(c->blocks.v[1].nedges, 1);
	CU_ASSERT_EQUAL(c->blocks.v[2].nedges, 0);
	CU_ASSERT_EQUAL(c->ins.n, 9);
	CU_ASSERT_EQUAL(c->ins.v[0].ir, 0);
	CU_ASSERT_EQUAL(c->ins.v[2].ir, 1);
	CU_ASSERT_EQUAL(c->ins.v[3].ir, NO_IR);
	CU_ASSERT_EQUAL(c->ins.v[4].ir, 2);
	read_free(&r);
}

static u32 of_class(const MachineCode *c, MachineClass first, MachineClass last)
{
	u32 n = 0;
	for (u32 i = 0; i < c->ins.n; i++)
		n += c->ins.v[i].cls >= first && c->ins.v[i].cls <= last;
	return n;
}

/* tests/assembly: what each version of LLVM writes, read by whichever version wavesim is built with. The first two
 * lines of a file are what llvm-objdump and the metadata of the object file said (README.md there). */
static void reads_versions(void)
{
	static const Loc places[64] = {{NULL, 0, 0}};
	glob_t files;
	CU_ASSERT_EQUAL_FATAL(glob("tests/assembly/*.s", 0, NULL, &files), 0);
	CU_ASSERT_TRUE(files.gl_pathc >= 12);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *text = read_file(files.gl_pathv[i], NULL);
		Read r = {.a = arena_new(), .c = {.places = places, .nplaces = COUNT(places), .nir_blocks = 1}};
		const MachineCode *c = &r.c;
		u32 v[11];
		CU_ASSERT_EQUAL_FATAL(
		    sscanf(text,
		           "; %*[^:]: %u instructions besides s_nop, %u bytes, %u VGPRs, %u SGPRs, %u scratch, %u LDS\n"
		           "; %u LDS, %u atomics, %u barriers, %u scalar loads, %u branches and ends",
		           v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8, v + 9, v + 10),
		    11);
		CU_ASSERT_TRUE(codegen_parse(&r.c, "corpus", text, r.a));
		u32 nops = 0;
		for (u32 k = 0; k < c->ins.n; k++)
			nops += !strcmp(c->ins.v[k].mnemonic, "s_nop");
		const u32 have[11] = {c->ins.n - nops,
		                      v[1],
		                      c->total_vgprs,
		                      c->sgprs,
		                      c->scratch_bytes,
		                      c->lds_bytes,
		                      of_class(c, MC_lds_read, MC_lds_move),
		                      of_class(c, MC_vmem_atomic, MC_vmem_atomic),
		                      of_class(c, MC_barrier, MC_barrier),
		                      of_class(c, MC_smem, MC_smem),
		                      of_class(c, MC_branch, MC_branch)};
		for (u32 k = 0; k < COUNT(v); k++) {
			CU_ASSERT_EQUAL(have[k], v[k]);
			if (have[k] != v[k])
				printf("%s: figure %u is %u, LLVM's tools say %u\n", files.gl_pathv[i], k + 1, have[k],
				       v[k]);
		}
		free(text);
		read_free(&r);
	}
	globfree(&files);
}

static void rejects_other_text(void)
{
	static const char *const texts[] = {"", "hello\n", "k:  ; @k\n", "; NumSgprs: 3\n"};
	for (u32 i = 0; i < COUNT(texts); i++) {
		Read r = read_text(texts[i]);
		CU_ASSERT_FALSE(r.ok);
		read_free(&r);
	}
}

static void classifies(void)
{
	static const struct {
		const char *mnemonic;
		MachineClass cls;
		u8 bytes;
		bool pair;
	} want[] = {
		{"v_add_f32_e32", MC_valu, 0, false},      {"v_fma_f32", MC_valu_fma, 0, false},
		{"v_mul_lo_u32", MC_valu_mul, 0, false},   {"v_mul_lo_u16_e32", MC_valu, 0, false},
		{"v_mul_hi_u32_u24_e32", MC_valu, 0, false}, {"v_cvt_f32_u32_e32", MC_valu_cvt, 0, false},
		{"v_qsad_pk_u16_u8", MC_valu_mul, 0, false}, {"v_cvt_pk_u8_f32", MC_valu, 0, false},
		{"v_fma_f64", MC_valu_f64_mul, 0, false},  {"v_add_f64", MC_valu_f64_add, 0, false},
		{"v_rcp_f64_e32", MC_trans_f64, 0, false}, {"v_sqrt_f32_e32", MC_trans, 0, false},
		{"s_add_u32", MC_salu, 0, false},          {"s_load_dwordx4", MC_smem, 0, false},
		{"s_waitcnt", MC_waitcnt, 0, false},       {"s_barrier", MC_barrier, 0, false},
		{"s_cbranch_vccnz", MC_branch, 0, false},  {"s_nop", MC_other, 0, false},
		{"global_load_dwordx4", MC_vmem_load, 0, false}, {"flat_store_byte", MC_vmem_store, 0, false},
		{"global_atomic_add", MC_vmem_atomic, 0, false}, {"scratch_load_dword", MC_scratch, 0, false},
		{"ds_read_b128", MC_lds_read, 16, false},  {"ds_read2st64_b64", MC_lds_read, 16, true},
		{"ds_write2_b32", MC_lds_write, 8, true},  {"ds_read_u8", MC_lds_read, 1, false},
		{"ds_add_rtn_u64", MC_lds_atomic, 8, false}, {"ds_add_u32", MC_lds_atomic, 4, false},
		{"ds_bpermute_b32", MC_lds_move, 0, false}, {"buffer_wbinvl1_vol", MC_other, 0, false},
	};
	for (u32 i = 0; i < COUNT(want); i++) {
		MachineIns x = {0};
		codegen_classify(want[i].mnemonic, &x);
		if (x.cls != want[i].cls || x.bytes != want[i].bytes || x.pair != want[i].pair)
			fprintf(stderr, "%s is taken for %s, %u bytes\n", want[i].mnemonic,
			        machine_class_name[x.cls], x.bytes);
		CU_ASSERT_EQUAL(x.cls, want[i].cls);
		CU_ASSERT_EQUAL(x.bytes, want[i].bytes);
		CU_ASSERT_EQUAL(x.pair, want[i].pair);
	}
}

/* ---- kernels ---- */

static const struct Kernel {
	const char *name, *text;
	u32 lds, loops; /* bytes; does the LDS or loop exist? */
} kernels[] = {
	{"copy", "kernel void copy(global int *o, global const int *a)\n"
	         "{ size_t i = get_global_id(0); o[i] = a[i]; }\n", 0, 0},
	{"masked", "kernel void masked(global int *o, int n)\n"
	           "{ size_t i = get_global_id(0);\n"
	           "  if ((i & 63) < n)\n"
	           "    o[i] = o[i] * o[i + 64] + 7; }\n", 0, 0},
	{"steps", "kernel void steps(global float *o, int n)\n"
	          "{ float s = o[get_global_id(0)];\n"
	          "#pragma unroll 1\n"
	          "  for (int i = 0; i < n; i++)\n"
	          "    s = fma(s, s, 0.5f);\n"
	          "  o[get_global_id(0)] = s; }\n", 0, 1},
	{"tile", "kernel void tile(global float *o)\n"
	         "{ local float t[128]; size_t i = get_local_id(0); t[i] = o[i];\n"
	         "  barrier(CLK_LOCAL_MEM_FENCE); o[i] = t[127 - i]; }\n", 512, 0},
	{"choose", "kernel void choose(global int *o, int n)\n"
	           "{ size_t i = get_global_id(0); int v = o[i];\n"
	           "  switch (v & 7) { case 0: v += 3; break; case 1: v *= 5; break; case 2: v ^= n; break;\n"
	           "  case 3: v = v / (n | 1); break; case 4: v <<= 2; break; default: v = -v; }\n"
	           "  o[i] = v; }\n", 0, 0},
};
enum { COPY, MASKED, STEPS, TILE, CHOOSE };
static const char pick_text[] =
	"kernel void pick(global int *o, global const int *a)\n"
	"{ size_t i = get_global_id(0); int v[8];\n"
	"  for (int k = 0; k < 8; k++) v[k] = a[i + 64 * k];\n"
	"  o[i] = v[o[i] & 7]; }\n";

static Built build(u32 kernel, const char *cpu, u32 wave)
{
	return build_text(kernels[kernel].text, cpu, wave);
}

static void compiles(void)
{
	static const char *const cpus[] = {"gfx900", "gfx906", "gfx90a", "gfx1030"};
	for (u32 k = 0; k < COUNT(kernels); k++) {
		for (u32 i = 0; i < COUNT(cpus); i++) {
			Built b = build(k, cpus[i], 0);
			const MachineCode *c = b.c;
			CU_ASSERT_PTR_NULL_FATAL(c->missing);
			CU_ASSERT_STRING_EQUAL(c->cpu, cpus[i]);
			CU_ASSERT(c->vgprs >= 1 && c->vgprs < 32);
			CU_ASSERT(c->sgprs >= 6 && c->sgprs < 40);
			CU_ASSERT_EQUAL(c->scratch_bytes, 0);
			CU_ASSERT_EQUAL(c->lds_bytes, kernels[k].lds);
			CU_ASSERT(c->code_bytes >= 4 * c->ins.n);
			u32 named = 0;
			for (u32 n = 0; n < c->ins.n; n++)
				named += c->ins.v[n].ir != NO_IR;
			CU_ASSERT(named * 2 >= c->ins.n);
			built_free(&b);
		}
	}
}

static void other_widths(void)
{
	Built b = build(COPY, "gfx906", 16);
	CU_ASSERT_PTR_NOT_NULL(b.c->missing);
	built_free(&b);
	b = build(COPY, "gfx1030", 64);
	CU_ASSERT_PTR_NULL(b.c->missing);
	built_free(&b);
}

/* The same code as without the calls. */
static void leaves_printf_out(void)
{
#define TEXT(say) "kernel void p(global int *o)\n{\n\tsize_t g = get_global_id(0);\n\to[g] *= 3;\n" say "}\n"
	Built with = build_text(TEXT("\tprintf(\"%d %s\\n\", o[g], \"text\");\n"), "gfx906", 0);
	Built without = build_text(TEXT(""), "gfx906", 0);
#undef TEXT
	CU_ASSERT_PTR_NULL(with.c->missing);
	CU_ASSERT_STRING_EQUAL(with.c->left_out, "printf");
	CU_ASSERT_PTR_NULL(without.c->left_out);
	CU_ASSERT_EQUAL(with.c->ins.n, without.c->ins.n);
	CU_ASSERT_EQUAL(with.c->vgprs, without.c->vgprs);
	built_free(&with);
	built_free(&without);
}

/* AMD's library copies with a loop: global reads, LDS writes, all of the line of the call. */
static void copies_asynchronously(void)
{
	static const char text[] = "kernel void c(global const float *a, global float *b, local float *s)\n"
		"{\n"
		"	event_t e = async_work_group_copy(s, a, 256, 0);\n"
		"	wait_group_events(1, &e);\n"
		"	b[get_global_id(0)] = s[255 - get_local_id(0)];\n"
		"}\n";
	Built b = build_text(text, "gfx906", 0);
	u32 loads = 0, writes = 0;
	CU_ASSERT_PTR_NULL_FATAL(b.c->missing);
	CU_ASSERT_EQUAL(b.c->scratch_bytes, 0); /* no call is left */
	for (u32 i = 0; i < b.c->ins.n; i++) {
		const MachineIns *x = &b.c->ins.v[i];
		u32 line = x->ir == NO_IR ? 0 : b.c->places[x->ir].line;
		loads += x->cls == MC_vmem_load && line == 3;
		writes += x->cls == MC_lds_write && line == 3;
	}
	CU_ASSERT(loads > 0);
	CU_ASSERT(writes > 0);
	built_free(&b);
}

static u32 count_loops(const MachineCode *c)
{
	u32 n = 0;
	for (u32 b = 0; b < c->blocks.n; b++)
		for (u32 e = 0; e < c->blocks.v[b].nedges; e++)
			n += c->edges.v[c->blocks.v[b].first_edge + e] <= b;
	return n;
}

/* PoCL forbids all unrolling; what the source says of it is in hints, not in comments and in other statements. */
static void unrolls(void)
{
	static const struct {
		const char *before;
		bool loop;
	} rows[] = {
		{"", false},
		{"#pragma nounroll\n", true},
		{"#pragma nounroll\n\n// eight\n", true},
		{"__attribute__((opencl_unroll_hint(1)))\n", true},
		{"__attribute__((opencl_unroll_hint(1))) ", true},
		{"_Pragma(\"nounroll\") ", true},
		{"#define KEEP_UNROLLED _Pragma(\"nounroll\")\n\tKEEP_UNROLLED\n", true},
		{"// unrolled by the compiler\n", false},
		{"/* the compiler\n * unrolls this */\n", false},
		{"s += a[9]; // not unrolled\n", false},
		{"s *= UNROLL;\n", false},
		{"#define UNROLL_2 2\n", false},
		{"s = s > 1 ? '\"' : s; // unroll\n", false},
		{"if (s > UNROLL)\n", false},
		{"if (s > UNROLL) ", false},
		{"int unroll = 7; s += unroll;", false},
		{"if (s > UNROLL)\n__attribute__((opencl_unroll_hint(1)))\n", true},
		{"if (s > 2) s *= UNROLL; else _Pragma(\"nounroll\")\n", true},
		{"if (s > (UNROLL)) _Pragma(\"nounroll\") ", true},
		{"switch (UNROLL) case UNROLL:\n", false},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Buf text = {0};
		buf_printf(&text, "#define UNROLL 2\nkernel void k(global float *o, global const float *a)\n"
		           "{ float s = *o;\n"
		           "\t%sfor (int unroll = 0; unroll < 4; unroll++)\n\t\ts += a[unroll]; // unroll\n"
		           "\t*o = s; }\n",
		           rows[i].before);
		Built b = build_text(text.v, "gfx906", 0);
		CU_ASSERT_PTR_NULL_FATAL(b.c->missing);
		CU_ASSERT_EQUAL(count_loops(b.c) > 0, rows[i].loop);
		if ((count_loops(b.c) > 0) != rows[i].loop)
			printf("%s: %s unrolled\n", rows[i].before, rows[i].loop ? "is" : "is not");
		built_free(&b);
		array_free(&text);
	}
}

/* Instructions of a loop of four turns in another. */
static u32 nest_size(const char *outer, const char *between)
{
	char text[512];
	snprintf(text, sizeof text,
	         "#define UNROLL 2\n#define TWO 2\nkernel void k(global float *a, int n, int unroll)\n"
	         "{\n\tfloat s = 0;\n\t%s%sfor (int j = 0; j < 4; j++)\n\t\t\ts += a[i * 4 + j];\n\ta[0] = s;\n}\n",
	         outer, between);
	Built b = build_text(text, "gfx906", 0);
	CU_ASSERT_PTR_NULL_FATAL(b.c->missing);
	u32 n = b.c->ins.n;
	built_free(&b);
	return n;
}

/* A hint of the loop around, or a name in its header, is none of the inner loop's. */
static void unrolls_nest(void)
{
	static const char *const rows[][2] = {
		{"for (int i = 0; i < unroll; i++)", "for (int i = 0; i < n; i++)"},
		{"for (int i = 0;\n\ti < unroll; i++)", "for (int i = 0; i < n; i++)"},
		{"for (int i = 0; i < n;\n\ti += UNROLL)", "for (int i = 0; i < n; i += TWO)"},
		{"for (int i = 0; i < n; i++) if (a[i] > UNROLL)", "for (int i = 0; i < n; i++) if (a[i] > TWO)"},
		{"__attribute__((opencl_unroll_hint(1))) for (int i = 0; i < n; i++)",
		 "#pragma unroll 1\n\tfor (int i = 0; i < n; i++)"},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		u32 want = nest_size(rows[i][1], "\n\t\t"), below = nest_size(rows[i][0], "\n\t\t"),
		    beside = nest_size(rows[i][0], " ");
		CU_ASSERT(below == want && beside == want);
		if (below != want || beside != want)
			printf("%s: %u and %u instructions, not %u\n", rows[i][0], below, beside, want);
	}
	CU_ASSERT(nest_size(rows[4][1], " ") == nest_size(rows[4][1], "\n"));
	CU_ASSERT(nest_size(rows[0][0], "\n#pragma nounroll\n") > nest_size(rows[0][0], "\n"));
}

/* Of a recorded program the launch file has all texts. */
static void unrolls_recorded(void)
{
	static const char sum[] = "%sfloat %s(global const float *a)\n{\n\tfloat s = 0;\n%s"
	                          "\tfor (int i = 0; i < 4; i++)\n\t\ts += a[i];\n\treturn s;\n}\n";
	static const char main_text[] = "#include \"sum.h\"\nfloat far(global const float *a);\n"
	                                "kernel void k(global float *o) { *o = sum(o + 9) + far(o + 5); }\n";
	for (u32 i = 0; i < 4; i++) {
		const char *hints[] = {"", "#pragma nounroll\n"};
		char near[256], far[256];
		snprintf(near, sizeof near, sum, "static ", "sum", hints[i & 1]);
		snprintf(far, sizeof far, sum, "", "far", hints[i >> 1]);
		SrcInclude includes[] = {{"sum.h", near}};
		SrcUnit units[] = {{main_text, NULL, includes, 1}, {far, NULL, NULL, 0}};
		SrcProgram src = {.units = units, .nunits = COUNT(units), .linked = true};
		Built b = build_options(&(FeOptions){.path = "k.cl", .src = &src, .cpu = "gfx906", .machine = true});
		CU_ASSERT_PTR_NULL_FATAL(b.c->missing);
		CU_ASSERT_EQUAL(count_loops(b.c) > 0, i > 0);
		if ((count_loops(b.c) > 0) != (i > 0))
			printf("hints %u: loops %u\n", i, count_loops(b.c));
		built_free(&b);
	}
}

/* ---- counts of a run ---- */

static void counts_loop(void)
{
	Arena *a = arena_new();
	Built b = build(STEPS, "gfx906", 64);
	const u64 *n = count(&b, 10, a)->total;
	CU_ASSERT_EQUAL(n[MC_valu_fma], 10 * WAVES); /* one a turn */
	CU_ASSERT_EQUAL(n[MC_vmem_load], WAVES);
	CU_ASSERT_EQUAL(n[MC_vmem_store], WAVES);
	/* before the loop, at the end of each turn, at the end */
	CU_ASSERT_EQUAL(n[MC_branch], (1 + 10 + 1) * WAVES);
	n = count(&b, 0, a)->total; /* jumps over the loop */
	CU_ASSERT_EQUAL(n[MC_valu_fma], 0);
	CU_ASSERT_EQUAL(n[MC_branch], (1 + 1) * WAVES);
	built_free(&b);
	arena_free(a);
}

static void counts_mask(void)
{
	Arena *a = arena_new();
	Built b = build(MASKED, "gfx906", 64);
	for (i32 lanes = 0; lanes <= 64; lanes += 32) {
		const MachineRun *r = count(&b, lanes, a);
		u32 runs = lanes ? WAVES : 0; /* with no lane active the block is jumped over */
		CU_ASSERT_EQUAL(r->total[MC_vmem_load], 2 * runs);
		CU_ASSERT_EQUAL(r->total[MC_vmem_store], runs);
		CU_ASSERT_EQUAL(r->total[MC_branch], 2 * WAVES);
		CU_ASSERT_EQUAL(r->nassumed, 0);
		/* What stands on line 4 ran only there. */
		for (u32 i = 0; i < r->nlines; i++) {
			if (r->lines[i].line == 4)
				CU_ASSERT_EQUAL(r->lines[i].count[MC_vmem_store], runs);
		}
	}
	built_free(&b);
	arena_free(a);
}

static void counts_switch(void)
{
	Arena *a = arena_new();
	Built b = build(CHOOSE, "gfx906", 64);
	const MachineRun *r = count(&b, 3, a);
	CU_ASSERT_EQUAL(r->total[MC_vmem_load], WAVES);
	CU_ASSERT_EQUAL(r->total[MC_vmem_store], WAVES);
	CU_ASSERT_EQUAL(r->total[MC_trans], WAVES); /* the reciprocal of the one division */
	built_free(&b);
	arena_free(a);
}

static void counts_waterfall(void)
{
	Arena *a = arena_new();
	Built b = build_text(pick_text, "gfx906", 64);
	const MachineRun *r = count(&b, 3, a);
	CU_ASSERT_EQUAL(r->total[MC_vmem_load], 9 * WAVES);
	CU_ASSERT_EQUAL(r->total[MC_vmem_store], WAVES);
	built_free(&b);
	arena_free(a);
}

/* What LLVM does not know has a stand-in, or an error. */
static void stands_in(void)
{
	Built b = build(COPY, "gfx9999@99 gfx9998 gfx90a gfx900", 0);
	CU_ASSERT_STRING_EQUAL(b.c->cpu, "gfx90a");
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.c->stands_for);
	CU_ASSERT_EQUAL(strncmp(b.c->stands_for, "gfx9999 (known from LLVM 99 on; this is LLVM ", 45), 0);
	built_free(&b);
	b = build(COPY, "gfx90a gfx900", 0);
	CU_ASSERT_PTR_NULL(b.c->stands_for);
	built_free(&b);
	FeOptions o = {.path = "k.cl", .source = "kernel void k(void) {}", .cpu = "gfx9999 gfx9998"};
	Diag d;
	diag_init(&d);
	CU_ASSERT_PTR_NULL(fe_compile(&o, &d));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.msgs.v[0].text, "knows no AMD chip 'gfx9999 gfx9998'"));
	diag_free(&d);
}

/* "gfx942@17 gfx940": LLVM knows the chip from that version on, and what stands in before always. */
static void known_chips(void)
{
	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	CU_ASSERT_FALSE(llvm_knows("amdgcn-amd-amdhsa", "gfx9999"));
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	for (u32 i = 0; i < device_count(); i++) {
		Device dev;
		CU_ASSERT_TRUE_FATAL(device_load(&dev, device_name(i), NO_LOC, a, &d));
		for (const char *s = dev.llvm_cpu; *s; s += strcspn(s, " "), s += strspn(s, " ")) {
			size_t n = strcspn(s, "@ ");
			bool known = s[n] != '@' || llvm_version() >= strtoul(s + n + 1, NULL, 10);
			CU_ASSERT_EQUAL(llvm_knows("amdgcn-amd-amdhsa", arena_strndup(a, s, n)), known);
		}
	}
	diag_free(&d);
	arena_free(a);
}

void suite_codegen(void)
{
	CU_pSuite s = CU_add_suite("codegen", NULL, NULL);
	CU_add_test(s, "facts of a kernel are read", reads_facts);
	CU_add_test(s, "places in private memory are read", reads_frames);
	CU_add_test(s, "blocks, edges and IR numbers are read", reads_blocks);
	CU_add_test(s, "assembly of LLVM 15 to 19 is read", reads_versions);
	CU_add_test(s, "other text is refused", rejects_other_text);
	CU_add_test(s, "mnemonics have the right class", classifies);
	CU_add_test(s, "five kernels on four chips", compiles);
	CU_add_test(s, "wavefronts that the chip lacks", other_widths);
	CU_add_test(s, "counts of a loop", counts_loop);
	CU_add_test(s, "counts of masked code", counts_mask);
	CU_add_test(s, "counts of a switch", counts_switch);
	CU_add_test(s, "counts of indexed registers", counts_waterfall);
	CU_add_test(s, "calls of printf stay out", leaves_printf_out);
	CU_add_test(s, "unrolling as the source asks for it", unrolls);
	CU_add_test(s, "unrolling in nests of loops", unrolls_nest);
	CU_add_test(s, "unrolling as the sources of a recorded program ask for it", unrolls_recorded);
	CU_add_test(s, "AMD's own loop for asynchronous copies", copies_asynchronously);
	CU_add_test(s, "chips that stand in for others", stands_in);
	CU_add_test(s, "versions that know a chip", known_chips);
}
