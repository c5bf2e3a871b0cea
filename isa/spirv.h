/* What is asked of a SPIR-V module without reading all of it. */
#ifndef WAVESIM_SPIRV_H
#define WAVESIM_SPIRV_H

#include "base/base.h"

/* Does it begin as a module does, in either order of bytes? */
bool is_spirv(const void *bytes, size_t size);
/* A copy without lines and the instructions of debug information, of which no other depends; free() it. NULL: it is no
 * module in this machine's order of bytes, or damaged. */
u8 *spirv_without_debug(const void *bytes, size_t size, size_t *n);

#endif
