/* Dynamic counts of machine instructions per class, against counts by hand.
 *
 * Each kernel runs as two wavefronts of 64 on gfx906, with o[i] = i. The blocks are those that LLVM 15
 * prints; behind each stands how often it runs in all, reasoned from the kernel, and what is in it. */
#include "frontend/codegen/codegen.h"
#include "frontend/module/llvm.h"
#include "tests/unit/machine_kit.h"

#include <stdio.h>

/* Add `times` runs of a block: "valu 3, salu 1". */
static void put(u64 want[MC_COUNT], u64 times, const char *block)
{
	for (const char *p = block; *p;) {
		size_t n = strcspn(p, " ");
		u32 c = 0;
		while (c < MC_COUNT &&
		       (strlen(machine_class_name[c]) != n || strncmp(machine_class_name[c], p, n) != 0))
			c++;
		CU_ASSERT_NOT_EQUAL_FATAL(c, MC_COUNT);
		char *end;
		want[c] += times * strtoul(p + n, &end, 10);
		p = end + strspn(end, ", ");
	}
}

static void compare(const char *kernel, const u64 *have, const u64 *want)
{
	for (u32 c = 0; c < MC_COUNT; c++) {
		if (have[c] != want[c])
			fprintf(stderr, "%s: %llu of %s, by hand %llu\n", kernel, (unsigned long long)have[c],
			        machine_class_name[c], (unsigned long long)want[c]);
		CU_ASSERT_EQUAL(have[c], want[c]);
	}
}

/* The address i * 4 stands in a block of its own that no branch jumps over (%bb.1): it runs even when
 * no lane is left for it. */
static void hoisted(void)
{
	static const char text[] =
		"kernel void hoisted(global int *o, int n)\n"
		"{ int i = get_global_id(0), l = get_local_id(0);\n"
		"  if (l < n) o[i * 4] = o[i] * 5;\n"
		"  if (l > 60 - n) o[i * 4 + 1] = i; }\n";
	static const i32 values[] = {3, 0, 64, -5};
	Built b = build_text(text, "gfx906", 64);
	for (u32 k = 0; k < COUNT(values); k++) {
		i32 n = values[k];
		u64 want[MC_COUNT] = {0};
		Arena *a = arena_new();
		/* s_load ×4, s_waitcnt, s_and, s_mul, v_add, v_add_co, v_cmp, s_and_saveexec, s_xor */
		put(want, WAVES, "smem 4, waitcnt 1, salu 4, valu 3");
		/* %bb.1: v_lshlrev_b32, v_ashrrev_i32 */
		put(want, WAVES, "valu 2");
		/* %bb.2: s_andn2_saveexec, s_cbranch_execz */
		put(want, WAVES, "salu 1, branch 1");
		/* %bb.3, l < n: v_mov ×2, v_ashrrev_i64, v_add_co, v_addc, load, v_lshlrev_b32, v_ashrrev_i32,
		 * v_lshlrev_b64, v_add_co, v_addc, s_waitcnt, v_mul_lo_u32, store */
		put(want, n > 0 ? WAVES : 0,
		    "valu 8, valu_shift64 2, valu_mul 1, vmem_load 1, vmem_store 1, waitcnt 1");
		/* .LBB0_4: s_or, s_sub, v_cmp, s_and_saveexec, s_cbranch_execz */
		put(want, WAVES, "salu 3, valu 1, branch 1");
		/* %bb.5, l > 60 - n: v_lshlrev_b64, v_mov, v_add_co, v_addc, store */
		put(want, n > -3 ? WAVES : 0, "valu_shift64 1, valu 3, vmem_store 1");
		/* .LBB0_6: s_endpgm */
		put(want, WAVES, "branch 1");
		const MachineRun *r = count(&b, n, a);
		compare("hoisted", r->total, want);
		CU_ASSERT_EQUAL(r->nassumed, 0);
		arena_free(a);
	}
	built_free(&b);
}

