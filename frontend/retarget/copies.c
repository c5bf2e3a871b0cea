/* The loops of work-group copies, written as IR: see copies.h. */
#include "frontend/retarget/copies.h"

#include "frontend/module/mangled.h"

#define BODY "copies.body"
#define ITEM "_Z12get_local_idj"
#define SIZE "_Z14get_local_sizej"
#define WHOLE_SIZE "_Z23get_enqueued_local_sizej"

/* What a call becomes a call of: of a copy one for each function, of a wait one for each call. */
typedef struct Body {
	LLVMValueRef f; /* of the source */
	const char *name;
	bool waits, strided, to_lds;
	u32 bytes;  /* of an element */
	u32 events; /* of a wait: so many, as the source says; 0: it does not, or there are more than MOST_EVENTS */
} Body;

typedef struct Copies {
	FeModule *m;
	ARRAY(Body) bodies;
	ARRAY(LLVMValueRef) calls; /* … */
	ARRAY(u32) body_of;        /* … and the number of its body, for each call */
	Buf text;
} Copies;

enum { MOST_PARAMS = 5, MOST_EVENTS = 8 };

/* ---- what is called ---- */

static bool is_pointer(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMPointerTypeKind; }

static bool is_integer(LLVMTypeRef t, u32 bits)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == bits;
}

/* Bitcode may declare these functions as it likes. */
static bool takes_what_it_should(const Body *c)
{
	LLVMTypeRef t = LLVMGlobalGetValueType(c->f), p[MOST_PARAMS];
	u32 n = c->waits ? 2 : 4 + c->strided;
	if (LLVMCountParamTypes(t) != n || LLVMIsFunctionVarArg(t))
		return false;
	LLVMGetParamTypes(t, p);
	if (c->waits)
		return is_integer(p[0], 32) && is_pointer(p[1]);
	return c->bytes && is_pointer(p[0]) && is_pointer(p[1]) && is_integer(p[2], 64) &&
	       (!c->strided || is_integer(p[3], 64)) && p[n - 1] == LLVMGetReturnType(t);
}

static bool is_copy(const FeModule *m, LLVMValueRef f, Body *out)
{
	const char *symbol = LLVMGetValueName(f);
	Mangled name = fe_mangled(symbol);
	bool waits = mangled_is(&name, "wait_group_events");
	if (!waits && !fe_is_copy(symbol))
		return false;
	*out = (Body){.f = f, .name = arena_strdup(m->arena, symbol), .waits = waits};
	out->strided = mangled_is(&name, "async_work_group_strided_copy");
	out->to_lds = !out->waits && !mangled_is_global(name.params);
	out->bytes = out->waits ? 0 : mangled_pointed(name.params);
	return true;
}

static u32 events_of(LLVMValueRef wait)
{
	LLVMValueRef n = LLVMGetOperand(wait, 0);
	u64 events = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
	return events <= MOST_EVENTS ? (u32)events : 0;
}

/* The text of a type; the module's. */
static const char *type_text(FeModule *m, LLVMTypeRef t)
{
	char *text = LLVMPrintTypeToString(t);
	const char *kept = arena_strdup(m->arena, text);
	LLVMDisposeMessage(text);
	return kept;
}

static void declare(Copies *c, const Body *x)
{
	LLVMTypeRef t = LLVMGlobalGetValueType(x->f), p[MOST_PARAMS];
	LLVMGetParamTypes(t, p);
	buf_printf(&c->text, "declare %s @\"%s\"(", type_text(c->m, LLVMGetReturnType(t)), x->name);
	for (u32 i = 0; i < LLVMCountParamTypes(t); i++)
		buf_printf(&c->text, "%s%s", i ? ", " : "", type_text(c->m, p[i]));
	buf_line(&c->text, ")");
}

static void find_calls(Copies *c, Body b)
{
	u32 number = c->bodies.n;
	declare(c, &b);
	for (LLVMUseRef u = LLVMGetFirstUse(b.f); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);
		if (llvm_callee(call) != b.f)
			continue;
		b.events = b.waits ? events_of(call) : 0;
		if (b.waits || number == c->bodies.n)
			array_push(&c->bodies, b);
		array_push(&c->calls, call);
		array_push(&c->body_of, c->bodies.n - 1);
	}
}

/* ---- the text of bodies ---- */

