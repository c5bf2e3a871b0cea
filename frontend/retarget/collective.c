/* OpenCL C's functions of sub-groups and work-groups, and dot products of bytes, written as IR: see collective.h.
 *
 * Most are a call or two of what lanes can do (frontend/module/collective.h), of each component of a vector. What a
 * work-group computes its wavefronts compute first; then each leaves its value in LDS, all wait, and each joins what it
 * needs of them.
 *
 * A body has the types of the function in the source. A vector, which x86 passes in other registers or by address, is
 * adapted as those of AMD's library are. */
#include "frontend/retarget/collective.h"

#include "frontend/module/collective.h"
#include "frontend/retarget/amdlib.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>

typedef struct Writer {
	FeModule *m;
	Buf text, calls; /* functions; declarations of what they call */
	const Collective *c;
	const char *type;  /* of the value, one component */
	u32 n;             /* components */
	u32 fold;          /* what it joins with */
	bool shares;       /* LDS is needed */
} Writer;

/* What a wavefront leaves for the others of its work-group, 8 bytes each: a variable without a value is __local. */
#define SHARED "wavesim.shared"

#define put(w, ...) buf_line(&(w)->text, __VA_ARGS__)

/* A function without a body, declared once. What lanes do with each other stays where it is: calls are not joined, not
 * moved, and not dropped for another with the same operands. */
static const char *callee(Writer *w, const char *result, const char *params, const char *fmt, ...) PRINTF_LIKE(4, 5);
static const char *callee(Writer *w, const char *result, const char *params, const char *fmt, ...)
{
	Buf name = {0}, line = {0};
	va_list ap;
	va_start(ap, fmt);
	buf_printf(&name, "@");
	buf_vprintf(&name, fmt, ap);
	va_end(ap);
	buf_printf(&line, "declare %s %s(%s)", result, name.v, params);
	if (!w->calls.v || !strstr(w->calls.v, line.v)) {
		bool query = strstr(name.v, "query.") || strstr(name.v, "@llvm."),
		     memory = strstr(name.v, "barrier") != NULL;
		buf_printf(&w->calls, "%s%s\n", line.v, memory  ? " convergent nomerge nounwind"
		                                        : query ? " nounwind willreturn readnone"
		                                                 : " convergent nomerge nounwind willreturn "
		                                                   "inaccessiblememonly");
	}
	array_free(&line);
	return buf_keep(&name, w->m->arena);
}

/* %name = what a query says, i32 */
static void query(Writer *w, const char *name, const char *query)
{
	put(w, " %%%s = call i32 %s()", name, callee(w, "i32", "", FE_WAVE "query.%s", query));
}

/* ---- values and their components ---- */

static const char *type_text(Writer *w, const CollectiveType *t)
{
	return t->pointer ? "ptr" : t->n == 1 ? t->name : arena_printf(w->m->arena, "<%u x %s>", t->n, t->name);
}

/* %PARAM.i = component i of %PARAM */
static void component(Writer *w, const char *param, u32 i)
{
	if (w->n == 1)
		put(w, " %%%s.0 = select i1 true, %s %%%s, %s %%%s", param, w->type, param, w->type, param);
	else
		put(w, " %%%s.%u = extractelement <%u x %s> %%%s, i32 %u", param, i, w->n, w->type, param, i);
}

/* The result: of the components %r.0 … */
static void return_components(Writer *w)
{
	if (w->n == 1) {
		put(w, " ret %s %%r.0", w->type);
		return;
	}
	for (u32 i = 0; i < w->n; i++)
		put(w, " %%v.%u = insertelement <%u x %s> %s, %s %%r.%u, i32 %u", i, w->n, w->type,
		    i ? arena_printf(w->m->arena, "%%v.%u", i - 1) : "undef", w->type, i, i);
	put(w, " ret <%u x %s> %%v.%u", w->n, w->type, w->n - 1);
}

/* ---- joining ---- */

