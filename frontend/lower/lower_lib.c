/* What the kernel asks of the run time: printf, assertions, work-group copies, prefetch. */
#include "frontend/lower/lowering.h"
#include "frontend/module/collective.h"
#include "frontend/module/mangled.h"

/* ---- printf ---- */

typedef struct Conversion {
	const char *start, *end; /* from '%' to behind the letter */
	u32 vector;              /* components, 0 = scalar */
	u32 bytes;               /* of a component, by hh h hl l; 0 = none given */
	char letter;             /* 0: the format ends too early */
} Conversion;

static Conversion printf_conversion(const char *f)
{
	Conversion c = {.start = f++};
	while (*f && strchr("-+ #0123456789.", *f))
		f++;
	if (*f == 'v') {
		for (f++; *f >= '0' && *f <= '9'; f++)
			c.vector = c.vector * 10 + (u32)(*f - '0');
	}
	if (!strncmp(f, "hh", 2))
		c.bytes = 1, f += 2;
	else if (!strncmp(f, "hl", 2))
		c.bytes = 4, f += 2;
	else if (*f == 'h')
		c.bytes = 2, f++;
	else if (*f == 'l')
		c.bytes = 8, f++;
	c.letter = *f;
	c.end = *f ? f + 1 : f;
	return c;
}

/* A constant string argument goes into the format itself, with its '%' doubled. */
static void printf_text(Buf *out, const Conversion *c, const char *text)
{
	char spec[32];
	Buf s = {0};
	size_t n = (size_t)(c->end - c->start);
	if (n >= sizeof spec)
		n = sizeof spec - 1;
	memcpy(spec, c->start, n);
	spec[n] = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
	buf_printf(&s, spec, text);
#pragma GCC diagnostic pop
	for (const char *p = s.v; *p; p++)
		buf_write(out, "%%", *p == '%' ? 2 : 0), buf_write(out, p, *p != '%');
	array_free(&s);
}

/* Only digits, flags and a precision are between '%' and 's': safe for the C library. */
static bool printf_plain_string(const Conversion *c)
{
	return c->letter == 's' && !c->vector && !c->bytes && c->end - c->start < 12;
}

typedef ARRAY(u32) RegList;

/* The components of a vector argument. The x86 calling convention, which PoCL's
 * bitcode follows, may have passed them as an integer, a double or by address. */
static bool printf_vector(Lower *l, LLVMValueRef x, const Conversion *c, RegList *out)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	bool flt = strchr("fFeEgGaA", c->letter) != NULL;
	const u32 *a = lo_val(l, x);
	u32 bits = 0, n = c->vector, stored = n == 3 ? 4 : n;
	for (u32 i = 0; i < s->n; i++)
		bits += s->c[i].bits;
	u32 bytes = c->bytes ? c->bytes : s->n == n ? bits / n / 8 : bits / stored / 8;
	if (n < 2 || n > 16 || (s->c[0].cls == C_PTR && !c->bytes) || !bytes)
		return false;
	LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(x));
	LLVMTypeRef e = !flt          ? LLVMIntTypeInContext(ctx, bytes * 8)
	                : bytes == 8 ? LLVMDoubleTypeInContext(ctx)
	                : bytes == 4 ? LLVMFloatTypeInContext(ctx)
	                             : LLVMHalfTypeInContext(ctx);
	LLVMTypeRef t = LLVMVectorType(e, n);
	const ValueShape *want = lo_shape(l, t);
	u32 *d = lo_regs(l, n);
	if (s->c[0].cls == C_PTR)
		lo_load(l, lo_addr(l, x), t, true, d);
	else
		lo_repack(l, s->c, a, s->n, want, d);
	for (u32 i = 0; i < n; i++)
		array_push(out, want->c[i].cls == C_HALF ? lo_half_up(l, d[i]) : d[i]);
	return true;
}

/* One conversion with its argument x: what stays of it in the format goes to out. */
static bool printf_argument(Lower *l, LLVMValueRef x, const Conversion *c, Buf *out, RegList *args)
{
	const char *text = printf_plain_string(c) ? lo_const_string(l, x) : NULL;
	if (text) {
		printf_text(out, c, text);
		return true;
	}
	buf_write(out, c->start, (size_t)(c->end - c->start));
	if (c->vector)
		return printf_vector(l, x, c, args);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	const u32 *a = lo_val(l, x);
	for (u32 i = 0; i < s->n; i++)
		array_push(args, s->c[i].cls == C_HALF ? lo_half_up(l, a[i]) : a[i]);
	return true;
}