/* %NAME = a size or an id of one dimension */
static void put_query(Buf *b, const char *name, const char *function, u32 axis)
{
	buf_line(b, " %%%s.w = call i64 @%s(i32 %u)\n %%%s = trunc i64 %%%s.w to i32", name, function, axis, name,
	         name);
}

/* NVIDIA's compiler counts dimension 0 only: in a group of several dimensions each row copies all of it. (Read off what
 * it makes of the copies of ImageMagick's ResizeVerticalFilter, in groups of 1x256.) */
static void put_nvidia_items(Buf *b)
{
	buf_line(b, "define internal i64 @" BODY ".item() alwaysinline nounwind {\n %%r = call i64 @" ITEM "(i32 0)\n"
	            " ret i64 %%r\n}");
	buf_line(b, "define internal i64 @" BODY ".items() alwaysinline nounwind {\n %%r = call i64 @" SIZE "(i32 0)\n"
	            " ret i64 %%r\n}");
}

/* How many work-items there are, and which one this is. AMD's library takes its number from the sizes of whole groups,
 * which is another one in a smaller group of several dimensions, where some elements would not be copied. */
static void put_amd_items(Copies *c)
{
	Buf *b = &c->text;
	const char *whole = c->m->partial_groups ? SIZE : WHOLE_SIZE;
	if (!c->m->partial_groups)
		buf_line(b, "declare i64 @" WHOLE_SIZE "(i32)");
	buf_line(b, "define internal i64 @" BODY ".item() alwaysinline nounwind {");
	put_query(b, "x", ITEM, 0);
	put_query(b, "y", ITEM, 1);
	put_query(b, "z", ITEM, 2);
	put_query(b, "nx", whole, 0);
	put_query(b, "ny", whole, 1);
	buf_line(b, " %%plane = mul nuw nsw i32 %%z, %%ny\n %%row = add nuw nsw i32 %%plane, %%y\n"
	            " %%first = mul i32 %%row, %%nx\n %%i = add i32 %%first, %%x\n"
	            " %%r = zext i32 %%i to i64\n ret i64 %%r\n}");
	buf_line(b, "define internal i64 @" BODY ".items() alwaysinline nounwind {");
	put_query(b, "nx", SIZE, 0);
	put_query(b, "ny", SIZE, 1);
	put_query(b, "nz", SIZE, 2);
	buf_line(b, " %%xy = mul i32 %%nx, %%ny\n %%n = mul i32 %%xy, %%nz\n"
	            " %%r = zext i32 %%n to i64\n ret i64 %%r\n}");
}

/* What is moved at once: of 3 components, which have the size of 4, all of it. */
static const char *element_text(FeModule *m, u32 bytes)
{
	return bytes <= 4 ? arena_printf(m->arena, "i%u", bytes * 8) : arena_printf(m->arena, "<%u x i32>", bytes / 4);
}

static void put_copy(Copies *c, const Body *x, u32 number)
{
	Buf *b = &c->text;
	LLVMTypeRef t = LLVMGlobalGetValueType(x->f), p[MOST_PARAMS];
	LLVMGetParamTypes(t, p);
	const char *event = type_text(c->m, LLVMGetReturnType(t)), *element = element_text(c->m, x->bytes);
	const char *to = type_text(c->m, p[0]), *from = type_text(c->m, p[1]);
	const char *params = arena_printf(c->m->arena, "%s %%to, %s %%from, i64 %%n, %s%s %%event", to, from,
	                                  x->strided ? "i64 %stride, " : "", event);
	buf_line(b, "define internal %s @" BODY ".%u(%s) alwaysinline convergent nounwind {", event, number, params);
	buf_line(b, " %%e = call %s @\"%s\"(%s)\n"
	            " %%items = call i64 @" BODY ".items()\n %%item = call i64 @" BODY ".item()\n"
	            " %%any = icmp ult i64 %%item, %%n\n br i1 %%any, label %%begin, label %%end",
	         event, x->name, params);
	buf_line(b, "begin:\n %%most = call i64 @" FE_COPIES "(i64 %%n, i32 %u)\n br label %%loop\n"
	            "loop:\n %%k = phi i64 [ %%item, %%begin ], [ %%next, %%loop ]", x->bytes);
	if (x->strided)
		buf_line(b, " %%at = mul i64 %%k, %%stride");
	buf_line(b, " %%in = getelementptr inbounds %s, %s %%from, i64 %s\n"
	            " %%out = getelementptr inbounds %s, %s %%to, i64 %s",
	         element, from, x->strided && x->to_lds ? "%at" : "%k", element, to,
	         x->strided && !x->to_lds ? "%at" : "%k");
	buf_line(b, " %%v = load %s, %s %%in, align %u\n store %s %%v, %s %%out, align %u", element, from, x->bytes,
	         element, to, x->bytes);
	buf_line(b, " %%next = add i64 %%k, %%items\n %%more = icmp ult i64 %%next, %%most\n"
	            " br i1 %%more, label %%loop, label %%end\n"
	            "end:\n call void @" FE_COPIED "()\n ret %s %%e\n}",
	         event);
}

