/* Picks the widest lane operations that this host can run. */
#include "sim/wave.h"

extern const LaneKit lane_kit_base;
#if defined(__x86_64__)
extern const LaneKit lane_kit_v3, lane_kit_v4;
#endif

const LaneKit *lane_kit(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	          __builtin_cpu_supports("bmi2");
	if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512cd"))
		return &lane_kit_v4;
	if (v3)
		return &lane_kit_v3;
#endif
	return &lane_kit_base;
}
