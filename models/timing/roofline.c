/* Operations and bytes of a launch, and the device's peaks: see roofline.h. */
#include "models/timing/roofline.h"

#include "models/timing/cost.h"

#include <fnmatch.h>

const char *const roof_op_name[ROOF_OP_COUNT] = {ROOF_OPS(X_NAME)};

/* The first that matches counts; what begins with v_ and is not here is an integer operation. */
static const struct {
	const char *pattern;
	u8 op, n;
} kinds[] = {
	/* what helps a division, and moves to and from other registers, computes nothing */
	{"v_div_scale_*", 0, 0}, {"v_div_fixup_*", 0, 0}, {"v_readlane_*", 0, 0}, {"v_readfirstlane_*", 0, 0},
	{"v_writelane_*", 0, 0}, {"v_accvgpr_*", 0, 0}, {"v_nop*", 0, 0}, {"v_mfma_*", 0, 0}, {"v_smfmac_*", 0, 0},
	{"v_wmma_*", 0, 0}, {"v_swmmac_*", 0, 0},
	{"v_pk_fma_f32*", ROOF_f32, 4}, {"v_pk_[am][du][dl]_f32*", ROOF_f32, 2},
	{"v_pk_fma*_f16*", ROOF_f16, 4}, {"v_pk_*_f16*", ROOF_f16, 2}, {"v_dot2*_f32_f16*", ROOF_f32, 4},
	{"v_cmp*", ROOF_integer, 1}, {"v_cvt_*", ROOF_integer, 1}, {"v_m[ai][xn]*", ROOF_integer, 1},
	{"v_fma_mix*", ROOF_f32, 2}, {"v_mad_mix*", ROOF_f32, 2},
	{"v_*fma*_f64*", ROOF_f64, 2}, {"v_*fma*_f32*", ROOF_f32, 2}, {"v_*fma*_f16*", ROOF_f16, 2},
	{"v_ma[dc]*_f32*", ROOF_f32, 2}, {"v_ma[dc]*_f16*", ROOF_f16, 2},
	{"v_*_f64*", ROOF_f64, 1},
	{"v_dual_cndmask*", ROOF_integer, 1}, {"v_dual_mov*", ROOF_integer, 1}, {"v_dual_m[ai][xn]*", ROOF_integer, 1},
	{"v_*_f32*", ROOF_f32, 1}, {"v_*_f16*", ROOF_f16, 1}, {"v_*", ROOF_integer, 1},
	/* VLIW: slots of a bundle */
	{"*_INT*", ROOF_integer, 1}, {"*_UINT*", ROOF_integer, 1}, {"LDS_*", 0, 0}, {"GROUP_BARRIER", 0, 0},
	{"*FMA_64*", ROOF_f64, 2}, {"*_64*", ROOF_f64, 1}, {"MULADD*", ROOF_f32, 2}, {"FMA*", ROOF_f32, 2},
	{"DOT4*", ROOF_f32, 2}, {"ADD*", ROOF_f32, 1}, {"MUL*", ROOF_f32, 1}, {"RECIP*", ROOF_f32, 1},
	{"SQRT*", ROOF_f32, 1}, {"EXP*", ROOF_f32, 1}, {"LOG*", ROOF_f32, 1}, {"SIN*", ROOF_f32, 1},
	{"COS*", ROOF_f32, 1},
	{"[A-Z]*", ROOF_integer, 1},
};

static bool one_op(const char *text, double ops[ROOF_OP_COUNT])
{
	char name[48] = "";
	size_t n = strcspn(text, " \t\n");
	if (n >= sizeof name)
		return false;
	memcpy(name, text, n);
	for (u32 i = 0; i < COUNT(kinds); i++)
		if (!fnmatch(kinds[i].pattern, name, 0)) {
			ops[kinds[i].op] += kinds[i].n;
			return kinds[i].n != 0;
		}
	return false;
}

bool roofline_ops(const char *text, double ops[ROOF_OP_COUNT])
{
	bool any = false;
	for (const char *p = text; p;) {
		any |= one_op(p, ops);
		const char *line = strchr(p, '\n'), *pair = strstr(p, " :: ");
		p = line ? line + 1 : pair ? pair + 4 : NULL;
	}
	return any;
}

/* By what a matrix instruction multiplies. */
static const u8 matrix_op[] = {[MATRIX_f16] = ROOF_f16, [MATRIX_bf16] = ROOF_f16, [MATRIX_i8] = ROOF_integer,
                               [MATRIX_f32] = ROOF_f32, [MATRIX_f64] = ROOF_f64};