/* A loop in which lanes go two ways. The odd way is one instruction that nothing jumps over. */
static void collatz(void)
{
	static const char text[] =
		"kernel void collatz(global int *o, int n)\n"
		"{ uint x = get_global_id(0) + n, steps = 0;\n"
		"  while (x > 1) {\n"
		"    if (x & 1) x = 3 * x + 1; else x /= 2;\n"
		"    steps++; }\n"
		"  o[get_global_id(0)] = steps; }\n";
	enum { N = 3 };
	u64 want[MC_COUNT] = {0}, turns = 0, even = 0;
	for (u32 wave = 0; wave < WAVES; wave++) {
		u32 x[64], left = 64;
		for (u32 l = 0; l < 64; l++)
			x[l] = wave * 64 + l + N;
		while (left) {
			bool some = false;
			left = 0;
			for (u32 l = 0; l < 64; l++) {
				some |= x[l] > 1 && !(x[l] & 1);
				x[l] = x[l] <= 1 ? x[l] : x[l] & 1 ? 3 * x[l] + 1 : x[l] / 2;
				left += x[l] > 1;
			}
			turns++;
			even += some;
		}
	}
	/* s_load ×4, v_mov, s_waitcnt, s_and, s_mul, v_add, v_mov, v_add_co, v_addc, v_add, v_cmp,
	 * s_and_saveexec, s_cbranch_execz */
	put(want, WAVES, "smem 4, valu 7, waitcnt 1, salu 3, branch 1");
	/* %bb.1: s_mov ×2, s_branch */
	put(want, WAVES, "salu 2, branch 1");
	/* .LBB0_3: v_and, v_cmp, s_and_saveexec, s_xor; %bb.4: v_mad_u64_u32; %bb.5: s_andn2_saveexec,
	 * s_cbranch_execz */
	put(want, turns, "valu 2, salu 2, valu_mul 1");
	put(want, turns, "salu 1, branch 1");
	/* %bb.6: v_lshrrev, s_branch */
	put(want, even, "valu 1, branch 1");
	/* .LBB0_2: s_or, s_add, v_cmp, s_or, v_mov, s_andn2, s_cbranch_execz */
	put(want, turns, "salu 4, valu 2, branch 1");
	/* .LBB0_7: s_or; .LBB0_8: s_or, v_lshlrev_b64, v_mov, v_add_co, v_addc, store, s_endpgm */
	put(want, WAVES, "salu 2, valu_shift64 1, valu 3, vmem_store 1, branch 1");
	Arena *a = arena_new();
	Built b = build_text(text, "gfx906", 64);
	compare("collatz", count(&b, N, a)->total, want);
	built_free(&b);
	arena_free(a);
}

/* A loop in one of two ways in a loop; the jump behind the inner loop's branch runs once a loop. */
static void nested(void)
{
	static const char text[] =
		"kernel void nested(global float *o, int n)\n"
		"{ int l = get_local_id(0); float s = 0;\n"
		"#pragma unroll 1\n"
		"  for (int i = 0; i < n; i++) {\n"
		"    if (l < 32) {\n"
		"#pragma unroll 1\n"
		"      for (int k = 0; k < 3; k++) s = fma(s, 0.5f, (float)i);\n"
		"    } else s += rsqrt(s + 1); }\n"
		"  o[get_global_id(0)] = s; }\n";
	Built b = build_text(text, "gfx906", 64);
	for (u32 n = 0; n <= 5; n += 5) {
		u64 want[MC_COUNT] = {0}, turns = n * WAVES, some = n ? WAVES : 0;
		Arena *a = arena_new();
		/* s_load ×2, s_waitcnt, s_cmp, s_cbranch_scc1 */
		put(want, WAVES, "smem 2, waitcnt 1, salu 1, branch 1");
		/* %bb.1: v_cmp, s_mov, v_mov, s_mov, v_mov ×2, s_branch */
		put(want, some, "valu 4, salu 2, branch 1");
		/* .LBB0_3: s_and_saveexec, s_xor; %bb.4: v_add_f32, v_cmp, v_cndmask, v_mul, v_rsq, v_cndmask,
		 * v_mul, v_add; %bb.5: s_andn2_saveexec, s_cbranch_execz */
		put(want, turns, "salu 2, valu 7, trans 1");
		put(want, turns, "salu 1, branch 1");
		/* %bb.6: v_cvt_f32_i32, s_mov */
		put(want, turns, "valu_cvt 1, salu 1");
		/* .LBB0_7: s_add, s_cmp, v_fma, s_cbranch_scc0; then s_branch */
		put(want, 3 * turns, "salu 2, valu_fma 1, branch 1");
		put(want, turns, "branch 1");
		/* .LBB0_2: s_or, s_add, s_cmp, s_cbranch_scc0 */
		put(want, turns, "salu 3, branch 1");
		/* .LBB0_8: v_mov, when there is no turn */
		put(want, WAVES - some, "valu 1");
		/* .LBB0_9: s_load ×2, s_waitcnt, s_and, s_mul, v_add, v_mov, v_add_co, v_addc, v_lshlrev_b64,
		 * v_mov, v_add_co, v_addc, store, s_endpgm */
		put(want, WAVES, "smem 2, waitcnt 1, salu 2, valu 7, valu_shift64 1, vmem_store 1, branch 1");
		compare("nested", count(&b, (i32)n, a)->total, want);
		arena_free(a);
	}
	built_free(&b);
}

