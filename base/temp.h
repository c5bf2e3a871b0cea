/* Temporary folders. */
#ifndef WAVESIM_TEMP_H
#define WAVESIM_TEMP_H

#include "base/diag.h"

enum { TEMP_PATH = 4096 };

/* Make a new folder under $TMPDIR, or /tmp. path: its name, or on false the one that was tried. */
bool temp_make(char path[TEMP_PATH]);
/* The error that it could not be made, right after; false. */
bool temp_error(const char *path, Diag *d);
/* Remove it with everything in it. */
void temp_remove(const char *path);

#endif
