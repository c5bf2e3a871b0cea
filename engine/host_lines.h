/* Lines of a host program, from addresses in its files: by their debug information (DWARF), where they have it. */
#ifndef WAVESIM_HOST_LINES_H
#define WAVESIM_HOST_LINES_H

#include "base/base.h"

typedef struct HostLines HostLines;
HostLines *host_lines_new(void);
void host_lines_free(HostLines *h);
/* The line of an address as the ELF file counts. False: nobody knows. *source is h's. */
bool host_line(HostLines *h, const char *file, u64 address, const char **source, u32 *line);

#endif
