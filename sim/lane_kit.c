/* The lane operations that this host can run. */
#include "sim/wave.h"

extern const LaneKit lane_kit_base;
#if defined(__x86_64__)
extern const LaneKit lane_kit_v3, lane_kit_v4;
#endif

u32 lane_kits(const LaneKit *kits[LANE_KITS])
{
	u32 n = 0;
	kits[n++] = &lane_kit_base;
#if defined(__x86_64__)
	__builtin_cpu_init();
	bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	          __builtin_cpu_supports("bmi2");
	if (v3)
		kits[n++] = &lane_kit_v3;
	if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512cd"))
		kits[n++] = &lane_kit_v4;
#endif
	return n;
}

const LaneKit *lane_kit(void)
{
	const LaneKit *kits[LANE_KITS];
	return kits[lane_kits(kits) - 1];
}
