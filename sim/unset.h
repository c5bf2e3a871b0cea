/* What the files of uninitialised values share (check_unset.h):
 *
 *   check_unset.c  registers, the steps that follow them, accesses of one lane, and what is reported
 *   unset_wave.c   accesses of a wavefront */
#ifndef WAVESIM_SIM_UNSET_H
#define WAVESIM_SIM_UNSET_H

#include "sim/check_unset.h"

/* Where a wavefront read such a value for the first time. */
typedef struct UnsetOrigin {
	u32 ins, lane;
	char *name;
	bool absent; /* of a lane that is not there */
} UnsetOrigin;
typedef ARRAY(UnsetOrigin) UnsetOrigins;

struct UnsetCheck {
	const Worker *wk;
	bool follow, seen;
	bool lost; /* unset_stored(): what is loaded there is not followed */
	u8 *lds; /* a byte for each, or where nothing smaller is accessed for each dword: 1, it was written; or NULL */
	u32 lds_shift;
	u8 **segs; /* the same of buffers without contents; NULL: of others, or of what race_knows_unset() */
	UnsetOrigins *origins; /* of each wavefront of the group; [0] of them is unused */
};

static inline Mask *unset(Wave *w, u32 offset) { return &w->unset[offset / 16].lanes; }
static inline u32 *origin(Wave *w, u32 offset) { return &w->unset[offset / 16].origin; }

/* Of a value that instruction ins reads now; without a name where it is new. */
UnsetOrigin *unset_origin_at(Wave *w, u32 ins, u32 lane, u32 *from);
/* The place as the source names it. */
char *unset_name(const Wave *w, const Place *p, u32 bytes);
/* A finding: of these lanes. how: what depends on the value. */
void unset_matters(Wave *w, u32 ins, Mask lanes, u32 from, const char *how);

#endif
