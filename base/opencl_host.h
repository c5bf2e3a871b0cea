/* What our own OpenCL calls need beside OpenCL: an environment that drivers and layers read when they are loaded, and
 * names of errors. */
#ifndef WAVESIM_OPENCL_HOST_H
#define WAVESIM_OPENCL_HOST_H

/* Call before the first OpenCL function, while there is one thread. Our own launches are not recorded, even
 * where WAVESIM_RECORD is set. Where /sys does not show the processors (sandboxes, some containers), PoCL
 * would take the machine for one without memory and end the process; unless HWLOC_SYNTHETIC is set, it
 * tells PoCL of them. */
void opencl_host_prepare(void);
/* The name of an error of OpenCL (cl.h, version 3.0): "CL_INVALID_VALUE". */
const char *opencl_error(int code);

#endif
