/* Names and values: see debug.h.
 *
 * In a program that was compiled to be debugged a variable has its place in memory. What the device's compiler made has
 * registers that are called as variables, and a register holds what it is called only as long as something still needs
 * it: elsewhere the value is nowhere, and that is what is said. */
#include "engine/debug_run.h"

enum { MOST_FRAMES = 64 };

/* ---- types ---- */

void values_init(Debugger *g)
{
	static const SymType own[OWN_TYPES] = {
	    [OWN_BOOL] = {.name = "bool", .kind = SYM_BOOL, .bytes = 1},
	    [OWN_I32] = {.name = "int", .kind = SYM_INT, .bytes = 4},
	    [OWN_U32] = {.name = "uint", .kind = SYM_UINT, .bytes = 4},
	    [OWN_I64] = {.name = "long", .kind = SYM_INT, .bytes = 8},
	    [OWN_U64] = {.name = "ulong", .kind = SYM_UINT, .bytes = 8},
	    [OWN_F32] = {.name = "float", .kind = SYM_FLOAT, .bytes = 4},
	    [OWN_F64] = {.name = "double", .kind = SYM_FLOAT, .bytes = 8},
	    [OWN_I8] = {.name = "char", .kind = SYM_INT, .bytes = 1},
	    [OWN_I16] = {.name = "short", .kind = SYM_INT, .bytes = 2},
	};
	for (u32 i = 0; i < g->sym->types.n; i++)
		array_push(&g->types, g->sym->types.v[i]);
	for (u32 i = 0; i < OWN_TYPES; i++) {
		g->own[i] = g->types.n;
		array_push(&g->types, own[i]);
	}
	if (debugger_is_source(g))
		return;
	RegVar *none = xcalloc(g->p->regs.n + 1, sizeof *none);
	Program *p = g->run->program; /* what it fills in there is there already */
	g->live = live_new(p, none);
	free(none);
}

const SymType *debugger_types(const Debugger *g, u32 type) { return &g->types.v[type]; }

u32 pointer_to(Debugger *g, u32 type)
{
	for (u32 i = 0; i < g->types.n; i++)
		if (g->types.v[i].kind == SYM_POINTER && g->types.v[i].base == type)
			return i;
	array_push(&g->types, ((SymType){.kind = SYM_POINTER, .bytes = 8, .base = type}));
	return g->types.n - 1;
}

static u32 list_of(Debugger *g, SymKind kind, u32 base, u32 n)
{
	u32 each = g->types.v[base].bytes;
	for (u32 i = 0; i < g->types.n; i++)
		if (g->types.v[i].kind == kind && g->types.v[i].base == base && g->types.v[i].n == n)
			return i;
	array_push(
	    &g->types,
	    ((SymType){
		.kind = (u8)kind, .base = base, .n = n, .bytes = kind == SYM_VECTOR && n == 3 ? 4 * each : n * each}));
	return g->types.n - 1;
}

void debugger_type_name(const Debugger *g, u32 type, Buf *out)
{
	Symbols s = {0};
	memcpy(&s.types, &g->types, sizeof s.types);
	symbols_type_name(&s, type, out);
}

/* ---- numbers in memory ---- */

bool value_load(Debugger *g, Focus f, DebugValue *v)
{
	const SymType *t = &g->types.v[v->type];
	u64 bits = 0;
	if (!v->place)
		return true;
	if (t->kind == SYM_ARRAY) { /* as C has it */
		*v = (DebugValue){.type = pointer_to(g, t->base), .bits = v->address, .space = v->space};
		return true;
	}
	if (t->kind < SYM_INT || t->kind > SYM_POINTER || t->bytes > 8 ||
	    !sim_debug_read(g->sim, f.wave, f.lane, v->space, v->address, t->bytes, &bits))
		return false;
	*v = (DebugValue){.type = v->type,
	                  .bits = t->kind == SYM_BOOL ? bits & 1 : bits,
	                  .space = t->kind == SYM_POINTER ? SPACE_FLAT : 0};
	return true;
}

/* ---- names ---- */

static bool same(const char *name, const char *text, size_t n) { return strlen(name) == n && !strncmp(name, text, n); }

static u32 frame_scope(const Debugger *g, Focus f, u32 *ins)
{
	DebugFrame all[MOST_FRAMES];
	if (!f.frame) {
		SimWave w = sim_debug_wave(g->sim, f.wave);
		*ins = w.ins;
		u32 at = w.ins != NO_INS && place_of(g, w.ins) ? w.ins : w.last == NO_INS ? g->first : w.last;
		return at == NO_INS ? 0 : symbols_scope(g->sym, g->p->ins.v[at].loc);
	}
	u32 n = debugger_frames(g, f.wave, all, COUNT(all));
	if (f.frame >= n)
		return 0;
	*ins = all[f.frame].ins;
	return all[f.frame].scope;
}