/* What changes nothing, as LLVM writes it: floats as the bits of a double, halves as their own. */
static const char *neutral_text(Writer *w, const char *type, u32 fold)
{
	Type t = fe_wave_type(type);
	u64 bits = (u64)fold_neutral(fold, t);
	if (!type_is_float(t))
		return t == T_b1 ? (bits ? "true" : "false")
		                 : arena_printf(w->m->arena, "%llu", (unsigned long long)bits);
	bool half = !strcmp(type, "half");
	u64 sign = bits >> (t == T_f64 ? 63 : 31);
	bool one = fold == FOLD_fmul, zero = fold == FOLD_fadd;
	u64 d = zero ? 0 : half ? (one ? 0x3c00 : 0x7c00) : one ? 0x3ff0000000000000 : 0x7ff0000000000000;
	d |= sign << (half ? 15 : 63);
	return arena_printf(w->m->arena, half ? "0xH%04llX" : "0x%016llX", (unsigned long long)d);
}

/* %TO = %A joined with %B */
static void join(Writer *w, const char *type, const char *to, const char *a, const char *b)
{
	if (fe_fold_plain[w->fold]) {
		put(w, " %%%s = %s %s %%%s, %%%s", to, fe_fold_plain[w->fold], type, a, b);
		return;
	}
	const char *params = arena_printf(w->m->arena, "%s, %s", type, type);
	const char *suffix = !strcmp(type, "float")    ? "f32"
	                     : !strcmp(type, "double") ? "f64"
	                     : !strcmp(type, "half")   ? "f16"
	                                               : type;
	put(w, " %%%s = call %s %s(%s %%%s, %s %%%s)", to, type,
	    callee(w, type, params, "llvm.%s.%s", fe_fold_called[w->fold], suffix), type, a, type, b);
}

/* %TO = all of the wavefront's %X joined; lanes: of so many neighbours. */
static void reduce(Writer *w, const char *type, const char *to, const char *x, const char *lanes)
{
	put(w, " %%%s = call %s %s(%s %%%s, i32 %s)", to, type,
	    callee(w, type, arena_printf(w->m->arena, "%s, i32", type), FE_WAVE "reduce.%s.%s", fold_name[w->fold],
	           type),
	    type, x, lanes);
}

static void scan(Writer *w, const char *type, const char *to, const char *x, bool without)
{
	put(w, " %%%s = call %s %s(%s %%%s, i32 %u)", to, type,
	    callee(w, type, arena_printf(w->m->arena, "%s, i32", type), FE_WAVE "scan.%s.%s", fold_name[w->fold], type),
	    type, x, without);
}

/* %TO = one bit for each lane where %CONDITION, i128 */
static void ballot(Writer *w, const char *to, const char *condition)
{
	put(w, " %%%s = call i128 %s(i1 %s)", to, callee(w, "i128", "i1", FE_WAVE "ballot"), condition);
}

/* ---- sub-groups ---- */

static void write_query(Writer *w)
{
	static const char *const names[] = {
		[WAVE_ITEMS] = "wave_items", [MAX_SIZE] = "wave_most", [GROUP_WAVES] = "group_waves",
		[FULL_WAVES] = "full_waves", [WAVE_ID] = "wave_id", [LANE_ID] = "lane_id",
	};
	query(w, "r", names[w->c->kind]);
	put(w, " ret i32 %%r");
}

/* In the source's own fences the order of memory is said for checks. */
static void write_barrier(Writer *w)
{
	bool flags = w->m->check;
	if (!flags)
		put(w, " fence syncscope(\"wavefront\") release");
	put(w, " call void %s(i32 %%p0)", callee(w, "void", "i32", FE_WAVE "barrier"));
	if (!flags)
		put(w, " fence syncscope(\"wavefront\") acquire");
	put(w, " ret void");
}

/* Of the lanes that are there: where the condition, or its contrary, is nowhere true. */
static void none_of(Writer *w, const char *condition, const char *compare)
{
	ballot(w, "b", condition);
	put(w, " %%t = icmp %s i128 %%b, 0\n %%r = zext i1 %%t to i32\n ret i32 %%r", compare);
}

static void write_vote(Writer *w)
{
	bool all = w->c->kind == ALL;
	put(w, " %%c = icmp %s i32 %%p0, 0", all ? "eq" : "ne");
	none_of(w, "%c", all ? "eq" : "ne");
}

static void write_all_equal(Writer *w)
{
	put(w, " %%f = call %s %s(%s %%p0)", w->type, callee(w, w->type, w->type, FE_WAVE "first.%s", w->type),
	    w->type);
	put(w, " %%c = %s %s %%f, %%p0", w->c->param[0].is_float ? "fcmp une" : "icmp ne", w->type);
	none_of(w, "%c", "eq");
}

