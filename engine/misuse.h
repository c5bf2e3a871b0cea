/* Misuse of OpenCL that launch files hold (traces/capture/capture.h), as findings. */
#ifndef WAVESIM_MISUSE_H
#define WAVESIM_MISUSE_H

#include "engine/result.h"
#include "traces/capture/capture.h"

/* Those of n files at the end of r's findings. Lines are told for programs that have just run here (CapFile.own). */
void misuse_add(Result *r, const struct CapFile *const *files, u32 n);

#endif