/* All lanes take part. */
static void count_matrix(Roofline *r, const MachineIns *x, double execs)
{
	const MatrixShape *s = matrix_mnemonic(x->mnemonic);
	if (s)
		r->ops[matrix_op[s->in]] += execs * matrix_operations(s);
	r->matrix |= !s;
}

/* Of each instruction: its operations, by the lanes of its block. */
static void count_ops(Roofline *r, const MachineCode *c, const MachineRun *run, const Profile *prof)
{
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		const BlockProf *with = run->driver[b] == NO_BLOCK ? NULL : &prof->blocks[run->driver[b]];
		if (!run->execs[b] || !with || !with->execs)
			continue;
		double lanes = (double)run->execs[b] * (double)with->lanes / (double)with->execs;
		for (u32 i = k->first; i < k->first + k->n; i++) {
			const MachineIns *x = &c->ins.v[i];
			u8 unit = machine_class_unit[x->cls];
			double ops[ROOF_OP_COUNT] = {0};
			if (x->cls == MC_matrix) {
				count_matrix(r, x, (double)run->execs[b]);
				continue;
			}
			if ((unit != MU_VECTOR && unit != MU_TRANS) || !roofline_ops(x->text, ops))
				continue;
			for (u32 o = 0; o < ROOF_OP_COUNT; o++)
				r->ops[o] += lanes * ops[o];
		}
	}
}

/* A multiply-add is two operations; where it takes long, `other` operations of one instruction do more. */
static double ops_per_cycle(double fma, double other, double each)
{
	return 2 / fma > each / other ? 2 / fma : each / other;
}

static void find_peaks(Roofline *r, const Device *dev)
{
	double clock = dev->clock_mhz / 1e3, cus = dev->compute_units;
	double lanes = cus * dev->simds_per_cu * dev->wave * clock;
	/* AMD's compiler takes v_mac and v_mad, which round twice, where a fused multiply-add takes long. */
	double f32 = ops_per_cycle(dev->cycles_fma, dev->cycles_valu, dev->family == DEVICE_FAMILY_nvidia ? 1 : 2);
	/* f64 takes all of a bundle, and no pair has packed f16. */
	u32 slots = dev->vliw_slots > 1 ? dev->vliw_slots : 1;
	r->peak_gops[ROOF_f16] = lanes * f32 * dev->packed_f16;
	r->peak_gops[ROOF_f32] = lanes * f32 * slots * dev->packed_f32;
	r->peak_gops[ROOF_f64] = lanes * ops_per_cycle(dev->cycles_f64_mul, dev->cycles_f64_add, 1);
	r->peak_gops[ROOF_integer] = lanes * slots / dev->cycles_valu;
	for (u32 i = 0; i < COUNT(matrix_op); i++)
		if (matrix_op[i] != ROOF_integer) /* of these the shapes decide */
			r->matrix_gops[matrix_op[i]] = cus * cost_matrix_rate(dev, (MatrixType)i) * clock;
	r->peak_gbs[LEVEL_lds] = cus / dev->lds_cus * dev->lds_banks * 4 * clock;
	r->peak_gbs[LEVEL_l1] = dev->l1_bytes ? cus * dev->l1_bytes_per_cycle * clock : 0;
	r->peak_gbs[LEVEL_l2] = (double)dev->l2_channels * dev->xcds * dev->l2_bytes_per_cycle * clock;
	r->peak_gbs[LEVEL_l3] = dev->l3_bytes ? dev->l3_bytes_per_cycle * clock : 0;
	r->peak_gbs[LEVEL_dram] = dev->dram_mb_per_s * dev->dram_percent / 1e5;
}

const Roofline *roofline(const Device *dev, const MachineCode *c, const MachineRun *run, const Profile *prof,
                         const Estimate *e, Arena *a)
{
	Roofline *r = ARENA_NEW(a, Roofline);
	if (e->missing) {
		r->missing = e->missing;
		return r;
	}
	count_ops(r, c, run, prof);
	find_peaks(r, dev);
	double all = prof->groups_run ? (double)prof->groups / (double)prof->groups_run : 1; /* of a sample */
	for (u32 o = 0; o < ROOF_OP_COUNT; o++)
		r->ops[o] *= all;
	memcpy(r->level, e->level, sizeof r->level);
	return r;
}
