/* Which registers a machine instruction of AMD's GCN, CDNA and RDNA reads and writes, for the registers that
 * are live (codegen_live.c).
 *
 * Results come first (mostly one, none of a store), then what is read. The tables here have the exceptions: two
 * results, a result that is also read, one of which a part stays. */
#include "frontend/codegen/codegen.h"

#include <fnmatch.h>
#include <stdio.h>

static bool has(const char *s, const char *part) { return strstr(s, part) != NULL; }

static bool matches(const char *const *patterns, u32 n, const char *mnemonic)
{
	for (u32 i = 0; i < n; i++)
		if (!fnmatch(patterns[i], mnemonic, 0))
			return true;
	return false;
}
#define MATCHES(patterns, mnemonic) matches((patterns), COUNT(patterns), (mnemonic))

/* An accumulator, or a register of which bits are set. */
static bool reads_result(const char *m)
{
	static const char *const patterns[] = {
		"v_*fmac_*", "v_mac_*", "v_dot*c_*", "v_smfmac_*", "v_swmmac_*", "v_swap_*", "s_addk_*", "s_mulk_*",
		"s_bitset*", "buffer_atomic_*", "image_atomic_*"};
	return MATCHES(patterns, m);
}

/* Something of what was there before stays. */
static bool writes_part(const char *m, const char *text)
{
	static const char *const patterns[] = {"v_writelane_*", "v_movreld_*", "v_*_mixlo_*", "v_*_mixhi_*", "s_cmov_*",
	                                       "s_cmovk_*"};
	if (MATCHES(patterns, m) || has(text, "UNUSED_PRESERVE"))
		return true;
	if (has(m, "_d16"))
		return !has(m, "_format_");
	if (!has(m, "_dpp"))
		return false;
	return !has(text, "bound_ctrl:") || !has(text, "row_mask:0xf") || !has(text, "bank_mask:0xf");
}

/* The carry of an addition is a result too; older chips have it in every addition. */
static bool two_results(const char *m, u32 n)
{
	static const char *const always[] = {
		"v_add_co_*", "v_sub_co_*", "v_subrev_co_*", "v_addc_*", "v_subb_*", "v_subbrev_*", "v_div_scale_*",
		"v_mad_u64_u32*", "v_mad_i64_i32*", "v_swap_*"};
	static const char *const of_four[] = {"v_add_[iu]32*", "v_sub_[iu]32*", "v_subrev_[iu]32*"};
	return MATCHES(always, m) || (n == 4 && MATCHES(of_four, m));
}

static bool atomic_returns(const char *text)
{
	return has(text, " glc") || has(text, " sc0") || has(text, "TH_ATOMIC_RETURN");
}

/* Of n operands the first so many. */
static u32 nresults(const MachineIns *x, const char *text, u32 n)
{
	static const char *const no_scalar[] = {"s_cmp*",       "s_bitcmp*",     "s_set*",
	                                        "s_round_mode", "s_denorm_mode", "s_wait_*"};
	static const char *const lds[] = {"*_rtn*", "ds_consume", "ds_append", "ds_ordered_count"};
	const char *m = x->mnemonic;
	switch (x->cls) {
	case MC_waitcnt:
	case MC_barrier:
	case MC_other:
	case MC_vmem_store:
	case MC_lds_write: return 0;
	case MC_vmem_load:
	case MC_lds_read:
	case MC_lds_move: return 1;
	case MC_branch: return starts(m, "s_swappc") || starts(m, "s_call") ? 1 : 0;
	case MC_smem: return !has(m, "_store_") ? 1 : 0;
	case MC_scratch: return has(m, "_load_") ? 1 : 0;
	case MC_vmem_atomic: return atomic_returns(text) ? 1 : 0;
	case MC_lds_atomic: return MATCHES(lds, m) ? 1 : 0;
	case MC_salu: return !MATCHES(no_scalar, m) ? 1 : 0;
	default: break;
	}
	if (starts(m, "v_cmpx")) /* later chips have no result but the active lanes */
		return n > 2 ? 1 : 0;
	return n < 2 ? n : two_results(m, n) ? 2 : 1;
}

static const char *skip_sign(const char *p)
{
	static const char *const calls[] = {"sext(", "abs(", "neg("};
	for (bool more = true; more;) {
		p += strspn(p, " \t-|[");
		more = false;
		for (u32 i = 0; i < COUNT(calls); i++)
			if (starts(p, calls[i])) {
				p += strlen(calls[i]);
				more = true;
			}
	}
	return p;
}

/* Behind the operand at p: its comma, or the end. */
static const char *operand_end(const char *p)
{
	for (u32 depth = 0; *p && *p != ';' && !(*p == ',' && !depth); p++) {
		depth += *p == '[' || *p == '(';
		depth -= depth && (*p == ']' || *p == ')');
	}
	return p;
}

static u32 count_operands(const char *text)
{
	u32 n = 0;
	for (const char *p = text + strspn(text, " \t"); *p && *p != ';';) {
		n++;
		p = operand_end(p);
		p += *p == ',';
	}
	return n;
}

typedef struct UseList {
	RegisterUse *v;
	u32 n;
} UseList;

static void put(UseList *l, OperandRange r, RegisterUse how)
{
	if (!r.n || l->n == MOST_USES)
		return;
	how.first = (u16)r.first;
	how.n = (u8)(r.n < 255 ? r.n : 255);
	l->v[l->n++] = how;
}

/* Of an image's address there may be a list of registers; behind the others stand modifiers. */
static void put_operand(UseList *l, const char *p, const char *end, RegisterUse how)
{
	p += strspn(p, " \t");
	bool list = *p == '[';
	while (p < end) {
		p = skip_sign(p);
		put(l, codegen_register(&p), how);
		if (!list)
			return;
		p += strcspn(p, ",]");
		p += p < end;
	}
}

static void put_all(UseList *l, const MachineIns *x, const char *text)
{
	const char *m = x->mnemonic;
	u32 n = count_operands(text), results = nresults(x, text, n), i = 0;
	RegisterUse read = {.reads = true};
	RegisterUse result = {.writes = true, .reads = reads_result(m), .whole = !writes_part(m, text)};
	for (const char *p = text; *p && *p != ';'; i++) {
		const char *end = operand_end(p);
		put_operand(l, p, end, i < results ? result : read);
		p = end + (*end == ',');
	}
	if (has(m, "_vcc") || starts(m, "v_div_fmas"))
		put(l, (OperandRange){REGISTER_VCC, 2}, read);
}

/* "v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v0": both read before they write. */
u32 codegen_uses(const MachineIns *x, const char *text, RegisterUse out[MOST_USES])
{
	UseList l = {out, 0};
	const char *second = strstr(text, " :: ");
	if (!second) {
		put_all(&l, x, text);
		return l.n;
	}
	char part[128], name[64] = "";
	snprintf(part, sizeof part, "%.*s", (int)(second - text), text);
	put_all(&l, x, part);
	int n = 0;
	if (sscanf(second + 4, "%63s%n", name, &n) == 1) {
		MachineIns y = *x;
		y.mnemonic = name;
		put_all(&l, &y, second + 4 + n);
	}
	return l.n;
}