static DebugValue object_value(const Debugger *g, const SymVar *v)
{
	const Object *o = &g->p->objects.v[v->object];
	bool narrow = o->space == SPACE_LDS || o->space == SPACE_PRIVATE;
	return (DebugValue){.type = v->type,
	                    .place = true,
	                    .space = narrow ? o->space : SPACE_GLOBAL,
	                    .address = (u64)o->seg << (narrow ? SEG32_SHIFT : SEG_SHIFT)};
}

/* A variable in memory of a scope; the last of that name. */
static const SymVar *variable_in(const Debugger *g, u32 scope, const char *name, size_t n)
{
	for (u32 i = g->sym->vars.n; i-- > 0;) {
		const SymVar *v = &g->sym->vars.v[i];
		if (v->scope == scope && v->object != NO_OBJECT && same(v->name, name, n))
			return v;
	}
	return NULL;
}

static const SymVar *variable_at(const Debugger *g, u32 scope, const char *name, size_t n)
{
	const SymVar *v = NULL;
	for (u32 s = scope; s && !v; s = g->sym->scopes.v[s].function ? 0 : g->sym->scopes.v[s].parent)
		v = variable_in(g, s, name, n);
	return v ? v : variable_in(g, 0, name, n);
}

/* ---- registers ---- */

bool debugger_register(Debugger *g, Focus f, u32 reg, DebugValue *out)
{
	static const OwnType types[TYPE_COUNT] = {
	    [T_b1] = OWN_BOOL, [T_i8] = OWN_I8,      [T_i16] = OWN_I16, [T_i32] = OWN_I32,
	    [T_i64] = OWN_I64, [T_i128] = OWN_TYPES, [T_f32] = OWN_F32, [T_f64] = OWN_F64,
	};
	const Reg *r = &g->p->regs.v[reg];
	if (types[r->type] == OWN_TYPES)
		return false;
	*out = (DebugValue){.type = g->own[types[r->type]]};
	u32 bytes = type_bytes[r->type];
	memcpy(&out->bits,
	       (const u8 *)sim_debug_register(g->sim, f.wave, reg) + (r->kind == REG_VECTOR ? f.lane * bytes : 0),
	       bytes);
	return true;
}

/* Is it (a part of) an argument of the kernel, as it was given; … that is an address? */
static bool is_argument(const Debugger *g, u32 reg)
{
	for (u32 i = 0; i < g->p->params.n; i++)
		if (g->p->params.v[i].reg == reg)
			return true;
	return false;
}

static bool is_pointer_argument(const Debugger *g, u32 reg)
{
	for (u32 i = 0; i < g->p->params.n; i++)
		if (g->p->params.v[i].reg == reg)
			return g->p->args.v[g->p->params.v[i].arg].kind != ARG_VALUE || g->p->params.v[i].by_address;
	return false;
}

/* Does the register hold what it is called before instruction ins? */
static bool holds(const Debugger *g, u32 reg, u32 ins)
{
	return g->p->regs.v[reg].kind != REG_VECTOR || (g->live && spans_have(&g->live[reg].own, 2 * ins));
}

bool named_register(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out)
{
	u32 ins = NO_INS;
	frame_scope(g, f, &ins);
	for (u32 i = 0; ins != NO_INS && !debugger_is_source(g) && i < g->p->regs.n; i++) {
		const Reg *r = &g->p->regs.v[i];
		if (r->name && !is_pointer_argument(g, i) && same(r->name, name, n) && holds(g, i, ins) &&
		    debugger_register(g, f, i, out))
			return true;
	}
	return false;
}

/* ---- arguments of the kernel ---- */

static u32 shape_type(Debugger *g, const KernelArg *k)
{
	bool sign = k->elem_class == ELEM_INT;
	u32 base = k->elem_class == ELEM_FLOAT && k->elem_bytes > 2 ? g->own[k->elem_bytes == 8 ? OWN_F64 : OWN_F32]
	           : k->elem_bytes == 8                             ? g->own[sign ? OWN_I64 : OWN_U64]
	           : k->elem_bytes == 2                             ? g->own[OWN_I16]
	           : k->elem_bytes == 1                             ? g->own[OWN_I8]
	                                                            : g->own[sign ? OWN_I32 : OWN_U32];
	return k->width > 1 ? list_of(g, SYM_VECTOR, base, k->width) : base;
}