/* A switch: the compiler searches the case in a tree, jumps to blocks behind the end, and copies the
 * last block (.LBB0_4: the store, s_endpgm) to the end of case 0 (.LBB0_14). Each wavefront has lanes
 * of all four cases. */
static void choose(void)
{
	static const char text[] =
		"kernel void choose(global int *o, int n)\n"
		"{ int i = get_global_id(0), v = o[i];\n"
		"  switch (v % 4) {\n"
		"  case 0: v = v * v; break;\n"
		"  case 1: v = o[i + 128] ^ n; break;\n"
		"  case 2: v += n; o[i + 256] = v; break;\n"
		"  default: v = -v; break; }\n"
		"  o[i] = v; }\n";
	static const char *const blocks[] = {
		/* s_load ×4, v_mov, s_waitcnt, s_and, s_mul, s_add, v_add, v_ashrrev_i64, v_mov, v_add_co,
		 * v_addc, load, s_mov ×2, s_waitcnt, v_ashrrev, v_lshrrev, v_add, v_and, v_sub, v_cmp,
		 * s_and_saveexec, s_xor, s_cbranch_execnz */
		"smem 4, valu 11, waitcnt 2, salu 7, valu_shift64 1, vmem_load 1, branch 1",
		"valu 1, salu 3, branch 1", /* .LBB0_5: v_cmp, s_mov, s_and_saveexec, s_xor, s_cbranch_execz */
		"valu 1, salu 2, branch 1", /* %bb.6: v_cmp, s_mov, s_and_saveexec, s_cbranch_execz */
		/* %bb.7, case 2: v_mov, v_add_co, v_addc, v_ashrrev_i64, v_mov, v_add_co, v_add, v_addc, store,
		 * s_xor */
		"valu 7, valu_shift64 1, vmem_store 1, salu 1",
		"salu 2",           /* .LBB0_8: s_or, s_and */
		"salu 1, branch 1", /* .LBB0_9: s_andn2_saveexec, s_cbranch_execz */
		/* %bb.10, case 1: v_mov, v_add_co, v_addc, v_ashrrev_i64, v_mov, v_add_co, v_addc, load,
		 * s_waitcnt, v_xor */
		"valu 7, valu_shift64 1, vmem_load 1, waitcnt 1",
		"salu 3, branch 1", /* .LBB0_11: s_or, s_and, s_andn2_saveexec, s_cbranch_execz */
		/* .LBB0_12: v_cmp, s_andn2, s_and, s_mov, s_or ×2, s_and_saveexec, s_xor, s_cbranch_execz */
		"valu 1, salu 7, branch 1",
		/* .LBB0_13, default: v_sub, s_andn2, s_or, s_and_saveexec, s_cbranch_execz */
		"valu 1, salu 3, branch 1",
		"valu_mul 1, salu 1, vmem_store 1, branch 1", /* .LBB0_14: v_mul_lo, s_or, store, s_endpgm */
	};
	u64 want[MC_COUNT] = {0};
	for (u32 i = 0; i < COUNT(blocks); i++)
		put(want, WAVES, blocks[i]);
	Arena *a = arena_new();
	Built b = build_text(text, "gfx906", 64);
	compare("choose", count(&b, 3, a)->total, want);
	built_free(&b);
	arena_free(a);
}

