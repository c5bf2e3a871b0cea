/* The environment of our own OpenCL calls: what drivers and layers read there when they are loaded. */
#ifndef WAVESIM_OPENCL_HOST_H
#define WAVESIM_OPENCL_HOST_H

/* Call before the first OpenCL function, while there is one thread. Our own launches are not recorded, even
 * where WAVESIM_RECORD is set. Where /sys does not show the processors (sandboxes, some containers), PoCL
 * would take the machine for one without memory and end the process; unless HWLOC_SYNTHETIC is set, it
 * tells PoCL of them. */
void opencl_host_prepare(void);

#endif