static void write_elect(Writer *w)
{
	query(w, "l", "lane_id");
	put(w, " %%f = call i32 %s(i32 %%l)", callee(w, "i32", "i32", FE_WAVE "first.i32"));
	put(w, " %%t = icmp eq i32 %%l, %%f\n %%r = zext i1 %%t to i32\n ret i32 %%r");
}

static void write_read(Writer *w)
{
	bool first = w->c->kind == BROADCAST_FIRST;
	for (u32 i = 0; i < w->n; i++) {
		component(w, "p0", i);
		put(w, " %%r.%u = call %s %s(%s %%p0.%u%s)", i, w->type,
		    first
		        ? callee(w, w->type, w->type, FE_WAVE "first.%s", w->type)
		        : callee(w, w->type, arena_printf(w->m->arena, "%s, i32", w->type), FE_WAVE "read.%s", w->type),
		    w->type, i, first ? "" : ", i32 %p1");
	}
	return_components(w);
}

/* %TO.i = %PARAM of lane %from */
static void permute(Writer *w, const char *to, const char *param, const char *from, u32 i)
{
	component(w, param, i);
	put(w, " %%%s.%u = call %s %s(i32 %%%s, %s %%%s.%u)", to, i, w->type,
	    callee(w, w->type, arena_printf(w->m->arena, "i32, %s", w->type), FE_WAVE "permute.%s", w->type), from,
	    w->type, param, i);
}

/* A rotation goes round the whole sub-group as it was enqueued, or round a cluster of a power of two. */
static void write_shuffle(Writer *w)
{
	query(w, "l", "lane_id");
	switch (w->c->kind) {
	case SHUFFLE: put(w, " %%from = add i32 %%p1, 0"); break;
	case SHUFFLE_XOR: put(w, " %%from = xor i32 %%l, %%p1"); break;
	case SHUFFLE_UP: put(w, " %%from = sub i32 %%l, %%p1"); break;
	case SHUFFLE_DOWN: put(w, " %%from = add i32 %%l, %%p1"); break;
	case ROTATE:
		query(w, "n", "wave_most");
		put(w, " %%to = srem i32 %%p1, %%n\n %%up = add i32 %%to, %%n\n %%at = add i32 %%l, %%up\n"
		       " %%from = urem i32 %%at, %%n");
		break;
	default:
		put(w, " %%m = sub i32 %%p2, 1\n %%at = add i32 %%l, %%p1\n %%low = and i32 %%at, %%m\n"
		       " %%not = xor i32 %%m, -1\n %%base = and i32 %%l, %%not\n %%from = or i32 %%base, %%low");
	}
	for (u32 i = 0; i < w->n; i++)
		permute(w, "r", "p0", "from", i);
	return_components(w);
}

/* Intel's: the lanes of two values in a row, the first of which is there where the other ends. */
static void write_pair(Writer *w)
{
	bool up = w->c->kind == PAIR_UP;
	query(w, "l", "lane_id");
	query(w, "n", "wave_most");
	put(w, up ? " %%at = sub i32 %%l, %%p2\n %%own = icmp sge i32 %%at, 0\n %%over = add i32 %%at, %%n"
	          : " %%at = add i32 %%l, %%p2\n %%own = icmp ult i32 %%at, %%n\n %%over = sub i32 %%at, %%n");
	put(w, " %%from = select i1 %%own, i32 %%at, i32 %%over");
	for (u32 i = 0; i < w->n; i++) {
		permute(w, "a", up ? "p1" : "p0", "from", i);
		permute(w, "b", up ? "p0" : "p1", "from", i);
		put(w, " %%r.%u = select i1 %%own, %s %%a.%u, %s %%b.%u", i, w->type, i, w->type, i);
	}
	return_components(w);
}

/* %all: the bits of a whole sub-group, of so many; %eq, %lt: of this lane, of those before it. */
static void masks(Writer *w, u32 bits)
{
	query(w, "l", "lane_id");
	query(w, "n", "wave_most");
	put(w, " %%gone = sub i32 %u, %%n\n %%gone.w = zext i32 %%gone to i%u\n %%all = lshr i%u -1, %%gone.w\n"
	       " %%l.w = zext i32 %%l to i%u\n %%eq = shl i%u 1, %%l.w\n %%lt = sub i%u %%eq, 1\n"
	       " %%le = or i%u %%lt, %%eq\n %%not.lt = xor i%u %%lt, -1\n %%not.le = xor i%u %%le, -1\n"
	       " %%ge = and i%u %%not.lt, %%all\n %%gt = and i%u %%not.le, %%all",
	    bits, bits, bits, bits, bits, bits, bits, bits, bits, bits, bits);
}

