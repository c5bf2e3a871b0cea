/* What a kernel takes of a device, as parts of a Result: its machine code and how often that ran, and how
 * many wavefronts fit. */
#ifndef WAVESIM_RESOURCES_H
#define WAVESIM_RESOURCES_H

#include "models/device/occupancy.h"
#include "models/timing/machine.h"
#include "models/timing/r600.h"

/* Machine code: what the device's compiler made of the kernel, and how often its instructions ran. */
typedef struct MachineResult {
	const MachineRun *run; /* NULL: nothing known */
	const char *missing;   /* then the reason */
	const char *cpu, *stands_for, *left_out; /* as in MachineCode */
	u64 code_bytes;
	u32 code_instructions, vgpr_spills, sgpr_spills;
	u64 lds_widths[2][17]; /* executed LDS instructions by [pairs][bytes of a lane] */
} MachineResult;

/* Machine code of a VLIW chip: what AMD's KernelAnalyzer printed of a kernel. */
typedef struct R600Result {
	const R600Code *code; /* without its steps; NULL: nothing known */
	const char *missing;  /* then the reason */
	u32 vliw_slots;
	R600Rate best, all;
} R600Result;

enum { OCC_CURVES = 3 };
extern const OccLimiter occ_curve_over[OCC_CURVES]; /* vgprs, lds, group_size */

/* The occupancy of a launch, and what `wavesim occupancy` shows alone. */
typedef struct OccResult {
	const char *device;
	u32 simds_per_cu, compute_units; /* of it */
	const char *file, *kernel, *source; /* NULL when the numbers came from the command line */
	const R600Result *r600; /* NULL: not a chip of LLVM's r600 back end */
	Occupancy o;
	double held; /* wavefronts on a SIMD (or compute unit, where it has one SIMD), on average over the time; 0: not
	                known */
	const char *next; /* what gives more, as text, or "" */
	OccStep *curve[OCC_CURVES];
	u32 ncurve[OCC_CURVES];
} OccResult;

/* Results of these point at nothing but the arena. code may be NULL (no compiler ran). */
void machine_result_build(MachineResult *m, const MachineCode *code, const Program *p,
                          const Profile *prof, Arena *a);
/* The counts of a source line (line 0: of code without one), or NULL. */
const u64 *machine_result_line(const MachineResult *m, u32 file, u32 line);
const R600Result *r600_result_build(const R600Code *c, const Device *dev, Arena *a);
void occ_result_build(OccResult *r, const Device *dev, const OccInput *in, Arena *a);

#endif
