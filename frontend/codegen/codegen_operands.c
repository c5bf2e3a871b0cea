/* Operands of AMD machine instructions, as far as time depends on them: what a wait waits
 * for, and how many instructions before it the result was computed that an instruction reads.
 *
 * The first operand is written (of a store and a compare-free scalar jump nothing is), the
 * others are read; multiply-accumulates read the first one too. Registers that loads write
 * need no distance: the compiler puts a wait before their use. */
#include "frontend/codegen/codegen.h"

#include <ctype.h>

enum { V0 = REGISTER_V0, A0 = REGISTER_A0, S0 = REGISTER_S0, VCC = REGISTER_VCC, EXEC = REGISTER_EXEC, M0 = 904,
	SCC = 905 };

OperandRange codegen_register(const char **text)
{
	static const struct {
		const char *name;
		u32 first, n;
	} special[] = {{"vcc_lo", VCC, 1}, {"vcc_hi", VCC + 1, 1}, {"vcc", VCC, 2},
	               {"exec_lo", EXEC, 1}, {"exec_hi", EXEC + 1, 1}, {"exec", EXEC, 2}, {"m0", M0, 1}};
	const char *p = *text;
	for (u32 i = 0; i < COUNT(special); i++) {
		size_t n = strlen(special[i].name);
		if (!strncmp(p, special[i].name, n) && !isalnum((unsigned char)p[n])) {
			*text = p + n;
			return (OperandRange){special[i].first, special[i].n};
		}
	}
	if ((*p != 'v' && *p != 'a' && *p != 's') || !(isdigit((unsigned char)p[1]) || p[1] == '['))
		return (OperandRange){0, 0};
	u32 base = *p == 'v' ? V0 : *p == 'a' ? A0 : S0, limit = *p == 'v' ? 512 : *p == 'a' ? 256 : 128;
	bool many = p[1] == '[';
	char *end;
	unsigned long from = strtoul(p + 1 + many, &end, 10), to = from;
	if (many && *end == ':')
		to = strtoul(end + 1, &end, 10);
	*text = end + (many && *end == ']');
	if (to < from || to >= limit)
		return (OperandRange){0, 0};
	return (OperandRange){base + (u32)from, (u32)(to - from + 1)};
}

static bool has_part(const char *s, const char *part) { return strstr(s, part) != NULL; }

static bool is_arithmetic(const MachineIns *x)
{
	u8 unit = machine_class_unit[x->cls];
	return unit == MU_VECTOR || unit == MU_TRANS || unit == MU_SCALAR;
}

static bool writes_first(const MachineIns *x)
{
	if (x->cls == MC_salu)
		return strncmp(x->mnemonic, "s_cmp", 5) && strncmp(x->mnemonic, "s_bitcmp", 8);
	return is_arithmetic(x) || x->cls == MC_smem || x->cls == MC_vmem_load || x->cls == MC_lds_read ||
	       x->cls == MC_lds_move;
}

static void reads(MachineIns *x, OperandRange r, u32 n, u32 first, const Writers *w)
{
	for (u32 i = r.first; i < r.first + r.n; i++) {
		u32 by = w->at[i];
		if (by <= first)
			continue;
		u32 distance = n - (by - 1);
		if (distance < NO_WAIT && (!x->dep || distance < x->dep))
			x->dep = (u8)distance;
	}
}

static void writes(const MachineIns *x, OperandRange r, u32 n, Writers *w)
{
	for (u32 i = r.first; i < r.first + r.n; i++)
		w->at[i] = is_arithmetic(x) ? n + 1 : 0;
}

static u8 wait_count(const char *text, const char *key)
{
	const char *p = strstr(text, key);
	if (!p)
		return NO_WAIT;
	unsigned long v = strtoul(p + strlen(key), NULL, 0);
	return v < NO_WAIT ? (u8)v : NO_WAIT;
}

static void read_wait(MachineIns *x, const char *text)
{
	if (!strcmp(x->mnemonic, "s_waitcnt_vscnt")) {
		x->vs = wait_count(text, "null, ");
		return;
	}
	x->vm = wait_count(text, "vmcnt(");
	x->lgkm = wait_count(text, "lgkmcnt(");
}