static void write_mask(Writer *w)
{
	static const char *const names[] = {
		[MASK_EQ] = "eq", [MASK_GE] = "ge", [MASK_GT] = "gt", [MASK_LE] = "le", [MASK_LT] = "lt"};
	masks(w, MAX_WAVE);
	put(w, " %%r = bitcast i128 %%%s to <4 x i32>\n ret <4 x i32> %%r", names[w->c->kind]);
}

static void write_ballot(Writer *w)
{
	put(w, " %%c = icmp ne i32 %%p0, 0");
	ballot(w, "b", "%c");
	put(w, " %%r = bitcast i128 %%b to <4 x i32>\n ret <4 x i32> %%r");
}

static u32 wave_of(const FeModule *m) { return m->wave ? m->wave : m->chip_wave; }

/* %y = what is asked of %v, of so many bits */
static void ask_bits(Writer *w, u32 bits)
{
	CollectiveKind kind = w->c->kind;
	if (kind == INVERSE_BALLOT || kind == BIT_EXTRACT) {
		put(w, " %%at = zext i32 %%%s to i%u", kind == BIT_EXTRACT ? "p1" : "l", bits);
		put(w, " %%at.in = and i%u %%at, %u\n %%x = lshr i%u %%v, %%at.in\n %%y = and i%u %%x, 1", bits,
		    bits - 1, bits, bits);
		return;
	}
	put(w, " %%x = and i%u %%v, %%%s", bits, kind == BITS_INCLUSIVE ? "le" : kind == BITS_EXCLUSIVE ? "lt" : "all");
	bool low = kind == LOWEST_BIT, high = kind == HIGHEST_BIT;
	const char *type = arena_printf(w->m->arena, "i%u", bits), *two = arena_printf(w->m->arena, "i%u, i1", bits);
	if (low || high)
		put(w, " %%%s = call %s %s(%s %%x, i1 false)", low ? "y" : "z", type,
		    callee(w, type, two, low ? "llvm.cttz.%s" : "llvm.ctlz.%s", type), type);
	else
		put(w, " %%y = call %s %s(%s %%x)", type, callee(w, type, type, "llvm.ctpop.%s", type), type);
	if (high)
		put(w, " %%y = sub %s %u, %%z", type, bits - 1);
}

/* The bits of lanes before this one are counted by instructions of their own. */
static void count_before(Writer *w)
{
	put(w, " %%low = extractelement <4 x i32> %%p0, i32 0\n %%high = extractelement <4 x i32> %%p0, i32 1\n"
	       " %%below = call i32 %s(i32 %%low, i32 0)\n %%before = call i32 %s(i32 %%high, i32 %%below)",
	    callee(w, "i32", "i32, i32", "llvm.amdgcn.mbcnt.lo"), callee(w, "i32", "i32, i32", "llvm.amdgcn.mbcnt.hi"));
	if (w->c->kind == BITS_EXCLUSIVE) {
		put(w, " ret i32 %%before");
		return;
	}
	query(w, "l", "lane_id");
	put(w, " %%l.w = zext i32 %%l to i64\n %%x = lshr i64 %%v, %%l.w\n %%y = trunc i64 %%x to i32\n"
	       " %%own = and i32 %%y, 1\n %%r = add i32 %%before, %%own\n ret i32 %%r");
}

/* What is asked of the bits of a ballot. Up to 64 lanes, the first 64 bits are all. */
static void write_bits(Writer *w)
{
	u32 bits = wave_of(w->m) > 64 ? MAX_WAVE : 64;
	put(w, " %%all.v = bitcast <4 x i32> %%p0 to i128\n %%v = %s i128 %%all.v%s", bits == 64 ? "trunc" : "or",
	    bits == 64 ? " to i64" : ", 0");
	if (bits == 64 && (w->c->kind == BITS_INCLUSIVE || w->c->kind == BITS_EXCLUSIVE)) {
		count_before(w);
		return;
	}
	masks(w, bits);
	ask_bits(w, bits);
	put(w, " %%r = trunc i%u %%y to i32\n ret i32 %%r", bits);
}

