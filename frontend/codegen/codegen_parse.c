/* Read AMD assembly as LLVM prints it with comments.
 *
 *   a:                              ; @a              a function begins
 *   ; %bb.2:                        ; %wavesim.5b    a block without a label; its IR block
 *   .LBB0_3:                        ; %wavesim.6b    a block with one
 *           .loc    1 12 0                           what follows is IR instruction 12 - 1
 *           v_add_u32_e32 v7, 1, v5                  a machine instruction
 *   ; NumVgprs: 13                                   a fact of the function before it
 *
 * Branch operands and the order of the blocks give the machine's control flow. */
#include "frontend/codegen/codegen.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>

static const struct Row {
	const char *pattern;
	u8 cls, bytes;
	bool pair;
} rows[] = {
#define MCODE(pattern, class, bytes, pair) {pattern, MC_##class, bytes, pair},
#include "frontend/codegen/mcode.def"
};

void codegen_classify(const char *mnemonic, MachineIns *out)
{
	out->cls = MC_other;
	out->bytes = 0;
	out->pair = false;
	out->distance = 0;
	out->frame = NO_FRAME;
	out->frame_all = 0;
	out->dep = 0;
	out->vm = out->lgkm = out->vs = NO_WAIT;
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (fnmatch(rows[i].pattern, mnemonic, 0))
			continue;
		out->cls = rows[i].cls;
		out->bytes = rows[i].bytes;
		out->pair = rows[i].pair;
		return;
	}
}

/* A jump whose target has not been seen yet. */
typedef struct Jump {
	u32 block;
	const char *label; /* in the text, up to its end */
	u32 len;
} Jump;

typedef struct AsmReader {
	MachineCode *c;
	Arena *arena;
	const char *kernel;
	ARRAY(Jump) jumps; /* NULL label: to the block that follows */
	u32 func, ir;
	bool in_kernel, in_function, in_assembly;
	bool open;                         /* the last block goes on … */
	bool branched;                     /* … behind a branch that may have left it */
	bool complete;                     /* the kernel's facts were seen */
	Writers writers;
	KnownScalars scalars;
	ARRAY(UndefinedRegisters) undefined;
} AsmReader;

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static u32 word_length(const char *p)
{
	u32 n = 0;
	while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.$", p[n])))
		n++;
	return n;
}

/* "; %wavesim.12b" behind a label. LLVM's own blocks have longer names. */
static u32 ir_block(const char *line)
{
	static const char start[] = "; %wavesim.";
	const char *p = strstr(line, start);
	char *end;
	if (!p || !isdigit((unsigned char)p[sizeof start - 1]))
		return NO_IR;
	unsigned long n = strtoul(p + sizeof start - 1, &end, 10);
	return *end == 'b' && (!end[1] || end[1] == ' ') ? (u32)n : NO_IR;
}

static void begin_block(AsmReader *r, const char *label, u32 len, const char *line)
{
	if (r->open)
		array_push(&r->jumps, ((Jump){.block = r->c->blocks.n - 1}));
	MachineBlock b = {.first = r->c->ins.n, .func = r->func, .ir_block = ir_block(line)};
	if (b.ir_block >= r->c->nir_blocks)
		b.ir_block = NO_IR;
	b.label = label ? arena_strndup(r->arena, label, len) : NULL;
	array_push(&r->c->blocks, b);
	r->scalars = (KnownScalars){0};
	r->open = true;
	r->branched = false;
}

/* Mnemonics repeat: keep one copy of those lately seen. */
static const char *share(AsmReader *r, const char *p, u32 len)
{
	u32 n = r->c->ins.n;
	for (u32 i = n; i-- > 0 && n - i < 64;) {
		const char *s = r->c->ins.v[i].mnemonic;
		if (strlen(s) == len && !memcmp(s, p, len))
			return s;
	}
	return arena_strndup(r->arena, p, len);
}

/* The line of an instruction, without its comment; one blank between mnemonic and operands. */
static const char *own_text(AsmReader *r, const char *p, u32 mnemonic)
{
	const char *operands = skip_blanks(p + mnemonic);
	u32 n = (u32)strcspn(operands, ";\n");
	while (n && (operands[n - 1] == ' ' || operands[n - 1] == '\t'))
		n--;
	return arena_printf(r->arena, n ? "%.*s %.*s" : "%.*s", (int)mnemonic, p, (int)n, operands);
}

/* LLVM says of an access that it is a spill. */
static MachineSpill spill_of(const char *p)
{
	return strstr(p, "Folded Spill") ? SPILL_store : strstr(p, "Folded Reload") ? SPILL_load : SPILL_none;
}

