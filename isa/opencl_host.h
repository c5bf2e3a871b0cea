/* What OpenCL drivers of the CPU need of the host's environment. */
#ifndef WAVESIM_OPENCL_HOST_H
#define WAVESIM_OPENCL_HOST_H

/* Own runs are not recorded. Call before the first OpenCL function, while there is one thread. Where /sys does not show the
 * processors (sandboxes, some containers), PoCL would take the machine for one without memory
 * and end the process; it is told of them through HWLOC_SYNTHETIC then, unless that is set. */
void opencl_host_prepare(void);

#endif