static bool lib_printf(Lower *l, LLVMValueRef v)
{
	u32 n = LLVMGetNumArgOperands(v), next = 1;
	if (!n)
		return lo_error(l, "printf without a format"), true;
	const char *f = lo_const_string(l, LLVMGetOperand(v, 0));
	Buf out = {0};
	RegList args = {0};
	if (!f) {
		lo_error(l, "printf with a format that is no string constant");
		diag_hint(l->d, "write the format as a literal, as OpenCL C demands");
		return true;
	}
	buf_write(&out, "", 0);
	while (*f) {
		Conversion c = printf_conversion(f);
		if (*f != '%') {
			buf_write(&out, f++, 1);
		} else if (f[1] == '%') {
			buf_write(&out, f, 2);
			f += 2;
		} else if (next >= n || !c.letter) {
			buf_write(&out, f, (size_t)(c.end - f));
			f = c.end;
		} else {
			if (!printf_argument(l, LLVMGetOperand(v, next), &c, &out, &args)) {
				lo_error(l, "argument %u of printf does not fit '%.*s'", next,
				         (int)(c.end - c.start), c.start);
				diag_hint(l->d, "a vector needs a length: hh char, h short, hl int and float, l "
				                "long and double");
			}
			next++;
			f = c.end;
		}
	}
	u32 d = program_reg(l->p, T_i32, REG_VECTOR, NULL);
	Ins *i = lo_emit(l, OP_printf, &d, 1, args.v, args.n);
	i->imm = l->p->formats.n;
	array_push(&l->p->formats, buf_keep(&out, l->p->arena));
	lo_set(l, v, &d);
	array_free(&args);
	return true;
}

/* ---- assertions ---- */

static bool lib_assert(Lower *l, LLVMValueRef v)
{
	const char *text = lo_const_string(l, LLVMGetOperand(v, 0));
	lo_emit(l, OP_failed, NULL, 0, NULL, 0)->imm = l->p->formats.n;
	array_push(&l->p->formats, arena_strdup(l->p->arena, text ? text : "(its text is not constant)"));
	return true;
}

/* ---- work-group copies ---- */

static bool lib_async_copy(Lower *l, LLVMValueRef v, const char *params, bool strided)
{
	u32 bytes = mangled_pointed(params), d;
	bool to_lds = !mangled_is_global(params);
	u32 s[5];
	for (u32 i = 0; i < 3; i++)
		s[i] = lo_val1(l, LLVMGetOperand(v, i));
	s[3] = strided ? lo_val1(l, LLVMGetOperand(v, 3)) : lo_c(l, T_i64, 1);
	s[4] = lo_val1(l, LLVMGetOperand(v, strided ? 4 : 3));
	if (!bytes)
		return lo_error(l, "an async copy of elements of unknown type (%s)", params), true;
	s[4] = lo_zext(l, s[4], T_i64);
	const ValueShape *e = lo_shape(l, LLVMTypeOf(v));
	d = program_reg(l->p, T_i64, lo_info(l, v)->divergent ? REG_VECTOR : REG_SCALAR, NULL);
	Ins *i = lo_emit(l, OP_async_copy, &d, 1, s, 5);
	i->imm = bytes;
	i->aux = to_lds ? COPY_TO_LDS : COPY_TO_GLOBAL;
	i->aux |= LLVMGetNamedFunction(l->m->mod, FE_COPIED) ? COPY_BY_CODE : 0;
	if (e->n) {
		d = lo_zext(l, d, (Type)e->c[0].type);
		lo_set(l, v, &d);
	}
	return true;
}

/* Are events pointers of 32 bits, as clang's for amdgcn? */
static bool short_events(Lower *l)
{
	llvm_each_function(l->m->mod, f) {
		if (fe_is_copy(LLVMGetValueName(f))) {
			const ValueShape *e = lo_shape(l, LLVMGetReturnType(LLVMGlobalGetValueType(f)));
			return e->n == 1 && e->c[0].bits == 32;
		}
	}
	return false;
}

static bool lib_async_wait(Lower *l, LLVMValueRef v)
{
	u32 s[2] = {lo_val1(l, LLVMGetOperand(v, 0)), lo_val1(l, LLVMGetOperand(v, 1))};
	lo_emit(l, OP_async_wait, NULL, 0, s, 2)->aux = short_events(l) ? WAIT_I32 : WAIT_I64;
	return true;
}

/* The same of events that are known without memory. */
static bool lib_async_wait_for(Lower *l, LLVMValueRef v)
{
	RegList events = {0};
	for (u32 i = 0; i < LLVMGetNumArgOperands(v); i++)
		array_push(&events, lo_zext(l, lo_val1(l, LLVMGetOperand(v, i)), T_i64));
	lo_emit(l, OP_async_wait, NULL, 0, events.v, events.n)->aux = WAIT_VALUES;
	array_free(&events);
	return true;
}