/* A reduction, unrolled: five steps under ever smaller masks, the sixth joined with the last one. */
static void tree(void)
{
	static const char text[] =
		"kernel void tree(global int *o, int n)\n"
		"{ local int t[64]; int l = get_local_id(0);\n"
		"  t[l] = o[get_global_id(0)];\n"
		"  for (int d = 32; d > 0; d /= 2) {\n"
		"    barrier(CLK_LOCAL_MEM_FENCE);\n"
		"    if (l < d) t[l] += t[l + d]; }\n"
		"  if (l == 0) o[get_group_id(0)] = t[0] + n; }\n";
	u64 want[MC_COUNT] = {0};
	/* s_load ×3, s_waitcnt, s_and, s_mul, v_add, v_mov, v_add_co, v_addc, v_lshlrev_b64, v_mov, v_add_co,
	 * v_addc, load, v_lshlrev, v_cmp, s_waitcnt, ds_write, s_waitcnt, s_barrier, s_waitcnt,
	 * s_and_saveexec, s_cbranch_execz */
	put(want, WAVES, "smem 3, waitcnt 4, salu 3, valu 9, valu_shift64 1, vmem_load 1, lds_write 1, "
	                 "barrier 1, branch 1");
	/* a step: ds_read2, s_waitcnt, v_add, ds_write */
	put(want, 5 * WAVES, "lds_read 1, waitcnt 1, valu 1, lds_write 1");
	/* behind it: s_or, v_cmp, s_waitcnt, s_barrier, s_waitcnt, s_and_saveexec, s_cbranch_execz */
	put(want, 5 * WAVES, "salu 2, valu 1, waitcnt 2, barrier 1, branch 1");
	/* behind the fifth also s_mov; %bb.11: ds_read2, s_load, s_lshl, s_add, s_addc, s_waitcnt, v_add,
	 * ds_write, v_mov, ds_read, s_waitcnt, v_add, store; s_endpgm */
	put(want, WAVES, "salu 4, lds_read 2, smem 1, waitcnt 2, valu 3, lds_write 1, vmem_store 1, branch 1");
	Arena *a = arena_new();
	Built b = build_text(text, "gfx906", 64);
	compare("tree", count(&b, 3, a)->total, want);
	built_free(&b);
	arena_free(a);
}

/* An atomic that the chip does not have becomes a compare-and-swap loop (.LBB0_2). Nothing in the IR
 * says how often that turns: once an entry, and the block is told as assumed. */
static void compare_and_swap(void)
{
	static const char text[] = "kernel void cas(global int *o, int n)\n"
	                           "{ int i = get_global_id(0);\n"
	                           "  if (i % 64 < n) __sync_fetch_and_nand(&o[i], 3); }\n";
	Built b = build_text(text, "gfx906", 64);
	for (i32 n = 0; n <= 3; n += 3) {
		u64 want[MC_COUNT] = {0}, some = n ? WAVES : 0;
		Arena *a = arena_new();
		/* s_load ×3, s_waitcnt, s_and, s_mul, v_add, v_add_co, v_ashrrev, v_lshrrev, v_add, v_and,
		 * v_sub, v_cmp, s_and_saveexec, s_cbranch_execz */
		put(want, WAVES, "smem 3, waitcnt 1, salu 3, valu 8, branch 1");
		/* %bb.1: s_load, v_mov, v_ashrrev_i64, s_waitcnt, v_mov, v_add_co, v_addc, load, s_mov */
		put(want, some, "smem 1, valu 4, valu_shift64 1, waitcnt 1, vmem_load 1, salu 1");
		/* .LBB0_2: s_waitcnt, v_not, v_or, s_waitcnt, cmpswap, s_waitcnt, buffer_wbinvl1_vol, v_cmp,
		 * s_or, v_mov, s_andn2, s_cbranch_execnz */
		put(want, some, "waitcnt 3, valu 4, vmem_atomic 1, other 1, salu 2, branch 1");
		put(want, WAVES, "branch 1");
		const MachineRun *r = count(&b, n, a);
		compare("cas", r->total, want);
		CU_ASSERT_EQUAL(r->nassumed, n ? 1 : 0);
		arena_free(a);
	}
	built_free(&b);
}