/* "; implicit-def: $vgpr4_vgpr5": from here on nothing needs what was in them. */
static void undefined(AsmReader *r, const char *p)
{
	if (!r->c->listing || !r->open || r->branched || !r->c->blocks.n)
		return;
	static const struct {
		const char *name;
		u32 base, limit;
	} kinds[] = {{"vgpr", REGISTER_V0, REGISTER_A0},
	             {"agpr", REGISTER_A0, REGISTER_S0 - REGISTER_A0},
	             {"sgpr", REGISTER_S0, MOST_SCALARS}};
	for (; *p; p++)
		for (u32 i = 0; i < COUNT(kinds); i++) {
			if (strncmp(p, kinds[i].name, 4) || !isdigit((unsigned char)p[4]))
				continue;
			unsigned long n = strtoul(p + 4, NULL, 10);
			if (n < kinds[i].limit)
				array_push(&r->undefined, ((UndefinedRegisters){r->c->blocks.n - 1, r->c->ins.n,
				                                                 {kinds[i].base + (u32)n, 1}}));
		}
}

static void instruction(AsmReader *r, const char *p)
{
	MachineCode *c = r->c;
	u32 len = word_length(p);
	if (!len)
		return;
	/* Behind a branch, LLVM's block goes on with the jump for the case that it is not taken; behind
	 * a jump nothing runs, but it is code. */
	if (!r->open || r->branched)
		begin_block(r, NULL, 0, "");
	MachineIns x = {.ir = r->ir, .mnemonic = share(r, p, len)};
	codegen_classify(x.mnemonic, &x);
	x.distance = x.pair ? codegen_pair_distance(&x, p + len) : 0;
	codegen_frame(&x, p + len, &r->scalars);
	MachineBlock *block = &c->blocks.v[c->blocks.n - 1];
	codegen_operands(&x, p + len, c->ins.n, block->first, &r->writers);
	if (c->listing) {
		x.text = own_text(r, p, len);
		x.spill = (u8)spill_of(p + len);
	}
	array_push(&c->ins, x);
	block->n++;
	if (x.cls != MC_branch || r->in_assembly) /* there it leads on within the block: assembly.h */
		return;
	bool call = !strncmp(x.mnemonic, "s_swappc", 8) || !strncmp(x.mnemonic, "s_call", 6);
	const char *target = skip_blanks(p + len);
	if (*target == '.')
		array_push(&r->jumps, ((Jump){c->blocks.n - 1, target, word_length(target)}));
	r->branched = !strncmp(x.mnemonic, "s_cbranch", 9);
	r->open = call || r->branched;
}

static bool number_after(const char *line, const char *key, u32 *out)
{
	const char *p = strstr(line, key);
	if (!p)
		return false;
	*out = (u32)strtoul(p + strlen(key), NULL, 10);
	return true;
}

static void fact(AsmReader *r, const char *line)
{
	MachineCode *c = r->c;
	if (!r->in_kernel)
		return;
	/* TotalNumVgprs first: its name contains another. */
	if (number_after(line, "; TotalNumVgprs: ", &c->total_vgprs) ||
	    number_after(line, "; NumVgprs: ", &c->vgprs) ||
	    number_after(line, "; NumAgprs: ", &c->agprs) ||
	    number_after(line, "; ScratchSize: ", &c->scratch_bytes) ||
	    number_after(line, "; LDSByteSize: ", &c->lds_bytes) ||
	    number_after(line, "; codeLenInByte = ", &c->code_bytes))
		return;
	r->complete |= number_after(line, "; NumSgprs: ", &c->sgprs);
}

static void label(AsmReader *r, const char *line)
{
	u32 len = word_length(line);
	if (!strncmp(line, ".LBB", 4)) {
		begin_block(r, line, len, line);
		return;
	}
	if (!strncmp(line, ".Lfunc_end", 10)) {
		r->in_function = r->open = false;
		return;
	}
	if (line[0] == '.' || !strstr(line, "; @"))
		return;
	r->in_function = true;
	r->open = false;
	r->func++;
	r->ir = NO_IR;
	r->in_kernel = strlen(r->kernel) == len && !memcmp(r->kernel, line, len);
}

static void one_line(AsmReader *r, const char *line)
{
	const char *p = skip_blanks(line);
	u32 number = 0;
	if (!*p || number_after(p, ".sgpr_spill_count: ", &r->c->sgpr_spills) ||
	    number_after(p, ".vgpr_spill_count: ", &r->c->vgpr_spills))
		return;
	if (r->in_function && !strncmp(p, "; %bb.", 6)) {
		begin_block(r, NULL, 0, p);
	} else if (!strncmp(p, "; implicit-def:", 15)) {
		undefined(r, p + 15);
	} else if (!strncmp(p, ";;#ASM", 6)) {
		r->in_assembly = !strncmp(p, ";;#ASMSTART", 11);
	} else if (*p == ';') {
		fact(r, p);
	} else if (p[word_length(p)] == ':') {
		if (p == line && !r->in_assembly)
			label(r, p);
	} else if (sscanf(p, ".loc %*u %u", &number) == 1) {
		r->ir = number && number <= r->c->nplaces ? number - 1 : NO_IR;
	} else if (r->in_function && *p != '.') {
		instruction(r, p);
	}
}