/* By the debug information, else by the argument's description. */
static u32 argument_type(Debugger *g, u32 arg)
{
	const KernelArg *k = &g->p->args.v[arg];
	for (u32 i = 0; i < g->sym->vars.n; i++) {
		const SymVar *v = &g->sym->vars.v[i];
		u32 s = function_scope(g, v->scope);
		if (v->parameter && s && k->name && !strcmp(v->name, k->name) &&
		    !strncmp(g->sym->scopes.v[s].function, g->p->kernel, strlen(g->sym->scopes.v[s].function)))
			return v->type;
	}
	u32 type = shape_type(g, k);
	return k->kind == ARG_VALUE ? type : pointer_to(g, type);
}

static bool argument_value(Debugger *g, Focus f, u32 arg, DebugValue *out)
{
	const SimArg *a = &g->run->sim.args[arg];
	*out = (DebugValue){.type = argument_type(g, arg)};
	if (a->kind == SIM_VALUE) {
		memcpy(&out->bits, a->bytes, a->size < 8 ? a->size : 8);
		return a->size <= 8 && g->types.v[out->type].kind != SYM_STRUCT &&
		       g->types.v[out->type].kind != SYM_VECTOR;
	}
	for (u32 i = 0; i < g->p->params.n; i++) {
		const Param *p = &g->p->params.v[i];
		const Reg *r = &g->p->regs.v[p->reg];
		if (p->arg != arg || p->offset || p->by_address)
			continue;
		memcpy(&out->bits, sim_debug_register(g->sim, f.wave, p->reg),
		       type_bytes[r->type] < 8 ? type_bytes[r->type] : 8);
		out->space = g->p->args.v[arg].kind == ARG_LOCAL && r->type == T_i32 ? SPACE_LDS : SPACE_FLAT;
		return true;
	}
	if (a->kind != SIM_BUFFER)
		return false;
	out->bits = sim_buffer_address(g->p, a->buffer) + a->at;
	out->space = SPACE_GLOBAL;
	return true;
}

static bool argument_named(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out)
{
	for (u32 i = 0; i < g->p->args.n; i++)
		if (g->p->args.v[i].name && same(g->p->args.v[i].name, name, n))
			return argument_value(g, f, i, out);
	return false;
}

u32 debugger_buffer(const Debugger *g, const char *name)
{
	for (u32 i = 0; i < g->p->args.n; i++)
		if (g->p->args.v[i].name && !strcmp(g->p->args.v[i].name, name) && g->run->args.data[i])
			return i;
	return NO_INS;
}

/* ---- a name ---- */

static bool pseudo(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out)
{
	u32 id[3];
	if (n && *name == '$')
		name++, n--;
	const struct {
		const char *name;
		u64 value;
	} all[] = {{"lane", f.lane},
	           {"wave", f.wave},
	           {"group", sim_debug_group(g->sim, id)},
	           {"count", sim_debug_count(g->sim)}};
	for (u32 i = 0; i < COUNT(all); i++)
		if (same(all[i].name, name, n)) {
			*out = (DebugValue){.type = g->own[OWN_U64], .bits = all[i].value};
			return true;
		}
	return false;
}

static const SymVar *declared(const Debugger *g, u32 scope, const char *name, size_t n)
{
	u32 in = function_scope(g, scope);
	for (u32 i = 0; i < g->sym->vars.n; i++) {
		const SymVar *v = &g->sym->vars.v[i];
		u32 of = function_scope(g, v->scope);
		if (v->object == NO_OBJECT && same(v->name, name, n) &&
		    (!in || !of || !strcmp(g->sym->scopes.v[in].function, g->sym->scopes.v[of].function)))
			return v;
	}
	return NULL;
}

bool name_value(Debugger *g, Focus f, const char *name, size_t n, DebugValue *out, const char **why)
{
	u32 ins = NO_INS, scope = frame_scope(g, f, &ins);
	const SymVar *v = *name == '$' ? NULL : variable_at(g, scope, name, n);
	if (v && v->parameter && sim_debug_wave(g->sim, f.wave).last == NO_INS && argument_named(g, f, name, n, out))
		return true; /* it is not in its place yet */
	if (v) {
		*out = object_value(g, v);
		return true;
	}
	if (named_register(g, f, name, n, out) || argument_named(g, f, name, n, out) || pseudo(g, f, name, n, out))
		return true;
	if (declared(g, scope, name, n))
		snprintf(g->why, sizeof g->why, "'%.*s' is optimised out here", (int)n, name);
	else
		snprintf(g->why, sizeof g->why, "there is no variable '%.*s' here%s", (int)n, name,
		         debugger_is_source(g) ? "" : ", or it is optimised out");
	*why = g->why;
	return false;
}

/* ---- what is known in a frame ---- */

