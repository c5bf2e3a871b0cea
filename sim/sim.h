/* The wave machine: runs a Program for a launch and counts.
 *
 * Work-groups run in order, or over threads as if in order; the wavefronts of a
 * group are switched at barriers. The result is the same for any number of threads:
 * when one work-group accesses what another one writes, the launch runs again on
 * one thread (access_sets.h). */
#ifndef WAVESIM_SIM_H
#define WAVESIM_SIM_H

#include "base/stop.h"
#include "isa/isa.h"
#include "models/device/lds_rule.h"
#include "isa/profile.h"

/* What a buffer that is an image has in rows of width texels of so many bytes, height of them in a slice. texel 0: it
 * is none. */
typedef struct SimImage {
	u32 texel, width, height;
} SimImage;

/* A global-memory object of the launch; bytes belong to the caller and are
 * changed in place. */
typedef struct SimBuffer {
	u8 *data;
	u64 size; /* bytes, below 2^40 */
	const char *name;
	bool readable, writable;
	bool unset; /* its contents are nobody's */
	bool guessed; /* nobody gave its size */
	ElemShape element; /* for findings; elem_bytes 0: not known, or of a structure */
	SimImage image;
} SimBuffer;

typedef struct SimArg {
	enum { SIM_VALUE, SIM_BUFFER, SIM_LOCAL, SIM_NULL } kind;
	const void *bytes; /* SIM_VALUE: the argument's bytes */
	u64 size;          /* SIM_VALUE: how many; SIM_LOCAL: bytes of LDS */
	u32 buffer;        /* SIM_BUFFER: index in SimLaunch.buffers */
	u64 at;            /* SIM_BUFFER: the byte of it that the pointer points to */
	bool guessed;      /* SIM_LOCAL: nobody gave its size */
} SimArg;

typedef struct SimLaunch {
	u32 dims; /* 1-3 */
	u64 global[3], local[3], offset[3]; /* work-items; unused dimensions are 1, 1, 0 */
	u64 wanted[3]; /* work-items beyond fill up guessed work-groups: FINDING_guessed_size; 0: none do */
	bool exchanged; /* work-items, and work-groups, follow each other along dimension 1, then 0, then 2 */
	const SimArg *args; /* one per Program.args */
	SimBuffer *buffers;
	u32 nbuffers;
	const u64 *addresses; /* of buffers, which pointers to them have, in arguments and in memory: below 2^47; 0,
	                       * or NULL for all: what the machine gives them */
} SimLaunch;

/* What to record for the timing model (isa/event.h). */
typedef struct SimRecord {
	const u64 *groups; /* linear work-group numbers, ascending */
	u32 ngroups;
	u32 words; /* at most so many of one wavefront, EVENT_MASK not counted */
	bool masks; /* also which lanes entered each block, for pictures */
} SimRecord;

/* A machine that counts along: the same wavefronts, other LDS and other lines. */
typedef struct SimView {
	LdsRule lds;
	const LdsPlan *lds_plan;
	u32 line_bytes, fetch_bytes, room_bytes; /* as in SimConfig */
} SimView;

/* Bytes that telling of races takes at most, where nobody says how many. */
#define SIM_CHECK_ROOM ((u64)2 << 30)

/* What is looked for besides what every run sees (check_race.h, check_unset.h). */
typedef struct SimCheck {
	bool races, uninit;
	bool screen; /* of races: only where there may be any (Profile.race_suspects) */
	u64 suspects; /* of races: where to look, as such a run says; 0: everywhere */
	u32 part, parts; /* … and only in this one of so many parts of that memory; parts 0: in all */
	bool follow; /* of uninit: where such values matter; else only whether there are any (Profile.unset_seen) */
	u64 memory; /* bytes that races may take; 0: SIM_CHECK_ROOM */
	u64 clocks; /* bytes more for what atomics order; 0: SIM_CHECK_ROOM */
} SimCheck;

typedef struct SimConfig {
	u32 wave;       /* lanes, 1 … MAX_WAVE */
	LdsRule lds;
	const LdsPlan *lds_plan; /* the machine's LDS instructions, or NULL */
	u32 line_bytes; /* cache line of global memory, a power of two */
	/* For Events.lines: what L2 brings of memory at a time, and a line of L2, which gets room when any of it is
	 * brought. Powers of two, the second one not smaller; 0: as line_bytes. */
	u32 fetch_bytes, room_bytes;
	u32 threads;    /* 0: as many as processors */
	u64 max_instructions; /* wave instructions one wavefront may run; 0: no limit. The first that reaches it, in the
	                       * order of work-groups, ends the launch: a finding, and Profile.stopped */
	u64 max_launch_instructions; /* the same for the sum of the launch */
	double deadline; /* of seconds_now(), when sim_run gives up; 0: none */
	const Stop *stop; /* … or when that is asked; or NULL */
	u64 max_lds;    /* bytes of LDS a work-group may have */
	u64 most_printed; /* bytes of text that the launch may print; 0: MOST_PRINTED */
	u32 wave_prof_limit;
	const SimRecord *record; /* NULL: nothing */
	SimCheck check;
	bool counts_slow; /* DIVISION slow of isa/counters.def, which costs time: for devices with a slow path */
	bool uncounted; /* do not count bytes, lines and bank cycles: the caller reads only findings */
	const struct LaneKit *kit; /* lane operations, for tests; NULL: the best that this host can run */
	const u64 *only; /* the work-groups to run, ascending, nonly of them; NULL: all */
	u64 nonly;
	const SimView *views; /* nviews of them; what they count is in Profile.views */
	u32 nviews;
	/* Work-groups done so far, for progress; may be NULL. Called now and then on the calling thread. */
	void (*progress)(void *ctx, u64 done, u64 all);
	void *progress_ctx;
} SimConfig;

/* Run. NULL (and errors in d) only when the launch itself cannot run: arguments
 * that do not fit the kernel, too much LDS; or, without an error, when the deadline passed. What the kernel does wrong
 * is in Profile.findings. */
Profile *sim_run(const Program *p, const SimLaunch *launch, const SimConfig *cfg, Diag *d);
/* The races of another run of the same launch, in another part of its memory (SimCheck.part), join those of p. */
void sim_join_races(Profile *p, Profile *other);

/* Which of size[0] x size[1] x … work-items, or work-groups, the n-th is; exchanged: SimLaunch's. */
static inline void launch_ids(bool exchanged, u64 n, const u64 *size, u64 id[3])
{
	u32 first = exchanged, second = !first;
	id[first] = n % size[first];
	id[second] = n / size[first] % size[second];
	id[2] = n / size[0] / size[1];
}

/* Has the program variables in registers that may be read before they are written? */
bool sim_unset_registers(const Program *p);
/* Do its atomics order what it does? */
bool sim_synchronises(const Program *p);
/* The address a kernel sees for byte 0 of a buffer of the launch. */
u64 sim_buffer_address(const Program *p, u32 buffer);
/* Does a work-group get so much LDS? False: an error in d. max 0: as much as can be addressed. */
bool sim_lds_fits(const Program *p, const SimLaunch *launch, u64 max, Diag *d);
/* The kernel's own variables and local arguments in the local memory of a work-group. */
LdsPart *sim_lds_parts(const Program *p, const SimLaunch *launch, Arena *a, u32 *n);
/* LDS bytes of a work-group: these and what lies between them. UINT64_MAX: too many to count. launch NULL: the
 * variables alone. */
u64 sim_lds_bytes(const Program *p, const SimLaunch *launch);

#endif