/* ---- where jumps lead ---- */

typedef struct Label {
	const char *name;
	u32 block;
} Label;

static int by_name(const void *pa, const void *pb)
{
	const Label *a = pa, *b = pb;
	int d = strcmp(a->name, b->name);
	return d ? d : (a->block > b->block) - (a->block < b->block);
}

/* All labels, sorted; *n of them. */
static Label *sorted_labels(const MachineCode *c, u32 *n)
{
	Label *labels = xcalloc(c->blocks.n + 1, sizeof *labels);
	*n = 0;
	for (u32 b = 0; b < c->blocks.n; b++)
		if (c->blocks.v[b].label)
			labels[(*n)++] = (Label){c->blocks.v[b].label, b};
	qsort(labels, *n, sizeof *labels, by_name);
	return labels;
}

static int before_jump(const void *label, const void *jump)
{
	const Jump *j = jump;
	return strncmp(((const Label *)label)->name, j->label, j->len);
}

/* The first block with the label, or UINT32_MAX. */
static u32 find_label(const Label *labels, u32 n, const Jump *j)
{
	u32 k = lower_bound(labels, n, sizeof *labels, j, before_jump);
	return k < n && !before_jump(&labels[k], j) && !labels[k].name[j->len] ? labels[k].block : UINT32_MAX;
}

/* Jumps were found in the order of their blocks. */
static void make_edges(AsmReader *r)
{
	MachineCode *c = r->c;
	u32 k = 0, n;
	Label *labels = sorted_labels(c, &n);
	for (u32 b = 0; b < c->blocks.n; b++) {
		c->blocks.v[b].first_edge = c->edges.n;
		for (; k < r->jumps.n && r->jumps.v[k].block == b; k++) {
			const Jump *j = &r->jumps.v[k];
			u32 to = j->label ? find_label(labels, n, j) : j->block + 1;
			u32 i = c->blocks.v[b].first_edge;
			while (i < c->edges.n && c->edges.v[i] != to)
				i++;
			if (i == c->edges.n && to < c->blocks.n)
				array_push(&c->edges, to);
		}
		c->blocks.v[b].nedges = c->edges.n - c->blocks.v[b].first_edge;
	}
	free(labels);
}

/* The vector register of whose lanes the instruction moves one, by a constant; or REGISTER_COUNT. */
static u32 lane_register(const MachineIns *x, const char *mnemonic, u32 operand)
{
	const char *p = x->text + strlen(x->mnemonic), *lane = strrchr(x->text, ',');
	bool it = !strncmp(x->mnemonic, mnemonic, strlen(mnemonic));
	if (!it || !lane || !isdigit((unsigned char)*skip_blanks(lane + 1)))
		return REGISTER_COUNT;
	while (operand--)
		p += strcspn(p, ",") + 1;
	p = skip_blanks(p);
	OperandRange v = codegen_register(&p);
	return v.n == 1 && v.first < REGISTER_A0 ? v.first : REGISTER_COUNT;
}

/* Of scalar registers only the number of spills is said. They are in lanes of vector registers, which are written lane
 * by lane only then; a built-in function may read a lane of others. */
static void mark_scalar_spills(MachineCode *c)
{
	bool spilled[REGISTER_COUNT + 1] = {0};
	for (u32 i = 0; i < c->ins.n && c->sgpr_spills; i++) {
		u32 v = lane_register(&c->ins.v[i], "v_writelane", 0);
		if (v == REGISTER_COUNT)
			continue;
		spilled[v] = true;
		c->ins.v[i].spill = SPILL_scalar_store;
	}
	for (u32 i = 0; i < c->ins.n && c->sgpr_spills; i++)
		if (spilled[lane_register(&c->ins.v[i], "v_readlane", 1)])
			c->ins.v[i].spill = SPILL_scalar_load;
}

bool codegen_parse(MachineCode *c, const char *kernel, const char *text, Arena *a)
{
	AsmReader r = {.c = c, .arena = a, .kernel = kernel, .ir = NO_IR};
	Buf copy = {0};
	buf_printf(&copy, "%s\n", text);
	for (char *p = copy.v, *end; (end = strchr(p, '\n')); p = end + 1) {
		*end = 0;
		one_line(&r, p);
	}
	make_edges(&r);
	if (c->listing) {
		mark_scalar_spills(c);
		codegen_live(c, r.undefined.v, r.undefined.n);
	}
	array_free(&r.undefined);
	if (!c->total_vgprs)
		c->total_vgprs = c->vgprs;
	array_free(&copy);
	array_free(&r.jumps);
	return r.complete && c->blocks.n;
}
