/* Single instructions: operand counts, types and kinds, targets, immediates. Each
 * check stops at the first failure, so that a malformed instruction gives one
 * message and no later check sees what an earlier one rejected. */
#include "isa/matrix.h"
#include "isa/text.h"
#include "isa/verify.h"

#include <inttypes.h>

static const Reg *reg(const Verifier *v, u32 r) { return &v->p->regs.v[r]; }
static Type type(const Verifier *v, u32 r) { return reg(v, r)->type; }
static bool is_vector(const Verifier *v, u32 r) { return reg(v, r)->kind == REG_VECTOR; }
static bool is_int(Type t) { return t != T_b1 && !type_is_float(t); }

/* Of each operation that is no lane operation: what counts, fields and targets leave to check. */
#define OP(name, ...) static bool verify_##name(Verifier *v, const Ins *i);
#include "isa/ops.def"

static bool counts(Verifier *v, const Ins *i)
{
	if (i->op >= OP_COUNT)
		return verify_fail(v, "there is no operation %u", i->op);
	const OpInfo *info = &op_info[i->op];
	if ((u64)i->opnd + i->ndst + i->nsrc + i->ntgt > v->p->opnds.n)
		return verify_fail(v, "its operands are outside the operand table");
	if (info->ndst != ANY_COUNT && i->ndst != info->ndst)
		return verify_fail(v, "%s takes %u results, not %u", info->name, info->ndst, i->ndst);
	if (info->nsrc != ANY_COUNT && i->nsrc != info->nsrc)
		return verify_fail(v, "%s takes %u operands, not %u", info->name, info->nsrc, i->nsrc);
	if (i->ndst > MOST_DST)
		return verify_fail(v, "it has %u results, more than %d", i->ndst, MOST_DST);
	if (i->loc >= v->p->locs.n)
		return verify_fail(v, "there is no source place %u", i->loc);
	for (u32 k = 0; k < (u32)i->ndst + i->nsrc; k++)
		if (v->p->opnds.v[i->opnd + k] >= v->p->regs.n)
			return verify_fail(v, "there is no register %u", v->p->opnds.v[i->opnd + k]);
	for (u32 k = 0; k < i->ndst; k++)
		if (reg(v, ins_dst(v->p, i)[k])->kind == REG_CONST)
			return verify_fail(v, "it writes a constant");
	u32 twice;
	if (!verify_distinct(v, ins_dst(v->p, i), i->ndst, &twice))
		return verify_fail(v, "it writes register %u twice", twice);
	return true;
}

/* Fields that the operation does not use must be 0: they would not survive the text form. */
static bool fields(Verifier *v, const Ins *i)
{
	if (i->imm && !op_has_imm(i->op))
		return verify_fail(v, "%s takes no immediate", op_info[i->op].name);
	if (i->space && !op_has_space(i->op))
		return verify_fail(v, "%s takes no address space", op_info[i->op].name);
	if (op_has_space(i->op) && (i->space >= SPACE_COUNT || i->space == 2))
		return verify_fail(v, "there is no address space %u", i->space);
	static const u32 limit[] = {[AUX_NONE] = 1,
	                            [AUX_ATOMIC] = ATOMIC_COUNT,
	                            [AUX_QUERY] = QUERY_COUNT,
	                            [AUX_SPACE] = SPACE_COUNT,
	                            [AUX_NUMBER] = 4,
	                            [AUX_ALIGN] = 6,
	                            [AUX_FOLD] = FOLD_COUNT};
	AuxKind aux = op_aux(i->op);
	if (i->aux >= limit[aux] || (aux == AUX_SPACE && i->aux == 2))
		return verify_fail(v, "its aux %u is out of range", i->aux);
	return true;
}

static bool want(Verifier *v, u32 r, Type t, const char *what)
{
	if (type(v, r) == t)
		return true;
	return verify_fail(v, "%s must have type %s, not %s", what, type_name[t], type_name[type(v, r)]);
}

static bool want_int(Verifier *v, u32 r, const char *what) /* i32 or i64 */
{
	if (type(v, r) == T_i32 || type(v, r) == T_i64)
		return true;
	return verify_fail(v, "%s must have type i32 or i64, not %s", what, type_name[type(v, r)]);
}

static bool want_address(Verifier *v, u32 r, u32 space, const char *what)
{
	return want(v, r, space == SPACE_LDS || space == SPACE_PRIVATE ? T_i32 : T_i64, what);
}

static bool want_vector(Verifier *v, u32 r, const char *what)
{
	return is_vector(v, r) ? true : verify_fail(v, "%s must be a vector register", what);
}

