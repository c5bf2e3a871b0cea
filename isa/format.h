/* A conversion of printf's format, as OpenCL C has them. */
#ifndef WAVESIM_FORMAT_H
#define WAVESIM_FORMAT_H

#include "base/base.h"

typedef struct FormatSpec {
	char flags[8];
	char width[12], precision[12];
	u32 vector;    /* components, or 1 */
	char length[4];
	char conv;
	const char *end; /* what follows it */
} FormatSpec;

/* What is behind a '%'; false: no conversion. */
bool format_spec(const char *f, FormatSpec *s);
bool format_is_float(const FormatSpec *s);

#endif