/* Truth values come and go as int. */
static const char *open_logical(Writer *w, const char **type)
{
	*type = w->c->logical ? "i1" : w->type;
	if (w->c->logical)
		put(w, " %%x = icmp ne %s %%p0, 0", w->type);
	return w->c->logical ? "x" : "p0";
}

static void close_logical(Writer *w)
{
	if (w->c->logical)
		put(w, " %%i = zext i1 %%r to %s\n ret %s %%i", w->type, w->type);
	else
		put(w, " ret %s %%r", w->type);
}

static void write_join(Writer *w)
{
	const char *type, *x = open_logical(w, &type);
	if (w->c->kind == REDUCE || w->c->kind == CLUSTERED_REDUCE)
		reduce(w, type, "r", x, w->c->kind == REDUCE ? "0" : "%p1");
	else
		scan(w, type, "r", x, w->c->kind == SCAN_EXCLUSIVE);
	close_logical(w);
}

static u32 block_elements(const Collective *c)
{
	char last = c->name[c->n - 1];
	return last >= '2' && last <= '8' ? (u32)(last - '0') : 1;
}

/* Element i of a lane lies i sub-groups behind its first. */
static void write_block(Writer *w)
{
	const CollectiveType *p = &w->c->param[0];
	bool write = w->c->kind == BLOCK_WRITE;
	w->type = p->name;
	w->n = block_elements(w->c);
	query(w, "l", "lane_id");
	query(w, "n", "wave_most");
	for (u32 i = 0; i < w->n; i++) {
		put(w, " %%k.%u = mul i32 %%n, %u\n %%o.%u = add i32 %%k.%u, %%l\n %%w.%u = zext i32 %%o.%u to i64\n"
		       " %%a.%u = getelementptr inbounds %s, ptr %%p0, i64 %%w.%u", i, i, i, i, i, i, i, w->type, i);
		if (write)
			component(w, "p1", i);
		if (write)
			put(w, " store %s %%p1.%u, ptr %%a.%u", w->type, i, i);
		else
			put(w, " %%r.%u = load %s, ptr %%a.%u", i, w->type, i);
	}
	if (write)
		put(w, " ret void");
	else
		return_components(w);
}

/* ---- work-groups ---- */

/* All of the work-group wait, for what is in LDS. */
static void meet(Writer *w)
{
	const char *barrier = callee(w, "void", "", "llvm.amdgcn.s.barrier");
	if (w->m->check)
		put(w, " call void %s(), !" FE_FENCE_MARK " !2", barrier);
	else
		put(w, " fence syncscope(\"workgroup\") release\n call void %s()\n fence syncscope(\"workgroup\") "
		       "acquire",
		    barrier);
}

/* %TO = the place in LDS of wavefront %I, or the first. */
static void slot(Writer *w, const char *to, const char *i)
{
	w->shares = true;
	put(w, " %%%s = getelementptr inbounds i64, ptr @" SHARED ", i32 %s", to, i);
}

/* %TO = the values of so many wavefronts joined, from the first on; %to.more: i1, is there any? */
static void join_waves(Writer *w, const char *type, const char *count, const char *before)
{
	put(w, " br label %%loop\nloop:\n %%i = phi i32 [0, %%%s], [%%i.next, %%turn]\n"
	       " %%sum = phi %s [%s, %%%s], [%%sum.next, %%turn]\n %%more = icmp ult i32 %%i, %%%s\n"
	       " br i1 %%more, label %%turn, label %%end\nturn:",
	    before, type, neutral_text(w, type, w->fold), before, count);
	slot(w, "from", "%i");
	put(w, " %%part = load %s, ptr %%from, align 8", type);
	join(w, type, "sum.next", "sum", "part");
	put(w, " %%i.next = add i32 %%i, 1\n br label %%loop, !llvm.loop !0\nend:");
}

