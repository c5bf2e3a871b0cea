/* Where in the source a wavefront is: see debug.h.
 *
 * A line may be many instructions, in several blocks, and a function that was inlined stands in its caller's. A
 * breakpoint is at each instruction that begins a run of its line, and holds where a wavefront comes from another line,
 * another function, or by a jump back: so a loop in one line stops at each turn, and the two halves of a condition do
 * not. */
#include "engine/debug_run.h"

u32 function_of(const Debugger *g, u32 ins) { return g->p->blocks.v[program_block_of(g->p, ins)].func; }

u32 function_scope(const Debugger *g, u32 scope)
{
	while (scope && !g->sym->scopes.v[scope].function)
		scope = g->sym->scopes.v[scope].parent;
	return scope;
}

static u32 scope_of(const Debugger *g, u32 ins) { return symbols_scope(g->sym, g->p->ins.v[ins].loc); }

bool other_line(const Debugger *g, u32 last, u32 ins)
{
	const SrcLoc *at = place_of(g, ins), *from = place_of(g, last);
	return at && (!from || from->line != at->line || from->file != at->file ||
	              function_scope(g, scope_of(g, last)) != function_scope(g, scope_of(g, ins)));
}

bool enters_line(const Debugger *g, u32 last, u32 ins)
{
	if (!place_of(g, ins) || other_line(g, last, ins))
		return place_of(g, ins) != NULL;
	u32 a = program_block_of(g->p, last), b = program_block_of(g->p, ins);
	return g->p->blocks.v[a].func == g->p->blocks.v[b].func && b <= a && ins <= last;
}

u64 depth_of(const Debugger *g, u32 wave)
{
	SimWave w = sim_debug_wave(g->sim, wave);
	return w.ins == NO_INS ? 0 : (u64)w.depth << 32 | g->inlined[w.ins];
}

/* ---- frames ---- */

/* Those of one frame of the machine: functions inlined into each other. */
static u32 inlined_frames(const Debugger *g, u32 ins, u32 sim, DebugFrame *out, u32 most)
{
	u32 n = 0, loc = g->p->ins.v[ins].loc, scope = scope_of(g, ins);
	do {
		u32 f = function_scope(g, scope);
		const char *name = f ? g->sym->scopes.v[f].function : debugger_function_of(g, ins);
		if (n < most)
			out[n++] = (DebugFrame){.function = name, .ins = ins, .loc = loc, .scope = scope, .sim = sim};
		loc = f ? g->sym->scopes.v[f].call : 0;
		scope = f ? g->sym->scopes.v[f].parent : 0;
		if (loc && n)
			out[n - 1].inlined = true;
	} while (loc);
	return n;
}

/* What only calls the kernel's own function has no place in the source, nor has a library's function. */
u32 debugger_frames(const Debugger *g, u32 wave, DebugFrame *out, u32 most)
{
	u32 n = 0, ins;
	SimWave w = sim_debug_wave(g->sim, wave);
	if (w.last == NO_INS && w.state == SIM_READY && !place_of(g, w.ins) && g->first != NO_INS)
		return inlined_frames(g, g->first, 0, out, most); /* its beginning */
	for (u32 f = 0; (ins = sim_debug_frame(g->sim, wave, f)) != NO_INS && n < most; f++)
		if (place_of(g, ins))
			n += inlined_frames(g, ins, f, out + n, most - n);
	ins = sim_debug_frame(g->sim, wave, 0);
	return n || ins == NO_INS ? n : inlined_frames(g, ins, 0, out, most);
}

/* ---- lines ---- */

static bool names(const char *file, const char *end)
{
	size_t n = strlen(file), k = strlen(end);
	return k <= n && !strcmp(file + n - k, end) && (k == n || file[n - k - 1] == '/');
}

u32 debugger_line(const Debugger *g, const char *file, u32 line, u32 *index)
{
	u32 best = 0;
	const char *want = file ? file : engine_path(g->run);
	for (u32 i = 0; i < g->p->ins.n; i++) {
		const SrcLoc *at = place_of(g, i);
		if (!at || at->line < line || (best && at->line >= best))
			continue;
		const char *name = g->p->files.v[at->file];
		if (names(name, want) || names(want, name)) {
			best = at->line;
			*index = at->file;
		}
	}
	return best;
}

const char *debugger_function_of(const Debugger *g, u32 ins)
{
	u32 f = function_scope(g, scope_of(g, ins));
	return f ? g->sym->scopes.v[f].function : g->p->funcs.v[g->p->blocks.v[program_block_of(g->p, ins)].func].name;
}

const char *debugger_text(const Debugger *g, u32 file)
{
	for (u32 i = 0; file < g->p->files.n && i < g->nsources; i++)
		if (!strcmp(g->sources[i].name, g->p->files.v[file]))
			return g->sources[i].text;
	return NULL;
}

const char *debugger_text_line(const char *text, u32 line, size_t *n)
{
	for (u32 i = 1; text && i < line; i++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	if (!text || !*text || !line)
		return NULL;
	*n = strcspn(text, "\r\n");
	return text;
}

/* HIP's is called as its template, "k" of "k<float>". */
static bool is_kernels(const Debugger *g, u32 ins)
{
	const char *name = debugger_function_of(g, ins);
	return !strncmp(name, g->p->kernel, strcspn(g->p->kernel, "<"));
}

void places_init(Debugger *g)
{
	g->sources = engine_sources(g->run, &g->nsources);
	g->first = NO_INS;
	for (u32 i = 0; i < g->p->ins.n && g->first == NO_INS; i++)
		if (place_of(g, i) && is_kernels(g, i))
			g->first = i;
	g->inlined = ARENA_ARRAY(g->arena, u32, g->p->ins.n + 1);
	for (u32 i = 0; i < g->p->ins.n; i++) {
		DebugFrame all[256];
		g->inlined[i] = inlined_frames(g, i, 0, all, COUNT(all));
	}
}