static bool want_same(Verifier *v, const u32 *r, u32 n, Type t, const char *what)
{
	for (u32 k = 0; k < n; k++)
		if (!want(v, r[k], t, what))
			return false;
	return true;
}

/* A scalar result cannot come from a vector operand. */
static bool scalar_rule(Verifier *v, const Ins *i)
{
	const u32 *dst = ins_dst(v->p, i), *src = ins_src(v->p, i);
	bool scalar = false;
	for (u32 k = 0; k < i->ndst; k++)
		scalar |= !is_vector(v, dst[k]);
	for (u32 k = 0; k < i->nsrc && scalar; k++)
		if (is_vector(v, src[k]))
			return verify_fail(v,
			                   "a scalar result needs scalar operands, but v%u is a vector "
			                   "register",
			                   src[k]);
	return true;
}

static bool lane_op(Verifier *v, const Ins *i)
{
	static const char *const what[] = {"a", "b", "c"};
	const OpInfo *info = &op_info[i->op];
	if (!want(v, ins_dst(v->p, i)[0], info->type[0], "the result"))
		return false;
	for (u32 k = 0; k < info->lane; k++)
		if (!want(v, ins_src(v->p, i)[k], info->type[k + 1], what[k]))
			return false;
	return scalar_rule(v, i);
}

/* ---- memory ---- */

static bool elements(Verifier *v, const u32 *r, u32 n)
{
	if (!n)
		return verify_fail(v, "it moves nothing");
	if (type(v, r[0]) == T_b1)
		return verify_fail(v, "there is no b1 in memory");
	if (n * type_bytes[type(v, r[0])] > LARGEST_ACCESS)
		return verify_fail(v, "it moves %u bytes of a lane, more than %d", n * type_bytes[type(v, r[0])],
		                   LARGEST_ACCESS);
	return want_same(v, r, n, type(v, r[0]), "every element");
}

static bool has_address(Verifier *v, const Ins *i)
{
	if (!i->nsrc)
		return verify_fail(v, "it has no address");
	return want_address(v, ins_src(v->p, i)[0], i->space, "the address");
}

static bool verify_ld(Verifier *v, const Ins *i)
{
	const u32 *dst = ins_dst(v->p, i);
	if (!has_address(v, i))
		return false;
	if (i->ndst && i->space == SPACE_PRIVATE && !is_vector(v, dst[0]))
		return verify_fail(v, "private memory differs by lane; the result must be a vector register");
	return elements(v, dst, i->ndst) && scalar_rule(v, i);
}

static bool verify_st(Verifier *v, const Ins *i)
{
	return has_address(v, i) && elements(v, ins_src(v->p, i) + 1, i->nsrc - 1u);
}

static bool atomic_op(Verifier *v, const Ins *i, bool ints, bool floats)
{
	Type t = type(v, ins_dst(v->p, i)[0]);
	if (!has_address(v, i))
		return false;
	if (!((ints && is_int(t)) || (floats && type_is_float(t))) || t == T_i128)
		return verify_fail(v, "there is no such atomic operation on %s", type_name[t]);
	return want_same(v, ins_src(v->p, i) + 1, i->nsrc - 1u, t, "a value of an atomic operation") &&
	       want_vector(v, ins_dst(v->p, i)[0], "the result of an atomic operation");
}

static bool verify_atomic(Verifier *v, const Ins *i)
{
	bool floats = atomic_is_float((AtomicOp)i->aux);
	return atomic_op(v, i, !floats, floats || i->aux == ATOMIC_xchg);
}

static bool verify_cas(Verifier *v, const Ins *i) { return atomic_op(v, i, true, false); }

static bool verify_copy(Verifier *v, const Ins *i)
{
	const u32 *src = ins_src(v->p, i);
	return has_address(v, i) && want_address(v, src[1], i->aux, "the address copied from") &&
	       want_int(v, src[2], "the number of bytes");
}

static bool verify_fill(Verifier *v, const Ins *i)
{
	const u32 *src = ins_src(v->p, i);
	return has_address(v, i) && want(v, src[1], T_i8, "the byte") && want_int(v, src[2], "the number of bytes");
}

static bool verify_within(Verifier *v, const Ins *i)
{
	const u32 *src = ins_src(v->p, i);
	if (i->imm < -3)
		return verify_fail(v, "k is -3 or more, not %" PRId64, i->imm);
	if (v->p->regs.v[src[3]].kind == REG_VECTOR)
		return verify_fail(v, "the offset differs by lane");
	return want_int(v, src[0], "the index") && want(v, src[1], type(v, src[0]), "the number of elements") &&
	       want_address(v, src[2], i->space, "the address") && want(v, src[3], T_i64, "the offset");
}