/* Where there is one wavefront only, it knows all. */
static void write_group_join(Writer *w)
{
	const char *type = w->type, *x = "p0";
	bool scans = w->c->kind == GROUP_EXCLUSIVE || w->c->kind == GROUP_INCLUSIVE;
	put(w, "entry:");
	if (w->fold == FOLD_COUNT) { /* a vote: 1 and 0 are joined */
		w->fold = w->c->kind == GROUP_ALL ? FOLD_and : FOLD_or;
		put(w, " %%yes = icmp ne i32 %%p0, 0\n %%x = zext i1 %%yes to i32");
		x = "x";
	}
	query(w, "id", "wave_id");
	query(w, "n", "group_waves");
	query(w, "l", "lane_id");
	reduce(w, type, "t", x, "0");
	if (scans)
		scan(w, type, "s", x, w->c->kind == GROUP_EXCLUSIVE);
	put(w, " %%alone = icmp eq i32 %%n, 1\n br i1 %%alone, label %%out, label %%share\nshare:\n"
	       " %%lowest = icmp eq i32 %%l, 0\n br i1 %%lowest, label %%leave, label %%met\nleave:");
	slot(w, "to", "%id");
	put(w, " store %s %%t, ptr %%to, align 8\n br label %%met\nmet:", type);
	meet(w);
	join_waves(w, type, scans ? "id" : "n", "met");
	meet(w);
	if (scans)
		join(w, type, "mine", "sum", "s");
	put(w, " br label %%out\nout:\n %%r = phi %s [%%%s, %%entry], [%%%s, %%end]\n ret %s %%r", type,
	    scans ? "s" : "t", scans ? "mine" : "sum", type);
}

static void write_group_broadcast(Writer *w)
{
	put(w, "entry:");
	for (u32 i = 1; i < w->c->nparams; i++) {
		const char *id = callee(w, "i32", "", "llvm.amdgcn.workitem.id.%c", "xyz"[i - 1]);
		put(w, " %%id.%u = call i32 %s()\n %%want.%u = trunc i64 %%p%u to i32", i, id, i, i);
		put(w, " %%same.%u = icmp eq i32 %%id.%u, %%want.%u", i, i, i);
		if (i > 1)
			put(w, " %%me.%u = and i1 %%me.%u, %%same.%u", i, i - 1, i);
		else
			put(w, " %%me.1 = and i1 %%same.1, true");
	}
	put(w, " br i1 %%me.%u, label %%leave, label %%met\nleave:", w->c->nparams - 1);
	slot(w, "to", "0");
	put(w, " store %s %%p0, ptr %%to, align 8\n br label %%met\nmet:", w->type);
	meet(w);
	slot(w, "from", "0");
	put(w, " %%r = load %s, ptr %%from, align 8", w->type);
	meet(w);
	put(w, " ret %s %%r", w->type);
}

/* ---- dot products ---- */

/* Chips that multiply four bytes by four in one instruction, by what their names begin with, and whether it is told of
 * each factor if it has signs (LLVM's AMDGPU.td: dot1-insts, dot7-insts; dot8-insts). */
static const struct {
	const char *begins;
	bool mixed;
} dot_chips[] = {
	{"gfx906", false},  {"gfx908", false},  {"gfx90a", false}, {"gfx94", false}, {"gfx95", false},
	{"gfx1011", false}, {"gfx1012", false}, {"gfx103", false}, {"gfx11", true},  {"gfx12", true},
};

/* The name of LLVM's intrinsic, or NULL. */
static const char *dot_intrinsic(const FeModule *m, bool a_signed, bool b_signed)
{
	for (u32 i = 0; m->cpu && !m->vliw && i < COUNT(dot_chips); i++) {
		if (strncmp(m->cpu, dot_chips[i].begins, strlen(dot_chips[i].begins)) != 0)
			continue;
		if (!a_signed && !b_signed)
			return "udot4";
		return dot_chips[i].mixed ? "sudot4" : a_signed && b_signed ? "sdot4" : NULL;
	}
	return NULL;
}

/* %r = the sum of products, byte by byte, and of nothing else. */
static void write_products(Writer *w, bool a_signed, bool b_signed)
{
	const char *last = "0";
	for (u32 i = 0; i < 4; i++) {
		for (u32 k = 0; k < 2; k++) {
			put(w, " %%t%u.%u = lshr i32 %%%c, %u", i, k, "ab"[k], 8 * i);
			put(w, " %%b%u.%u = trunc i32 %%t%u.%u to i8", i, k, i, k);
			put(w, " %%x%u.%u = %s i8 %%b%u.%u to i32", i, k, (k ? b_signed : a_signed) ? "sext" : "zext",
			    i, k);
		}
		put(w, " %%m%u = mul i32 %%x%u.0, %%x%u.1", i, i, i);
		put(w, " %%s%u = add i32 %s, %%m%u", i, last, i);
		last = arena_printf(w->m->arena, "%%s%u", i);
	}
}