static void add_variable(Debugger *g, const SymVar *v, bool local)
{
	for (u32 i = 0; i < g->variables.n && local; i++)
		if (!strcmp(g->variables.v[i].name, v->name)) /* hidden by an inner one */
			return;
	DebugVariable x = {.name = v->name, .parameter = v->parameter, .local = local, .known = v->object != NO_OBJECT};
	if (x.known) {
		x.value = object_value(g, v);
		x.space = x.value.space;
	}
	array_push(&g->variables, x);
}

static void add_registers(Debugger *g, Focus f, u32 ins)
{
	for (u32 i = 0; i < g->p->regs.n && ins != NO_INS; i++) {
		const Reg *r = &g->p->regs.v[i];
		DebugVariable x = {.name = r->name, .local = true, .known = true};
		if (!r->name || is_argument(g, i) || !holds(g, i, ins) || !debugger_register(g, f, i, &x.value))
			continue;
		bool there = false;
		for (u32 k = 0; k < g->variables.n; k++)
			there |= !strcmp(g->variables.v[k].name, r->name);
		if (!there)
			array_push(&g->variables, x);
	}
}

const DebugVariable *debugger_variables(Debugger *g, Focus f, u32 *n)
{
	u32 ins = NO_INS, scope = frame_scope(g, f, &ins), function = function_scope(g, scope);
	const SrcLoc *at = place_of(g, ins);
	bool source = debugger_is_source(g);
	g->variables.n = 0;
	if (!source)
		add_registers(g, f, ins);
	for (u32 s = scope; s; s = g->sym->scopes.v[s].function ? 0 : g->sym->scopes.v[s].parent)
		for (u32 i = 0; i < g->sym->vars.n; i++) {
			const SymVar *v = &g->sym->vars.v[i];
			if (v->scope == s && v->object != NO_OBJECT && (v->parameter || !at || v->line <= at->line))
				add_variable(g, v, true);
		}
	for (u32 i = 0; i < g->p->args.n && !source; i++) {
		DebugVariable x = {.name = g->p->args.v[i].name, .parameter = true, .local = true, .known = true};
		if (x.name && argument_value(g, f, i, &x.value))
			array_push(&g->variables, x);
	}
	for (u32 i = 0; i < g->sym->vars.n && !source; i++) {
		const SymVar *v = &g->sym->vars.v[i];
		u32 of = function_scope(g, v->scope);
		if (v->object == NO_OBJECT && function && of &&
		    !strcmp(g->sym->scopes.v[of].function, g->sym->scopes.v[function].function))
			add_variable(g, v, true);
	}
	for (u32 i = 0; i < g->sym->vars.n; i++)
		if (!g->sym->vars.v[i].scope && g->sym->vars.v[i].object != NO_OBJECT)
			add_variable(g, &g->sym->vars.v[i], false);
	*n = g->variables.n;
	return g->variables.v;
}

const DebugVariable *debugger_lds(Debugger *g, Focus f, u32 *n)
{
	g->variables.n = 0;
	for (u32 i = 0; i < g->p->objects.n; i++) {
		const Object *o = &g->p->objects.v[i];
		SymVar v = {.name = o->name, .object = i};
		if (o->space != SPACE_LDS || !o->size)
			continue;
		for (u32 k = 0; k < g->sym->vars.n; k++)
			if (g->sym->vars.v[k].object == i)
				v = g->sym->vars.v[k];
		DebugVariable x = {.name = v.name, .known = true, .space = SPACE_LDS};
		if (!g->types.v[v.type].bytes)
			v.type = list_of(g, SYM_ARRAY, g->own[OWN_U32], o->size / 4);
		x.value = object_value(g, &v);
		array_push(&g->variables, x);
	}
	for (u32 i = 0; i < g->p->args.n; i++) {
		const SimArg *a = &g->run->sim.args[i];
		DebugVariable x = {.name = g->p->args.v[i].name, .parameter = true, .known = true, .space = SPACE_LDS};
		if (a->kind != SIM_LOCAL || !x.name || !argument_value(g, f, i, &x.value))
			continue;
		u32 base = g->types.v[x.value.type].base, each = g->types.v[base].bytes;
		u64 address = x.value.bits;
		x.value = (DebugValue){.place = true,
		                       .space = x.value.space,
		                       .address = address,
		                       .type = list_of(g, SYM_ARRAY, base, each ? (u32)(a->size / each) : 0)};
		array_push(&g->variables, x);
	}
	*n = g->variables.n;
	return g->variables.v;
}

const DebugVariable *debugger_arguments(Debugger *g, Focus f, u32 *n)
{
	g->variables.n = 0;
	for (u32 i = 0; i < g->p->args.n; i++) {
		DebugVariable x = {.name = g->p->args.v[i].name, .parameter = true, .known = true};
		if (x.name && argument_value(g, f, i, &x.value))
			array_push(&g->variables, x);
	}
	*n = g->variables.n;
	return g->variables.v;
}
