/* A roofline: what the lanes of a launch compute, what each level of memory moves for it, and how much of either the
 * device could do in the time.
 *
 * Operations are those of machine instructions, by the lanes that were active: an addition is one, a fused multiply-add
 * two, rcp, sin … one. Bytes are those that levels move: whole cache lines between L1 and the lanes, in LDS what the
 * banks give in cycles without conflicts. Peaks are at the device's usual clock, that of DRAM what streaming reaches.
 */
#ifndef WAVESIM_ROOFLINE_H
#define WAVESIM_ROOFLINE_H

#include "models/timing/estimate.h"

#define ROOF_OPS(X) \
	X(f16, "half-precision operations") \
	X(f32, "single-precision operations") \
	X(f64, "double-precision operations") \
	X(integer, "integer operations, logic, comparisons and moves of vector units")
#define X_ROOF_OP(name, doc) ROOF_##name,
typedef enum { ROOF_OPS(X_ROOF_OP) ROOF_OP_COUNT } RoofOp;
extern const char *const roof_op_name[ROOF_OP_COUNT];

typedef struct Roofline {
	const char *missing;   /* why there is none, or NULL: all below is valid */
	double ops[ROOF_OP_COUNT];
	double peak_gops[ROOF_OP_COUNT]; /* 10^9 a second, by vector instructions … */
	double matrix_gops[ROOF_OP_COUNT]; /* … and by matrix instructions; 0: there are none */
	MemoryUse level;                /* bytes 0: the level moved nothing, or there is none */
	double peak_gbs[LEVEL_COUNT];    /* 10^9 bytes a second; 0: not known, or there is no such level */
	bool matrix; /* there are matrix instructions, which are not in ops */
} Roofline;

/* What one line of assembly computes for a lane; of a bundle or a pair of operations all. False: no arithmetic. */
bool roofline_ops(const char *text, double ops[ROOF_OP_COUNT]);
/* requires the text of the instructions (MachineCode.listing) */
const Roofline *roofline(const Device *dev, const MachineCode *c, const MachineRun *run, const Profile *prof,
                         const Estimate *e, Arena *a);

#endif