static void write_dot(Writer *w)
{
	const Collective *c = w->c;
	bool packed = c->param[0].n == 1, sums = c->nparams == 3;
	/* dot_4x8packed_us_int: of a packed one the name says the signs, before its result's type */
	const char *signs = packed ? c->name + c->n - (c->name[c->n - 4] == 'u' ? 7 : 6) : NULL;
	bool a_signed = packed ? signs[0] == 's' : !c->param[0].is_unsigned;
	bool b_signed = packed ? signs[1] == 's' : !c->param[1].is_unsigned;
	const char *intrinsic = dot_intrinsic(w->m, a_signed, b_signed), *acc = sums ? "%p2" : "0";
	for (u32 k = 0; k < 2; k++)
		put(w, " %%%c = bitcast %s %%p%u to i32", "ab"[k], packed ? "i32" : "<4 x i8>", k);
	if (!intrinsic) {
		bool is_signed = a_signed || b_signed;
		write_products(w, a_signed, b_signed);
		const char *add = callee(w, "i32", "i32, i32", "llvm.%cadd.sat.i32", is_signed ? 's' : 'u');
		put(w, " %%r = call i32 %s(i32 %%s3, i32 %s)", add, acc);
	} else if (!strcmp(intrinsic, "sudot4")) {
		const char *dot = callee(w, "i32", "i1, i32, i1, i32, i32, i1", "llvm.amdgcn.%s", intrinsic);
		put(w, " %%r = call i32 %s(i1 %d, i32 %%a, i1 %d, i32 %%b, i32 %s, i1 %d)", dot, a_signed, b_signed,
		    acc, sums);
	} else {
		const char *dot = callee(w, "i32", "i32, i32, i32, i1", "llvm.amdgcn.%s", intrinsic);
		put(w, " %%r = call i32 %s(i32 %%a, i32 %%b, i32 %s, i1 %d)", dot, acc, sums);
	}
	put(w, " ret i32 %%r");
}

/* ---- all of them ---- */

typedef struct Body {
	void (*write)(Writer *w);
	const char *result; /* NULL: the value's type */
} Body;

static Body body_of(CollectiveKind kind)
{
	static const char integer[] = "i32", nothing[] = "void", bits[] = "<4 x i32>";
	switch (kind) {
	case WAVE_ITEMS: case MAX_SIZE: case GROUP_WAVES: case FULL_WAVES: case WAVE_ID: case LANE_ID:
		return (Body){write_query, integer};
	case WAVE_BARRIER: return (Body){write_barrier, nothing};
	case ALL: case ANY: return (Body){write_vote, integer};
	case ALL_EQUAL: return (Body){write_all_equal, integer};
	case ELECT: return (Body){write_elect, integer};
	case BROADCAST: case BROADCAST_FIRST: return (Body){write_read, NULL};
	case BALLOT: return (Body){write_ballot, bits};
	case INVERSE_BALLOT: case BIT_EXTRACT: case BIT_COUNT: case BITS_INCLUSIVE: case BITS_EXCLUSIVE:
	case LOWEST_BIT: case HIGHEST_BIT: return (Body){write_bits, integer};
	case MASK_EQ: case MASK_GE: case MASK_GT: case MASK_LE: case MASK_LT: return (Body){write_mask, bits};
	case REDUCE: case SCAN_EXCLUSIVE: case SCAN_INCLUSIVE: case CLUSTERED_REDUCE: return (Body){write_join, NULL};
	case PAIR_UP: case PAIR_DOWN: return (Body){write_pair, NULL};
	case BLOCK_READ: return (Body){write_block, NULL};
	case DOT: return (Body){write_dot, integer};
	case BLOCK_WRITE: return (Body){write_block, nothing};
		case GROUP_BROADCAST: return (Body){write_group_broadcast, NULL};
	case GROUP_ALL: case GROUP_ANY: case GROUP_REDUCE: case GROUP_EXCLUSIVE: case GROUP_INCLUSIVE:
		return (Body){write_group_join, NULL};
	default: return (Body){write_shuffle, NULL};
	}
}

