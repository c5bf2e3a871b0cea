/* Stamps one function for each lane operation of ops.def and each way its
 * operands can be scalar. A file that includes this picks the operations by
 * result type, so that the work of compiling is spread: it defines LANES_FILE
 * and, for every type T, SEL_T(x) as x or as nothing.
 *
 * These files are compiled once for each instruction-set level of the host; the
 * Makefile sets LANE_SUFFIX to base, v3 or v4 (lane_kit.c picks one at run time). */
#include "isa/lane.h"
#include "sim/lane_level.h"

#define ROW(T, offset) ((LT_##T *)(void *)(w->r + (offset)))

#define EACH_LANE(body) \
	if (w->n == USUAL_LANES) { \
		INDEPENDENT for (size_t l = 0; l < USUAL_LANES; l++) { body } \
	} else { \
		for (size_t run = 0, n = w->n; run < n; run += LANE_CHUNK) { \
			INDEPENDENT for (size_t i = 0; i < LANE_CHUNK; i++) \
			{ \
				const size_t l = run + i; \
				body \
			} \
		} \
	}

#define UN_FN(name, variant, D, A, expr, AS) \
	static const Step *name##variant(Wave *w, const Step *s) \
	{ \
		const i64 k = s->k; \
		LT_##D *dst = ROW(D, s->d); \
		const LT_##A *pa = ROW(A, s->a); \
		const LT_##A a0 = pa[0]; \
		EACH_LANE(const LT_##A a = AS ? a0 : pa[l]; dst[l] = (LT_##D)(expr);) \
		(void)k; \
		return next_step(w, s); \
	}
#define BIN_FN(name, variant, D, A, B, expr, AS, BS) \
	static const Step *name##variant(Wave *w, const Step *s) \
	{ \
		const i64 k = s->k; \
		LT_##D *dst = ROW(D, s->d); \
		const LT_##A *pa = ROW(A, s->a); \
		const LT_##B *pb = ROW(B, s->b); \
		const LT_##A a0 = pa[0]; \
		const LT_##B b0 = pb[0]; \
		EACH_LANE(const LT_##A a = AS ? a0 : pa[l]; const LT_##B b = BS ? b0 : pb[l]; \
		          dst[l] = (LT_##D)(expr);) \
		(void)k; \
		return next_step(w, s); \
	}
#define TER_FN(name, variant, D, A, B, C, expr, AS, BS, CS) \
	static const Step *name##variant(Wave *w, const Step *s) \
	{ \
		LT_##D *dst = ROW(D, s->d); \
		const LT_##A *pa = ROW(A, s->a); \
		const LT_##B *pb = ROW(B, s->b); \
		const LT_##C *pc = ROW(C, s->c); \
		const LT_##A a0 = pa[0]; \
		const LT_##B b0 = pb[0]; \
		const LT_##C c0 = pc[0]; \
		EACH_LANE(const LT_##A a = AS ? a0 : pa[l]; const LT_##B b = BS ? b0 : pb[l]; \
		          const LT_##C c = CS ? c0 : pc[l]; dst[l] = (LT_##D)(expr);) \
		return next_step(w, s); \
	}
#define ONE_FN(name, D, A, B, C, expr) \
	static const Step *name##_one(Wave *w, const Step *s) \
	{ \
		const i64 k = s->k; \
		const LT_##A a = *ROW(A, s->a); \
		const LT_##B b = *ROW(B, s->b); \
		const LT_##C c = *ROW(C, s->c); \
		*ROW(D, s->d) = (LT_##D)(expr); \
		(void)k, (void)a, (void)b, (void)c; \
		return next_step(w, s); \
	}

#define UN(name, D, A, unit, expr, doc) \
	SEL_##D(UN_FN(name, _v, D, A, expr, 0) UN_FN(name, _s, D, A, expr, 1) ONE_FN(name, D, A, A, A, expr))
#define BIN(name, D, A, B, unit, expr, doc) \
	SEL_##D(BIN_FN(name, _vv, D, A, B, expr, 0, 0) BIN_FN(name, _sv, D, A, B, expr, 1, 0) \
	        BIN_FN(name, _vs, D, A, B, expr, 0, 1) BIN_FN(name, _ss, D, A, B, expr, 1, 1) \
	        ONE_FN(name, D, A, B, B, expr))
#define TER(name, D, A, B, C, unit, expr, doc) \
	SEL_##D(TER_FN(name, _vvv, D, A, B, C, expr, 0, 0, 0) TER_FN(name, _svv, D, A, B, C, expr, 1, 0, 0) \
	        TER_FN(name, _vsv, D, A, B, C, expr, 0, 1, 0) TER_FN(name, _ssv, D, A, B, C, expr, 1, 1, 0) \
	        TER_FN(name, _vvs, D, A, B, C, expr, 0, 0, 1) TER_FN(name, _svs, D, A, B, C, expr, 1, 0, 1) \
	        TER_FN(name, _vss, D, A, B, C, expr, 0, 1, 1) TER_FN(name, _sss, D, A, B, C, expr, 1, 1, 1) \
	        ONE_FN(name, D, A, B, C, expr))
#include "isa/ops.def"

#define UN(name, D, A, unit, expr, doc) SEL_##D([OP_##name] = {name##_v, name##_s, [ALL_SCALAR] = name##_one},)
#define BIN(name, D, A, B, unit, expr, doc) \
	SEL_##D([OP_##name] = {name##_vv, name##_sv, name##_vs, name##_ss, [ALL_SCALAR] = name##_one},)
#define TER(name, D, A, B, C, unit, expr, doc) \
	SEL_##D([OP_##name] = {name##_vvv, name##_svv, name##_vsv, name##_ssv, name##_vvs, name##_svs, \
	                       name##_vss, name##_sss, name##_one},)
extern StepFn *const LEVEL(LANES_FILE)[OP_COUNT][VARIANTS];
StepFn *const LEVEL(LANES_FILE)[OP_COUNT][VARIANTS] = {
#include "isa/ops.def"
};