u16 codegen_pair_distance(const MachineIns *x, const char *text)
{
	const char *key[2] = {"offset0:", "offset1:"};
	unsigned long at[2] = {0, 0};
	for (u32 i = 0; i < 2; i++) {
		const char *p = strstr(text, key[i]);
		at[i] = p ? strtoul(p + strlen(key[i]), NULL, 0) : 0;
	}
	unsigned long unit = x->bytes / 2u * (has_part(x->mnemonic, "st64") ? 64 : 1);
	return (u16)((at[1] - at[0]) * unit);
}

/* ---- places in private memory ---- */

static const char *operand(const char *text, u32 n)
{
	for (; n && *text; n--) {
		text += strcspn(text, ",;\n");
		text += *text == ',';
	}
	return text + strspn(text, " \t");
}

/* False: these are no scalar registers that can be known. */
static bool forget(KnownScalars *k, OperandRange r)
{
	if (r.first < S0 || r.first + r.n > S0 + MOST_SCALARS)
		return false;
	for (u32 i = 0; i < r.n; i++)
		k->known[r.first - S0 + i] = false;
	return true;
}

/* The compiler puts into a scalar register what is further than the offset of an access reaches. */
static void know_scalars(const MachineIns *x, const char *text, KnownScalars *k)
{
	const char *to = operand(text, 0), *from = operand(text, 1), *second = from;
	OperandRange r = codegen_register(&to), carry = codegen_register(&second);
	if (x->mnemonic[0] == 'v') /* it may write a carry or a flag beside its result */
		forget(k, carry);
	if (!forget(k, r))
		return;
	if (strncmp(x->mnemonic, "s_mov", 5) || r.n != 1 || !isdigit((unsigned char)*from))
		return;
	k->known[r.first - S0] = true;
	k->value[r.first - S0] = (u32)strtoul(from, NULL, 0);
}

void codegen_frame(MachineIns *x, const char *text, KnownScalars *k)
{
	bool buffer = !strncmp(x->mnemonic, "buffer_", 7), store = has_part(x->mnemonic, "store");
	if (x->cls != MC_scratch && !buffer) {
		know_scalars(x, text, k);
		return;
	}
	/* buffer_load_dword v1, off, s[0:3], s4 offset:8
	 * scratch_load_b32 v1, off, s4 offset:8
	 * scratch_store_b32 off, v1, s4 offset:8 */
	const char *lane = operand(text, buffer || !store), *base = operand(text, buffer ? 3 : 2);
	OperandRange r = codegen_register(&base);
	bool scalar = r.n == 1 && r.first >= S0 && r.first < S0 + MOST_SCALARS;
	if (strncmp(lane, "off", 3) || (r.n && (!scalar || !k->known[r.first - S0])))
		return;
	const char *offset = strstr(text, "offset:");
	u32 whole = scalar ? k->value[r.first - S0] : 0;
	x->frame = (offset ? (u32)strtoul(offset + strlen("offset:"), NULL, 0) : 0) + (buffer ? 0 : whole);
	x->frame_all = buffer ? whole : 0;
}

void codegen_operands(MachineIns *x, const char *text, u32 n, u32 first, Writers *w)
{
	if (x->cls == MC_waitcnt) {
		read_wait(x, text);
		return;
	}
	bool scalar = x->cls == MC_salu, writes_one = writes_first(x), is_first = true;
	bool accumulates = has_part(x->mnemonic, "fmac") || has_part(x->mnemonic, "_mac_");
	OperandRange result = {0, 0};
	for (const char *p = text; *p && *p != ';'; is_first = false) {
		while (*p == ' ' || *p == '\t' || *p == ',' || *p == '-' || *p == '|')
			p++;
		OperandRange r = codegen_register(&p);
		if (is_first && writes_one)
			result = r;
		if (!is_first || !writes_one || accumulates)
			reads(x, r, n, first, w);
		p += strcspn(p, ",;");
	}
	if (x->cls == MC_branch && has_part(x->mnemonic, "scc"))
		reads(x, (OperandRange){SCC, 1}, n, first, w);
	if (x->cls == MC_branch && has_part(x->mnemonic, "vcc"))
		reads(x, (OperandRange){VCC, 2}, n, first, w);
	if (x->cls == MC_branch && has_part(x->mnemonic, "exec"))
		reads(x, (OperandRange){EXEC, 2}, n, first, w);
	writes(x, result, n, w);
	if (scalar)
		writes(x, (OperandRange){SCC, 1}, n, w);
}
