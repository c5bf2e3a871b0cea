/* What the files of HIP's row share (private to frontend/source/hip/). */
#ifndef WAVESIM_FRONTEND_HIP_H
#define WAVESIM_FRONTEND_HIP_H

#include "base/temp.h"
#include "frontend/source/tool.h"

/* Below which folder HIP's headers are, and of which version they are. NULL: nowhere. */
const char *hip_headers(Arena *a, const char **version, MadeOf *tried);

/* For a file whose name ends in .cu, the options with which its names are HIP's: headers under CUDA's names, in a new
 * temporary folder, and macros for the names of the run time, whose headers are below root. For others none, and folder
 * is "". False: the folder cannot be made. */
bool hip_cuda_options(const char *path, const char *text, const char *root, char folder[TEMP_PATH], ToolWords *words,
                      Arena *a);

#endif