/* How often each path of a division of integers runs, in the order of the code: "long 1 short 2". */
static const char *divisions(const Built *b, const MachineRun *r, Arena *a)
{
	Buf out = {0};
	for (u32 k = 0; k < b->c->blocks.n; k++)
		for (u32 i = b->c->blocks.v[k].first; i < b->c->blocks.v[k].first + b->c->blocks.v[k].n; i++) {
			const char *name = b->c->ins.v[i].mnemonic;
			bool is_short = !strncmp(name, "v_rcp_iflag_f32", 15);
			if (is_short || !strncmp(name, "v_rcp_f32", 9))
				buf_printf(&out, "%s%s %llu", out.n ? " " : "", is_short ? "short" : "long",
				           (unsigned long long)r->execs[k]);
		}
	const char *text = arena_printf(a, "%s", out.n ? out.v : "");
	array_free(&out);
	return text;
}

/* Of 64 bits a division has two paths, and lanes with an operand of more than 32 bits take the long one. The first
 * wavefront has i below 64, the second from 64 on; i << 26 is wide in the second, i << 27 also in the upper half of
 * the first one. */
static void two_paths(void)
{
	static const struct {
		const char *name, *text;
		struct {
			i32 n;
			const char *paths;
			u32 branches;
		} runs[4];
	} kernels[] = {
		/* A branch around the long path, before the short one or at the end of the long one, s_endpgm. */
		{"divide", "kernel void divide(global int *o, int n)\n"
		           "{ int i = get_global_id(0); ulong d = (ulong)(long)o[i] + 1;\n"
		           "  o[i] = ((ulong)i << n) / d; }\n",
		 {{0, "long 0 short 2", 6}, {26, "long 1 short 1", 6}, {27, "long 2 short 1", 6}, {32, "long 2 short 1", 6}}},
		{"remainder", "kernel void remainder(global int *o, int n)\n"
		              "{ int i = get_global_id(0); long d = (long)o[i] + 1;\n"
		              "  o[i] = ((long)i - n) % d; }\n",
		 {{0, "long 0 short 2", 6}, {1, "long 1 short 2", 6}, {64, "long 1 short 1", 6}, {127, "long 2 short 1", 6}}},
		{"pair", "kernel void pair(global int *o, int n)\n"
		         "{ int i = get_global_id(0); ulong2 d = (ulong2)((ulong)(long)o[i] + 1);\n"
		         "  ulong2 x = (ulong2)((ulong)i << n, (ulong)i + ((ulong)n << 32)) / d; o[i] = x.x - x.y; }\n",
		 {{0, "long 0 short 2 long 0 short 2", 10}, {26, "long 1 short 1 long 2 short 0", 10},
		  {27, "long 2 short 1 long 2 short 0", 10}, {1, "long 0 short 2 long 2 short 0", 10}}},
		/* The scalar unit branches: to the long path, which jumps over the short one … */
		{"same", "kernel void same(global int *o, int n)\n"
		         "{ int i = get_global_id(0); ulong d = (ulong)(long)n - 2;\n"
		         "  o[i] = ((ulong)n << 30) / d; }\n",
		 {{3, "long 0 short 2", 6}, {4, "long 2 short 0", 6}, {1, "long 2 short 0", 6}, {3, "long 0 short 2", 6}}},
		/* What is known to be of 32 bits needs no long path, and none where it is less than what divides it. */
		{"known", "kernel void known(global int *o, int n)\n"
		          "{ uint i = get_global_id(0); long d = o[n + 128] - 120; o[i] = (ulong)i / (ulong)(d * d); }\n",
		 {{-7, "short 2", 4}, {0, "short 1", 4}, {3, "short 1", 4}, {4, "short 0", 4}}},
		/* Two branches and the one at the end a turn, one behind the short path; two before the turns,
		 * s_endpgm. */
		{"turns", "kernel void turns(global int *o, int n)\n"
		          "{ int i = get_global_id(0); ulong x = (ulong)i << 26, s = 0;\n"
		          "  for (int k = 0; k < n; k++) s += x / ((ulong)(long)k + 1);\n"
		          "  o[i] = s; }\n",
		 {{0, "long 0 short 0", 4}, {1, "long 1 short 1", 6 + 7}, {3, "long 3 short 3", 6 + 21},
		  {9, "long 9 short 9", 6 + 63}}},
		/* A constant has one path. */
		{"sevens", "kernel void sevens(global int *o, int n)\n"
		             "{ int i = get_global_id(0); o[i] = ((ulong)i << n) / 7; }\n",
		 {{0, "long 2", 2}, {26, "long 2", 2}, {27, "long 2", 2}, {32, "long 2", 2}}},
	};
	for (u32 k = 0; k < COUNT(kernels); k++) {
		Built b = build_text(kernels[k].text, "gfx906", 64);
		for (u32 i = 0; i < COUNT(kernels[k].runs); i++) {
			Arena *a = arena_new();
			const MachineRun *r = count(&b, kernels[k].runs[i].n, a);
			const char *have = divisions(&b, r, a), *want = kernels[k].runs[i].paths;
			u64 branches = r->total[MC_branch];
			if (strcmp(have, want) || branches != kernels[k].runs[i].branches)
				fprintf(stderr, "%s of %d: %s, %llu branches, by hand %s, %u\n", kernels[k].name,
				        kernels[k].runs[i].n, have, (unsigned long long)branches, want,
				        kernels[k].runs[i].branches);
			CU_ASSERT_STRING_EQUAL(have, want);
			CU_ASSERT_EQUAL(branches, kernels[k].runs[i].branches);
			CU_ASSERT_TRUE(!r->nassumed || !strcmp(kernels[k].name, "turns")); /* what stands before them */
			arena_free(a);
		}
		built_free(&b);
	}
}

