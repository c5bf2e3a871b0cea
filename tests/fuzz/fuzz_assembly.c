/* Any text as assembly of a kernel "k", of each of LLVM's code generators (frontend/codegen/backend.h): what
 * its reader accepts must hang together, and counts of a run must be found for it. */
#include "frontend/codegen/backend.h"
#include "models/timing/machine.h"
#include "models/timing/r600.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACES = 64, PER_BLOCK = 8, IR_BLOCKS = PLACES / PER_BLOCK };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check(const MachineCode *c)
{
	u32 next = 0;
	for (u32 b = 0; b < c->blocks.n; b++) {
		const MachineBlock *k = &c->blocks.v[b];
		must(k->first == next && k->same <= b && (k->ir_block == NO_IR || k->ir_block < IR_BLOCKS));
		must(k->first_edge <= c->edges.n && k->nedges <= c->edges.n - k->first_edge);
		next += k->n;
		must(next <= c->ins.n);
		for (u32 i = 0; i < k->n; i++) {
			const MachineIns *x = &c->ins.v[k->first + i];
			must(!c->listing || (x->text && x->spill < SPILL_COUNT));
			must(x->cls < MC_COUNT && x->mnemonic && x->dep <= i);
			must(x->ir == NO_IR || x->ir < PLACES);
		}
	}
	must(next == c->ins.n);
	for (u32 i = 0; i < c->edges.n; i++)
		must(c->edges.v[i] < c->blocks.n);
}

static void check_r600(const R600Code *c, Arena *a)
{
	u32 bundles = 0, fetches = 0, stores = 0;
	for (u32 i = 0; i < c->nsteps; i++) {
		bundles += c->steps[i].bundles;
		fetches += c->steps[i].fetches;
		stores += c->steps[i].stores;
	}
	must(bundles == c->bundles && fetches == c->fetches && stores == c->stores + c->atomics);
	must(c->bundles <= c->slots && c->trans <= c->slots);
	Diag d;
	Device dev;
	R600Rate best, all;
	diag_init(&d);
	must(device_load(&dev, "hd5870", NO_LOC, a, &d));
	r600_rates(&dev, c, &best, &all);
	must(best.bundles <= all.bundles && best.fetches <= all.fetches);
	diag_free(&d);
}

/* A run with a loop, and with blocks that nothing enters. */
static void count(const MachineCode *c, Arena *a)
{
	static const char program[] = "kernel \"k\"\nfunc 0 \"k\"\nblock 0\n\tjmp -> 1\nblock 1\n\tjmp -> 2\n"
	                              "block 2\n\tjmp -> 1\nblock 3\n\tjmp -> 4\nblock 4\n\tret\n";
	static const u64 execs[] = {16, 100, 84, 16, 0};
	Diag d;
	diag_init(&d);
	Program *p = program_parse("k.wave", program, &d);
	for (u32 i = 0; i < IR_BLOCKS; i++)
		array_push(&p->origins, i % p->blocks.n);
	Profile *profile = profile_new(p);
	for (u32 b = 0; b < p->blocks.n; b++)
		profile->blocks[b].execs = execs[b];
	const MachineRun *r = machine_run(c, p, profile, a);
	must(r->nassumed <= c->blocks.n && r->nlines <= PLACES);
	profile_free(profile);
	program_free(p);
	diag_free(&d);
}

static void read_as(BackendId id, const char *cpu, const char *text)
{
	static const Loc places[PLACES];
	u32 block_of[PLACES];
	for (u32 i = 0; i < PLACES; i++)
		block_of[i] = i / PER_BLOCK;
	Arena *a = arena_new();
	MachineCode c = {.cpu = cpu, .places = places, .nplaces = PLACES, .nir_blocks = IR_BLOCKS, .listing = true};
	R600Code r = {.cpu = cpu, .listing = true};
	Assembly in = {"k", text, block_of, a};
	if (backends[id].read(&in, &c, &r)) {
		check(&c);
		count(&c, a);
		if (backends[id].r600)
			check_r600(&r, a);
	}
	array_free(&c.ins);
	array_free(&c.blocks);
	array_free(&c.edges);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	read_as(BACKEND_amdgcn, "gfx906", text);
	read_as(BACKEND_r600, "cypress", text);
	read_as(BACKEND_r600, "cayman", text);
	free(text);
	return 0;
}

static const char *word(u32 i)
{
	static const char *const words[] = {
		"ALU", "ALU_PUSH_BEFORE", "ALU_POP_AFTER", "ALU_BREAK", "ALU_CONTINUE", "TEX", "VTX", "JUMP",
		"ELSE", "POP", "LOOP_START_DX10", "END_LOOP", "LOOP_BREAK", "LOOP_CONTINUE", "CF_END", "PAD",
		"MEM_RAT", "MEM_RAT_CACHELESS", "ATOMIC_ADD", "STORE_RAW", "VTX_READ_32", "MULLO_INT",
		"SIN_r600", "RECIP_IEEE", "LDS_READ_RET", "LDS_CMPST_RET", "LDS_WRITE_BYTE", "LDS_ADD",
		"GROUP_BARRIER", "OQAP", "PV.X", "PS", "T0.X", "T1.W", ".long", "166100", ".loc",
		"s_branch", "s_cbranch_execz", "s_cbranch_scc1", "s_swappc_b64", "s_endpgm", "s_waitcnt",
		"vmcnt", "lgkmcnt", "s_waitcnt_vscnt", "v_add_u32_e32", "v_rcp_f32_e32", "ds_read2_b32",
		"ds_write2st64_b64", "ds_read_b128", "offset0", "offset1", "global_load_dword",
		"global_store_dwordx4", "buffer_load_dword", "s_load_dwordx16", "flat_atomic_add", ".LBB0_1",
		".LBB0_2", ".Lfunc_end0", "wavesim.0b", "wavesim.7b", "v255", "s101", "a17",
		"exec", "vcc", "s[0:1]", "s_and_saveexec_b64", "s_or_b64", "s_xor_b64", "s_andn2_b64", "s_mov_b64",
		"v_writelane_b32", "v_readlane_b32", "v_cmpx_gt_i32_e32", "::", "; implicit-def: $vgpr4", "Folded",
	};
	return words[i % COUNT(words)];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, word);
}
