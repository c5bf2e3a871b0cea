/* Findings that a user wants to hear no more of (--suppress FILE). A line of the file is
 *
 *   FINDING[/CLASS] [FILE[:LINE]]      # the rest is a comment
 *
 * with the wildcards of the shell: `data_race kernel.cl:12`, `api_misuse/leaked *`, `* old_*.cl`. FILE is the end of a
 * path; of a finding with two accesses either may match. */
#ifndef WAVESIM_SUPPRESS_H
#define WAVESIM_SUPPRESS_H

#include "base/diag.h"
#include "engine/result.h"

typedef struct Suppression {
	const char *what, *where; /* patterns; where NULL: anywhere */
	u32 line;                 /* of the file of suppressions */
	u64 used;                 /* findings that it took out, of all results */
} Suppression;

typedef struct Suppressions {
	const char *path;
	Suppression *v;
	u32 n;
} Suppressions;

/* In the arena; NULL: d says why. */
Suppressions *suppress_read(const char *path, Loc loc, Arena *a, Diag *d);
/* Take them out of the result. */
void suppress_findings(Suppressions *s, Result *r);
/* Say which took nothing out. */
void suppress_note_unused(const Suppressions *s, Diag *d);

#endif