/* A waterfall loop as LLVM makes it for a descriptor that differs between lanes. OpenCL C gives it no
 * reason for one (registers that are indexed per lane become v_cndmask), so the text is given. */
static void waterfall(void)
{
	static const char assembly[] =
		"k:                                      ; @k\n"
		"; %bb.0:                                ; %wavesim.0b\n"
		"\t.loc\t1 1 0\n"
		"\tv_mov_b32_e32 v8, 0\n"
		"\ts_mov_b64 s[2:3], exec\n"
		".LBB0_1:                                ; =>This Inner Loop Header: Depth=1\n"
		"\t.loc\t1 2 0\n"
		"\tv_readfirstlane_b32 s4, v0\n"
		"\tv_readfirstlane_b32 s5, v1\n"
		"\tv_cmp_eq_u64_e32 vcc, s[4:5], v[0:1]\n"
		"\ts_and_saveexec_b64 s[8:9], vcc\n"
		"\tbuffer_load_format_x v4, v5, s[4:7], 0 idxen\n"
		"\ts_xor_b64 exec, exec, s[8:9]\n"
		"\ts_cbranch_execnz .LBB0_1\n"
		"; %bb.2:\n"
		"\ts_mov_b64 exec, s[2:3]\n"
		"\t.loc\t1 3 0\n"
		"\tglobal_store_dword v[6:7], v4, off\n"
		"\ts_endpgm\n"
		".Lfunc_end0:\n"
		"; codeLenInByte = 64\n; NumSgprs: 10\n; NumVgprs: 9\n; ScratchSize: 0\n";
	static const char program[] = "kernel \"k\"\nfunc 0 \"k\"\nblock 0 \"entry\"\n\tret\n";
	static const Loc places[3] = {{"k.cl", 1, 1}, {"k.cl", 2, 1}, {"k.cl", 3, 1}};
	MachineCode c = {.places = places, .nplaces = 3, .nir_blocks = 1};
	u64 want[MC_COUNT] = {0};
	enum { ENTRIES = 5 };
	Arena *a = arena_new();
	Diag d;
	diag_init(&d);
	Program *p = program_parse("k.wave", program, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	array_push(&p->origins, 0);
	Profile *prof = profile_new(p);
	prof->blocks[0].execs = ENTRIES;
	CU_ASSERT_TRUE_FATAL(codegen_parse(&c, "k", assembly, a));
	put(want, ENTRIES, "valu 1, salu 1");
	put(want, ENTRIES, "valu 3, salu 2, vmem_load 1, branch 1");
	put(want, ENTRIES, "salu 1, vmem_store 1, branch 1");
	const MachineRun *r = machine_run(&c, p, prof, a);
	compare("waterfall", r->total, want);
	CU_ASSERT_EQUAL(r->nassumed, 1);
	CU_ASSERT_TRUE(r->assumed[1]);
	profile_free(prof);
	program_free(p);
	diag_free(&d);
	array_free(&c.ins);
	array_free(&c.blocks);
	array_free(&c.edges);
	arena_free(a);
}

/* A long chain of blocks, those inside each with a way back to itself: how often they ran is known of the last one
 * only. Each takes one guess, and what follows from it goes from block to block. */
static void far_end(void)
{
	enum { BLOCKS = 16000, RUNS = 7 };
	Diag d;
	diag_init(&d);
	Program *p = program_parse("k.wave", "kernel \"k\"\nfunc 0 \"k\"\nblock 0\n\tret\n", &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	Profile *prof = profile_new(p);
	Arena *a = arena_new();
	MachineCode c = {.cpu = "gfx906"};
	prof->blocks[0].execs = RUNS;
	array_push(&p->origins, 0);
	for (u32 b = 0; b < BLOCKS; b++) {
		bool first = b == 0, last = b + 1 == BLOCKS;
		array_push(&c.blocks, ((MachineBlock){.ir_block = last ? 0 : NO_IR, .nedges = last ? 0 : first ? 1 : 2,
		                                      .first_edge = c.edges.n}));
		if (!last)
			array_push(&c.edges, b + 1);
		if (!last && !first)
			array_push(&c.edges, b);
	}
	const MachineRun *r = machine_run(&c, p, prof, a);
	u32 right = 0;
	for (u32 b = 0; b < BLOCKS; b++)
		right += r->execs[b] == RUNS && r->assumed[b] == (b && b + 1 < BLOCKS) && r->driver[b] == 0;
	CU_ASSERT_EQUAL(right, BLOCKS);
	array_free(&c.blocks);
	array_free(&c.edges);
	arena_free(a);
	profile_free(prof);
	program_free(p);
	diag_free(&d);
}

void suite_machine_counts(void)
{
	CU_pSuite s = CU_add_suite("machine counts by hand", NULL, NULL);
	CU_add_test(s, "a waterfall loop", waterfall);
	CU_add_test(s, "a chain whose far end is known", far_end);
	if (llvm_version() != 15) {
		printf("SKIP machine counts by hand: they are of the code that LLVM 15 makes\n");
		return;
	}
	CU_add_test(s, "address arithmetic above a mask", hoisted);
	CU_add_test(s, "a loop whose lanes go two ways", collatz);
	CU_add_test(s, "a loop under a mask in a loop", nested);
	CU_add_test(s, "a switch", choose);
	CU_add_test(s, "a reduction in LDS", tree);
	CU_add_test(s, "a compare-and-swap loop", compare_and_swap);
	CU_add_test(s, "divisions of 64 bits", two_paths);
}