static void write_function(Writer *w, u32 number)
{
	const Collective *c = w->c;
	Body body = body_of(c->kind);
	w->type = c->nparams ? c->param[0].name : NULL;
	w->n = c->nparams ? c->param[0].n : 1;
	w->fold = c->fold;
	Buf params = {0};
	for (u32 i = 0; i < c->nparams; i++)
		buf_printf(&params, "%s%s %%p%u", i ? ", " : "", type_text(w, &c->param[i]), i);
	const char *result =
	    body.result ? body.result : type_text(w, &(CollectiveType){.name = w->type, .n = (u8)w->n});
	if (c->kind == BLOCK_READ)
		result = type_text(w, &(CollectiveType){.name = w->type, .n = (u8)block_elements(c)});
	put(w, "define internal %s @wavesim.body.%u(%s) alwaysinline%s nounwind {", result, number,
	    params.v ? params.v : "", c->kind == DOT ? "" : " convergent");
	if (c->whole)
		put(w, " call void %s()", callee(w, "void", "", FE_WAVE "whole"));
	body.write(w);
	put(w, "}");
	array_free(&params);
}

static bool is_ours(LLVMValueRef f, Collective *c)
{
	const char *name = LLVMGetValueName(f);
	return LLVMIsDeclaration(f) && !strncmp(name, FE_COLLECTIVE, sizeof FE_COLLECTIVE - 1) &&
	       fe_collective(name + sizeof FE_COLLECTIVE - 1, c);
}

void collective_rename(FeModule *m)
{
	Collective c;
	llvm_each_function(m->mod, f) {
		if (!LLVMGetFirstUse(f) || !fe_collective(LLVMGetValueName(f), &c))
			continue;
		const char *name = arena_printf(m->arena, FE_COLLECTIVE "%s", LLVMGetValueName(f));
		if (LLVMIsDeclaration(f)) {
			LLVMSetValueName2(f, name, strlen(name));
		} else if (c.kind == DOT && !LLVMGetSubprogram(f)) { /* later PoCLs have a body, chips an instruction */
			LLVMReplaceAllUsesWith(f, LLVMAddFunction(m->mod, name, LLVMGlobalGetValueType(f)));
		}
	}
}

/* Room for the wavefronts of the largest work-group that registers are left for. */
static u32 most_waves(const FeModule *m)
{
	u32 items = m->reqd_local[0] * m->reqd_local[1] * m->reqd_local[2], wave = wave_of(m);
	items = items ? items : m->max_local ? m->max_local : 256;
	return (items + wave - 1) / wave;
}

/* The calls of a function are those of body number `number`. */
static bool take_body(FeModule *m, LLVMValueRef f, u32 number, Diag *d)
{
	char name[32];
	Mangled source = fe_mangled(LLVMGetValueName(f) + sizeof FE_COLLECTIVE - 1);
	snprintf(name, sizeof name, "wavesim.body.%u", number);
	LLVMValueRef body = LLVMGetNamedFunction(m->mod, name);
	if (LLVMGlobalGetValueType(f) == LLVMGlobalGetValueType(body))
		LLVMReplaceAllUsesWith(f, body);
	else if (!amdlib_adapter(m, f, body))
		return diag_error(d, (Loc){.file = m->user_path}, "function '%.*s' has other parameters than OpenCL's",
		                  (int)source.n, source.name);
	return true;
}

/* get_…, sub_group_…, intel_…, not work_group_…, dot… */
static bool of_sub_group(const Collective *c) { return *c->name != 'w' && c->kind != DOT; }

bool collective_define(FeModule *m, Diag *d)
{
	Writer w = {.m = m};
	ARRAY(LLVMValueRef) found = {0};
	Collective c;
	llvm_each_function(m->mod, f)
		if (is_ours(f, &c)) {
			w.c = &c;
			if (!m->not_pocl && of_sub_group(&c))
				m->not_pocl = "PoCL's sub-groups are not wavefronts of this width";
			array_push(&found, f);
			write_function(&w, found.n);
		}
	bool ok = true;
	char *why = NULL;
	if (found.n) {
		put(&w, "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n!2 = !{i32 %u}", FENCE_LDS);
		if (w.shares)
			put(&w, "@" SHARED " = internal global [%u x i64] undef, align 8", most_waves(m));
		put(&w, "%s", w.calls.v ? w.calls.v : "");
		ok = llvm_link_text(m->mod, w.text.v, w.text.n, &why);
		if (!ok)
			diag_error(d, NO_LOC, "LLVM cannot link wavesim's own functions of OpenCL C: %s",
			           why ? why : "no reason given");
		LLVMDisposeMessage(why);
	}
	for (u32 i = 0; ok && i < found.n; i++)
		ok = take_body(m, found.v[i], i + 1, d);
	array_free(&found);
	array_free(&w.text);
	array_free(&w.calls);
	return ok;
}