static bool verify_undef(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }
static bool verify_fence(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }

/* ---- choice, copies, addresses, across lanes ---- */

/* skip: operands before the components. */
static bool choose(Verifier *v, const Ins *i, u32 skip, u32 components)
{
	const u32 *dst = ins_dst(v->p, i), *src = ins_src(v->p, i);
	if (i->nsrc <= skip || !i->ndst || i->nsrc != skip + components)
		return verify_fail(v, "the number of components does not fit");
	Type t = type(v, dst[0]);
	if (i->ndst * type_bytes[t] > LARGEST_ACCESS)
		return verify_fail(v, "its components have %u bytes, more than %d", i->ndst * type_bytes[t],
		                   LARGEST_ACCESS);
	return want_int(v, src[0], "the index") && want_same(v, dst, i->ndst, t, "every component") &&
	       want_same(v, src + 1, i->nsrc - 1u, t, "every component") && scalar_rule(v, i);
}
static bool verify_pick(Verifier *v, const Ins *i) { return choose(v, i, 1, i->nsrc - 1u); }
static bool verify_poke(Verifier *v, const Ins *i) { return choose(v, i, 2, i->ndst); }

static bool convert_address(Verifier *v, const Ins *i, Type to, Type from)
{
	return want(v, ins_dst(v->p, i)[0], to, "the result") && want(v, ins_src(v->p, i)[0], from, "a") &&
	       scalar_rule(v, i);
}
static bool verify_tolds(Verifier *v, const Ins *i) { return convert_address(v, i, T_i32, T_i64); }
static bool verify_topriv(Verifier *v, const Ins *i) { return convert_address(v, i, T_i32, T_i64); }
static bool verify_toflat(Verifier *v, const Ins *i)
{
	if (i->space != SPACE_LDS && i->space != SPACE_PRIVATE)
		return verify_fail(v, "toflat takes an LDS or private address");
	return convert_address(v, i, T_i64, T_i32);
}

static bool want_scalar_result(Verifier *v, const Ins *i)
{
	if (is_vector(v, ins_dst(v->p, i)[0]))
		return verify_fail(v, "the result must be a scalar register");
	return true;
}

static bool verify_ballot(Verifier *v, const Ins *i)
{
	u32 d = ins_dst(v->p, i)[0];
	if (type(v, d) != T_i128 && type(v, d) != T_i32 && type(v, d) != T_i64)
		return verify_fail(v, "the result must have type i32, i64 or i128, not %s", type_name[type(v, d)]);
	return want_scalar_result(v, i) && want(v, ins_src(v->p, i)[0], T_b1, "the condition");
}

static bool verify_readfirst(Verifier *v, const Ins *i)
{
	return want_scalar_result(v, i) && want(v, ins_dst(v->p, i)[0], type(v, ins_src(v->p, i)[0]), "the result");
}

static bool want_flag(Verifier *v, const Ins *i)
{
	return i->imm == 0 || i->imm == 1 ? true : verify_fail(v, "k is 0 or 1, not %" PRId64, i->imm);
}

static bool verify_readlane(Verifier *v, const Ins *i)
{
	u32 index = ins_src(v->p, i)[1];
	if (!verify_readfirst(v, i) || !want_flag(v, i))
		return false;
	if (is_vector(v, index))
		return verify_fail(v, "the index must be scalar");
	return want(v, index, T_i32, "the index");
}

static bool verify_bpermute(Verifier *v, const Ins *i)
{
	const u32 d = ins_dst(v->p, i)[0], *src = ins_src(v->p, i);
	return want(v, src[0], T_i32, "the index") && want(v, d, type(v, src[1]), "the result") &&
	       want_vector(v, d, "the result") && want_flag(v, i);
}

static bool folds(Verifier *v, const Ins *i)
{
	Type t = type(v, ins_src(v->p, i)[0]);
	if (fold_op(i->aux, t) == OP_COUNT)
		return verify_fail(v, "there is no %s of %s", fold_name[i->aux], type_name[t]);
	return want(v, ins_dst(v->p, i)[0], t, "the result");
}

static bool verify_reduce(Verifier *v, const Ins *i)
{
	if (i->imm < 0 || i->imm > MAX_WAVE || (i->imm & (i->imm - 1)))
		return verify_fail(v, "k is a power of two up to %d, or 0, not %" PRId64, MAX_WAVE, i->imm);
	return folds(v, i) && (i->imm ? want_vector(v, ins_dst(v->p, i)[0], "the result") : want_scalar_result(v, i));
}