/* What copies give; NULL: there is none. */
static const char *event_text(const Copies *c)
{
	for (u32 i = 0; i < c->bodies.n; i++)
		if (!c->bodies.v[i].waits)
			return type_text(c->m, LLVMGetReturnType(LLVMGlobalGetValueType(c->bodies.v[i].f)));
	return NULL;
}

/* A barrier with its fences. Where the source says how many events there are, they need no memory. */
static void put_wait(Copies *c, const Body *x, u32 number)
{
	Buf *b = &c->text, events = {0};
	LLVMTypeRef p[2];
	LLVMGetParamTypes(LLVMGlobalGetValueType(x->f), p);
	const char *list = type_text(c->m, p[1]), *event = event_text(c);
	u32 n = event ? x->events : 0;
	buf_line(b, "define internal void @" BODY ".%u(i32 %%n, %s %%list) alwaysinline convergent nounwind {", number,
	         list);
	for (u32 i = 0; i < n; i++) {
		buf_line(b, " %%at.%u = getelementptr %s, %s %%list, i64 %u\n %%e.%u = load %s, %s %%at.%u", i, event,
		         list, i, i, event, list, i);
		buf_printf(&events, "%s%s %%e.%u", i ? ", " : "", event, i);
	}
	buf_line(b, " fence syncscope(\"workgroup\") release");
	if (n)
		buf_line(b, " call void (...) @" FE_WAIT "(%s)", events.v);
	else
		buf_line(b, " call void @\"%s\"(i32 %%n, %s %%list)", x->name, list);
	buf_line(b, " fence syncscope(\"workgroup\") acquire\n ret void\n}");
	array_free(&events);
}

static bool link_bodies(Copies *c, Diag *d)
{
	char *why;
	buf_line(&c->text, "declare i64 @" ITEM "(i32)\ndeclare i64 @" SIZE "(i32)\n"
	                   "declare i64 @" FE_COPIES "(i64, i32) convergent nounwind\n"
	                   "declare void @" FE_COPIED "() convergent nounwind\n"
	                   "declare void @" FE_WAIT "(...) convergent nounwind");
	if (c->m->nvidia)
		put_nvidia_items(&c->text);
	else
		put_amd_items(c);
	for (u32 i = 0; i < c->bodies.n; i++)
		(c->bodies.v[i].waits ? put_wait : put_copy)(c, &c->bodies.v[i], i);
	bool ok = llvm_link_text(c->m->mod, c->text.v, c->text.n, &why);
	if (!ok)
		diag_error(d, NO_LOC, "LLVM cannot link wavesim's own copies of work-groups: %s",
		           why ? why : "no reason given");
	LLVMDisposeMessage(why);
	return ok;
}

bool copies_expand(FeModule *m, Diag *d)
{
	Copies c = {.m = m};
	Body b;
	bool known = true;
	llvm_each_function(m->mod, f)
		if (is_copy(m, f, &b) && (known &= takes_what_it_should(&b)))
			find_calls(&c, b);
	bool any = known && c.calls.n, ok = !any || link_bodies(&c, d);
	for (u32 i = 0; any && ok && i < c.calls.n; i++) {
		LLVMValueRef call = c.calls.v[i];
		const char *name = arena_printf(m->arena, BODY ".%u", c.body_of.v[i]);
		LLVMSetOperand(call, (u32)LLVMGetNumOperands(call) - 1, LLVMGetNamedFunction(m->mod, name));
	}
	array_free(&c.bodies);
	array_free(&c.calls);
	array_free(&c.body_of);
	array_free(&c.text);
	return ok;
}
