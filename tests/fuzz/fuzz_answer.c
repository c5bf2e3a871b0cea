/* What the helper may answer (frontend/client/wire.h): a record, or an error; never a crash.
 *
 * Any bytes are read as each of the records. And a good answer is made of the text of a program (isa/README.md)
 * behind four edits, of four bytes each: where (two), with what bits (one) and one more byte to leave out
 * (odd) or not. Without an edit it must read as it was written. */
#include "frontend/client/wire.h"
#include "frontend/codegen/codegen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EDITS = 4, EDIT = 4 };

static const char assembly[] =
	"\t.text\n\t.globl\tk\nk:\n; %bb.0: ; %wavesim.0b\n\t.loc\t1 1 0\n\ts_load_dword s0, s[4:5], 0x0\n"
	"\t.loc\t1 2 0\n\tv_add_u32_e32 v0, s0, v0\n\tds_write_b32 v0, v0\n\ts_cbranch_vccz .LBB0_2\n; %bb.1:\n"
	"\tv_mul_f32_e32 v1, v0, v0\n.LBB0_2:\n\ts_endpgm\n";

static bool read_program(const u8 *bytes, u64 n, Buf *text)
{
	u64 room;
	Arena *a = arena_new();
	Codec c = wire_reader(bytes, n, a, &room);
	WireProgram w = {0};
	Diag d;
	diag_init(&d);
	wire_program(&c, &w);
	bool good = !c.bad && c.p == c.end;
	if (good) {
		diag_join(&d, &w.said);
		if (w.program && program_verify(w.program, &d) && text)
			program_print(w.program, text);
	}
	program_free(w.program);
	diag_free(&d);
	codec_free(&c);
	arena_free(a);
	return good;
}

static void read_others(const u8 *bytes, u64 n)
{
	u64 room;
	Arena *a = arena_new();
	Codec c = wire_reader(bytes, n, a, &room);
	PoclOutcome o = {0};
	wire_outcome(&c, &o);
	c = wire_reader(bytes, n, a, &room);
	WireStarted s = {0};
	wire_started(&c, &s);
	c = wire_reader(bytes, n, a, &room);
	const char *version = NULL;
	wire_hello(&c, &version);
	c = wire_reader(bytes, n, a, &room);
	FeAbout about = {0};
	wire_about(&c, &about);
	c = wire_reader(bytes, n, a, &room);
	WireExcerpts excerpts = {0};
	wire_excerpts(&c, &excerpts);
	c = wire_reader(bytes, n, a, &room);
	ExcerptWants wants = {0};
	wire_wants(&c, &wants);
	arena_free(a);
}

static void edit(Buf *b, const u8 *edits)
{
	for (u32 i = 0; i < EDITS && b->n > 1; i++, edits += EDIT) {
		u32 at = (u32)(edits[0] | edits[1] << 8) % b->n;
		b->v[at] = (char)(b->v[at] ^ edits[2]);
		if (edits[3] & 1)
			memmove(b->v + at, b->v + at + 1, --b->n - at);
	}
}

static void edited(Program *p, const u8 *edits)
{
	static const u8 none[EDITS * EDIT];
	Arena *a = arena_new();
	Loc places[] = {{"k.cl", 1, 2}, {"k.cl", 2, 3}};
	MachineCode m = {.cpu = "gfx906", .nir_blocks = p->origins.n, .places = places, .nplaces = COUNT(places)};
	R600Step step = {.n = 0, .to = 0, .back = NO_STEP};
	R600Code r = {.cpu = "cypress", .steps = &step, .nsteps = 1};
	Buf out = {0}, want = {0}, have = {0};
	codegen_parse(&m, "k", assembly, a);
	WireProgram w = {.program = p, .facts = {.ir = "ir", .machine = &m, .r600 = edits[0] & 1 ? &r : NULL}};
	diag_warn(&w.said, (Loc){"k.cl", 1, 1}, "a warning");
	Codec c = {.writing = true, .out = &out};
	wire_program(&c, &w);
	codec_free(&c);
	edit(&out, edits);
	bool good = read_program((const u8 *)out.v, out.n, &have);
	if (!memcmp(edits, none, sizeof none)) {
		program_print(p, &want);
		if (!good || strcmp(have.v, want.v))
			abort();
	}
	array_free(&m.ins);
	array_free(&m.blocks);
	array_free(&m.edges);
	array_free(&out);
	array_free(&want);
	array_free(&have);
	diag_free(&w.said);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_program(data, size, NULL);
	read_others(data, size);
	if (size <= EDITS * EDIT)
		return 0;
	Diag d;
	diag_init(&d);
	char *text = xcalloc(size - EDITS * EDIT + 1, 1);
	memcpy(text, data + EDITS * EDIT, size - EDITS * EDIT);
	Program *p = program_parse("fuzz.wave", text, &d);
	if (p && program_verify(p, &d))
		edited(p, data);
	program_free(p);
	diag_free(&d);
	free(text);
	return 0;
}