static bool verify_scan(Verifier *v, const Ins *i)
{
	return folds(v, i) && want_vector(v, ins_dst(v->p, i)[0], "the result") && want_flag(v, i);
}

static bool verify_matrix(Verifier *v, const Ins *i)
{
	const u32 *d = ins_dst(v->p, i), *s = ins_src(v->p, i);
	if (i->imm < 0 || i->imm >= MATRIX_COUNT)
		return verify_fail(v, "k is a shape of isa/matrix.def, below %d, not %" PRId64, MATRIX_COUNT, i->imm);
	const MatrixShape *x = &matrix_shape[i->imm];
	u32 n = matrix_results(x), in = 0;
	if (i->ndst != n || i->nsrc <= n || (i->nsrc - n) % 2)
		return verify_fail(v, "%s has %u results, and as many operands behind a and b", x->name, n);
	for (u32 k = 0; k < n; k++)
		if (!want(v, d[k], matrix_result_type(x), "a result") || !want_vector(v, d[k], "a result") ||
		    !want(v, s[i->nsrc - n + k], matrix_result_type(x), "a sum"))
			return false;
	u32 each = (i->nsrc - n) / 2, bytes = matrix_elements(x) * matrix_element_bytes(x);
	for (u32 k = 0; k < 2 * each; k++) {
		in += type_bytes[type(v, s[k])];
		if ((k + 1) % each == 0 && in != bytes)
			return verify_fail(v, "a and b of %s have %u bytes each, not %u", x->name, bytes, in);
		in = (k + 1) % each ? in : 0;
	}
	return true;
}

static bool verify_wave_barrier(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }
static bool verify_whole(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }

/* ---- flow ---- */

static bool targets(Verifier *v, const Ins *i)
{
	const Func *fn = &v->p->funcs.v[v->func];
	u32 n = i->op == OP_jmp || ins_calls(i) ? 1 : i->op == OP_br ? 2 : 0;
	if (i->op == OP_switch ? !i->ntgt : i->ntgt != n)
		return verify_fail(v, "%s does not take %u targets", op_info[i->op].name, i->ntgt);
	for (u32 k = 0; k < i->ntgt && !ins_calls(i); k++) {
		u32 t = ins_tgt(v->p, i)[k];
		if (t < fn->first_block || t - fn->first_block >= fn->nblocks)
			return verify_fail(v, "block %u is not in this function", t);
	}
	return true;
}

static bool verify_jmp(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }
static bool verify_unreachable(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }

static bool verify_br(Verifier *v, const Ins *i) { return want(v, ins_src(v->p, i)[0], T_b1, "the condition"); }

static bool verify_switch(Verifier *v, const Ins *i)
{
	Type t = type(v, ins_src(v->p, i)[0]);
	if (!is_int(t) || t == T_i128)
		return verify_fail(v, "a switch cannot be over %s", type_name[t]);
	u32 n = i->ntgt - 1u;
	if ((u64)i->cases + n > v->p->cases.n)
		return verify_fail(v, "its cases are outside the case table");
	u64 *c = xmalloc(sizeof *c * n), same = 0;
	u32 shift = 64 - 8u * type_bytes[t];
	for (u32 k = 0; k < n; k++)
		c[k] = (u64)v->p->cases.v[i->cases + k] << shift;
	qsort(c, n, sizeof *c, by_u64);
	for (u32 k = 1; k < n; k++)
		same += c[k] == c[k - 1];
	free(c);
	return same ? verify_fail(v, "two of its cases are equal") : true;
}

static bool pass(Verifier *v, u32 to, u32 from, const char *what)
{
	if (!want(v, from, type(v, to), what))
		return false;
	if (!is_vector(v, to) && is_vector(v, from))
		return verify_fail(v, "%s goes from a vector register into scalar register %u", what, to);
	return true;
}

static bool verify_mov(Verifier *v, const Ins *i) { return pass(v, ins_dst(v->p, i)[0], ins_src(v->p, i)[0], "a"); }

static bool verify_ret(Verifier *v, const Ins *i)
{
	const Func *fn = &v->p->funcs.v[v->func];
	if (i->nsrc != fn->nresults)
		return verify_fail(v, "the function has %u results", fn->nresults);
	for (u32 k = 0; k < i->nsrc; k++)
		if (!pass(v, v->p->opnds.v[fn->results + k], ins_src(v->p, i)[k], "a result"))
			return false;
	return true;
}