/* An index into an array of the source (bounds.h). */
static bool lib_within(Lower *l, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0), address = LLVMGetOperand(v, 2), from;
	u128 n = 0, bytes = 0, write = 0, index;
	bool known = lo_const_int(LLVMGetOperand(v, 1), &n);
	if (known && lo_const_int(x, &index) && index < n)
		return true;
	lo_const_int(LLVMGetOperand(v, 3), &bytes);
	lo_const_int(LLVMGetOperand(v, 4), &write);
	while ((from = llvm_cast_source(address)) != NULL)
		address = from;
	/* In 32 bits, a negative index is still above such an n. */
	if (known && n <= INT32_MAX && (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x)) &&
	    lo_shape(l, LLVMTypeOf(LLVMGetOperand(x, 0)))->c[0].bits == 32)
		x = LLVMGetOperand(x, 0);
	u32 s[4] = {lo_val1(l, x)};
	s[1] = known ? lo_c(l, lo_type(l, s[0]), n) : lo_val1(l, LLVMGetOperand(v, 1));
	Addr at = lo_addr(l, address);
	s[2] = at.reg;
	s[3] = lo_c(l, T_i64, (u64)at.off);
	Ins *i = lo_emit(l, OP_within, NULL, 0, s, 4);
	i->space = (u8)LLVMGetPointerAddressSpace(LLVMTypeOf(address));
	i->imm = (i64)bytes;
	i->aux = (u8)write;
	return true;
}

/* The value of a variable that was not written. */
static bool lib_unset(Lower *l, LLVMValueRef v)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	RegKind kind = lo_info(l, v)->divergent ? REG_VECTOR : REG_SCALAR;
	char *name = arena_strdup(l->p->arena, LLVMGetValueName(v));
	name[strcspn(name, ".")] = 0;
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++) {
		d[i] = program_reg(l->p, (Type)s->c[i].type, kind, name);
		lo_emit(l, OP_undef, &d[i], 1, NULL, 0);
	}
	lo_set(l, v, d);
	return true;
}

/* Bitcode may declare these functions as it likes. kinds: p a pointer, i an integer, . any. */
static bool lib_takes(Lower *l, LLVMValueRef v, const char *name, const char *kinds)
{
	bool ok = LLVMGetNumArgOperands(v) == strlen(kinds);
	for (u32 i = 0; ok && kinds[i]; i++) {
		LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, i)));
		ok = kinds[i] == 'p' ? kind == LLVMPointerTypeKind : kinds[i] != 'i' || kind == LLVMIntegerTypeKind;
	}
	return ok || lo_error(l, "'%s' is called with other arguments than OpenCL's function has", name);
}

/* Of so many elements of a copy (of so many bytes) those that the local memory of any device has room for: else a
 * number below 0, which is a very large one, would be copied for minutes. */
static bool lib_copies(Lower *l, LLVMValueRef v)
{
	const u64 room = (u64)16 << 20; /* Device.lds_per_group, at most */
	LLVMValueRef n = LLVMGetOperand(v, 0), bytes = LLVMGetOperand(v, 1);
	LLVMTypeRef i64_type = LLVMInt64TypeInContext(l->m->ctx);
	if (LLVMTypeOf(n) != i64_type || LLVMTypeOf(v) != i64_type)
		return lo_error(l, "'%s' is called with other arguments than wavesim gives it", FE_COPIES);
	u64 each = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 0, most = each ? room / each : room;
	bool few = LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) <= most;
	const u32 *all = lo_val(l, n);
	u32 bounded = few ? 0 : lo_bin_on(l, OP_umin_i8, all[0], lo_c(l, T_i64, most));
	lo_set(l, v, few ? all : &bounded);
	return true;
}

bool lo_runtime(Lower *l, LLVMValueRef v, const char *name)
{
	if (!strcmp(name, BOUNDS_CALL))
		return !lib_takes(l, v, name, "iipii") || lib_within(l, v);
	if (!strncmp(name, FE_WAVE, sizeof FE_WAVE - 1))
		return lo_wave(l, v, name + sizeof FE_WAVE - 1);
	Mangled f = fe_mangled(name);
	if (!strcmp(name, "printf"))
		return lib_printf(l, v);
	if (!strncmp(name, FE_UNSET, sizeof FE_UNSET - 1))
		return lib_unset(l, v);
	if (!strcmp(name, FE_ASSERT))
		return !lib_takes(l, v, name, "ppip") || lib_assert(l, v);
	if (!strcmp(name, FE_COPIES))
		return !lib_takes(l, v, name, "ii") || lib_copies(l, v);
	if (!strcmp(name, FE_COPIED))
		return !lib_takes(l, v, name, "") || lo_emit(l, OP_async_copied, NULL, 0, NULL, 0);
	if (!strcmp(name, FE_WAIT))
		return lib_async_wait_for(l, v);
	if (!fe_is_runtime(name))
		return false;
	if (mangled_is(&f, "async_work_group_copy"))
		return !lib_takes(l, v, name, "ppi.") || lib_async_copy(l, v, f.params, false);
	if (mangled_is(&f, "async_work_group_strided_copy"))
		return !lib_takes(l, v, name, "ppii.") || lib_async_copy(l, v, f.params, true);
	if (mangled_is(&f, "wait_group_events"))
		return !lib_takes(l, v, name, "ip") || lib_async_wait(l, v);
	return true; /* prefetch: a hint that changes nothing */
}