static bool verify_call(Verifier *v, const Ins *i)
{
	u32 f = ins_tgt(v->p, i)[0];
	if (f >= v->p->funcs.n || f == 0)
		return verify_fail(v, "there is no function %u to call", f);
	const Func *fn = &v->p->funcs.v[f];
	if (fn->image != (i->op == OP_image))
		return verify_fail(v, "function %u is %s", f, fn->image ? "a texture unit's" : "no texture unit's");
	if (v->p->funcs.v[v->func].image)
		return verify_fail(v, "a texture unit's function calls function %u", f);
	if (i->nsrc != fn->nparams || i->ndst != fn->nresults)
		return verify_fail(v, "function %u has %u parameters and %u results", f, fn->nparams, fn->nresults);
	for (u32 k = 0; k < i->nsrc; k++)
		if (!pass(v, v->p->opnds.v[fn->params + k], ins_src(v->p, i)[k], "an argument"))
			return false;
	for (u32 k = 0; k < i->ndst; k++)
		if (!pass(v, ins_dst(v->p, i)[k], v->p->opnds.v[fn->results + k], "a result"))
			return false;
	return true;
}

static bool verify_image(Verifier *v, const Ins *i)
{
	if (i->aux > IMAGE_FETCH)
		return verify_fail(v, "its aux %u is out of range", i->aux);
	return verify_call(v, i);
}

/* ---- launch ---- */

static bool verify_barrier(Verifier *v, const Ins *i) { return (void)v, (void)i, true; }

static bool verify_query(Verifier *v, const Ins *i)
{
	u32 d = ins_dst(v->p, i)[0];
	if (!want(v, d, query_type(i->aux), "the result"))
		return false;
	if (is_vector(v, d) != query_is_vector(i->aux))
		return verify_fail(v, "the result of query.%s must be a %s register", query_name[i->aux],
		                   query_is_vector(i->aux) ? "vector" : "scalar");
	return true;
}

static bool verify_failed(Verifier *v, const Ins *i)
{
	return (i->imm >= 0 && i->imm < v->p->formats.n) ||
	       verify_fail(v, "there is no format %lld", (long long)i->imm);
}

static bool verify_printf(Verifier *v, const Ins *i)
{
	return verify_failed(v, i) && want(v, ins_dst(v->p, i)[0], T_i32, "the result");
}

static bool verify_async_copy(Verifier *v, const Ins *i)
{
	const u32 *src = ins_src(v->p, i);
	if (i->nsrc != 5)
		return verify_fail(v, "async_copy takes 5 operands, not %u", i->nsrc);
	if (i->aux > (COPY_TO_GLOBAL | COPY_BY_CODE))
		return verify_fail(v, "its aux %u is out of range", i->aux);
	if (i->imm < 1 || i->imm > LARGEST_ACCESS)
		return verify_fail(v, "elements have 1 to %d bytes, not %" PRId64, LARGEST_ACCESS, i->imm);
	return want(v, ins_dst(v->p, i)[0], T_i64, "the event") && want_int(v, src[0], "the address copied to") &&
	       want_int(v, src[1], "the address copied from") && want_int(v, src[2], "the number of elements") &&
	       want_int(v, src[3], "the stride");
}

static bool verify_async_copied(Verifier *v, const Ins *i)
{
	(void)v;
	(void)i;
	return true;
}

static bool verify_async_wait(Verifier *v, const Ins *i)
{
	const u32 *src = ins_src(v->p, i);
	if (i->aux > WAIT_VALUES)
		return verify_fail(v, "its aux %u is out of range", i->aux);
	for (u32 k = 0; i->aux == WAIT_VALUES && k < i->nsrc; k++)
		if (!want(v, src[k], T_i64, "an event"))
			return false;
	if (i->aux == WAIT_VALUES)
		return true;
	if (i->nsrc != 2)
		return verify_fail(v, "async_wait takes 2 operands, not %u", i->nsrc);
	return want_int(v, src[0], "the number of events") && want_int(v, src[1], "the address of the events");
}

bool verify_ins(Verifier *v, const Ins *i)
{
	static bool (*const check[OP_COUNT])(Verifier *, const Ins *) = {
#define UN(name, ...) [OP_##name] = lane_op,
#define BIN UN
#define TER UN
#define OP(name, ...) [OP_##name] = verify_##name,
#include "isa/ops.def"
	};
	return counts(v, i) && fields(v, i) && targets(v, i) && check[i->op](v, i);
}
