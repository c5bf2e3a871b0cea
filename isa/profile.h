/* What a run of a Program leaves behind: counters, findings, printed text.
 * The machine (sim/) fills it, reports and models read it. */
#ifndef WAVESIM_PROFILE_H
#define WAVESIM_PROFILE_H

#include "isa/event.h"

typedef struct BlockProf {
#define BLOCK(name, ...) u64 name;
#include "isa/counters.def"
} BlockProf;

typedef struct AccessProf {
#define ACCESS(name, ...) u64 name;
#include "isa/counters.def"
} AccessProf;

typedef struct DivisionProf {
#define DIVISION(name, ...) u64 name;
#include "isa/counters.def"
} DivisionProf;

/* Is DIVISION counted for this instruction? Is it one of integers that is? */
bool division_is_counted(const Program *p, const Ins *x);
bool wide_division_is_counted(const Program *p, const Ins *x);

/* Add counters: each as its row says. */
void block_merge(BlockProf *to, const BlockProf *from);
void access_merge(AccessProf *to, const AccessProf *from);
void division_merge(DivisionProf *to, const DivisionProf *from);

/* Totals of one wavefront. */
typedef struct WaveProf {
	u64 group; /* linear work-group number */
	u32 wave;  /* wavefront of the group */
	u32 divergent_branches;
	u64 instructions; /* wave instructions */
	u64 lanes;        /* active lanes, summed over them */
	u64 serialized;   /* see Profile.serialized */
	u64 lds_conflicts;
	u64 lines; /* global cache lines touched */
} WaveProf;

/* Wave instructions of a work-group; both at most UINT32_MAX. */
typedef struct GroupWork {
	u32 longest, all; /* of its longest wavefront; of all of them. 0: it did not run */
} GroupWork;

/* What a kernel did wrong while it ran: id, severity, what it is, whether an access of memory did it. */
#define FINDINGS(X) \
	X(out_of_bounds, "error", "out of bounds", true) \
	X(row_overrun, "note", "index past the end of a row, inside its array", true) \
	X(guessed_size, "note", "past the end of memory whose size was guessed", true) \
	X(null_access, "error", "access through a null pointer", true) \
	X(read_only, "error", "write to constant or read-only memory", true) \
	X(write_only, "warning", "read of a buffer declared write-only", true) \
	X(misaligned, "warning", "access whose address is not a multiple of its size", true) \
	X(misaligned_atomic, "error", "atomic whose address is not a multiple of its size", true) \
	X(data_race, "error", "data race", true) \
	X(uninitialized_read, "warning", "uninitialised value", false) \
	X(division_by_zero, "error", "integer division by zero", false) \
	X(division_overflow, "error", "division of the least signed value by -1", false) \
	X(divergent_barrier, "error", "barrier that only some work-items of a wavefront reach", false) \
	X(divergent_sub_group, "error", "sub-group function that only some work-items of a sub-group reach", false) \
	X(divergent_matrix, "error", "matrix instruction that only some lanes of a wavefront reach", false) \
	X(inactive_lane, "error", "value of a work-item of the sub-group that is not there", false) \
	X(unequal_barriers, "error", "wavefronts of a work-group wait at different barriers", false) \
	X(missed_barrier, "error", "a wavefront ended while others wait at a barrier", false) \
	X(unfinished_copy, "error", "memory of an async copy that is not finished", true) \
	X(missing_wait, "warning", "async copy that nothing waits for", false) \
	X(divergent_copy, "error", "async copy that not all work-items of a group start alike", false) \
	X(divergent_wait, "error", "work-items of a group wait for different events", false) \
	X(invalid_event, "error", "use of an event that no async copy returned", false) \
	X(unreachable, "error", "control reached a place that must not be reached", false) \
	X(endless, "error", "the launch was stopped: a wavefront reached --max-instructions", false) \
	X(long_launch, "error", "the launch was stopped: it reached --max-launch-instructions", false) \
	X(bad_printf, "warning", "printf whose format and arguments do not agree", false) \
	X(failed_assertion, "error", "an assertion does not hold", false)
#define X_FINDING(id, ...) FINDING_##id,
typedef enum { FINDINGS(X_FINDING) FINDING_COUNT } FindingKind;
extern const char *const finding_name[FINDING_COUNT];     /* "out_of_bounds" */
extern const char *const finding_severity[FINDING_COUNT]; /* "error", "warning", "note" */
extern const char *const finding_doc[FINDING_COUNT];
extern const bool finding_is_access[FINDING_COUNT]; /* of memory */

/* Who meets in a race; of several that apply the first, and same_value where both write what is there already. */
#define RACE_CLASSES(X) X(none) X(groups) X(waves) X(lanes) X(same_value)
#define X_RACE(name) RACE_##name,
typedef enum { RACE_CLASSES(X_RACE) RACE_COUNT } RaceClass;
extern const char *const race_name[RACE_COUNT];

/* A work-item's part in a finding: an access, its place and what it moves. */
typedef struct FindingAccess {
	u32 ins; /* Program.ins index; NO_INS: there is none */
	bool write, atomic, has_value;
	bool cas;  /* of an atomic: compare and swap */
	u8 type;   /* Type of value … */
	u8 elem_class; /* … and ElemClass of the buffer that it is in; ELEM_OTHER: not known */
	u64 value; /* read or stored; of an atomic what was there before */
	u64 group;
	u32 wave, lane;
	u64 global_id[3], local_id[3];
} FindingAccess;
#define NO_INS UINT32_MAX

/* One kind of mistake at one instruction (of races: two, and a class): the first time in full (lowest
 * work-group, then the order in which it ran), then only counted. */
typedef struct Finding {
	FindingKind kind;
	u32 ins;   /* Program.ins index */
	u64 count; /* work-items, over all executions */
	u64 group; /* linear work-group number */
	u32 wave, lane;
	u64 global_id[3];
	u64 local_id[3];
	u64 address; /* of a memory finding, as the program held it; see isa.h */
	u32 bytes;   /* size of one lane's access */
	u8 space;    /* of the address: SPACE_GLOBAL, SPACE_LDS, SPACE_PRIVATE */
	bool write;
	bool surplus; /* of guessed_size: of a work-item beyond SimLaunch.wanted */
	u64 reach;    /* of guessed_size: bytes from the start of the memory to the end of the last such access */
	const char *object; /* what was missed, of the Program or the launch; NULL: not known */
	u8 race; /* RaceClass, of data_race */
	u32 when;                 /* of data_race: which of the work-group's accesses that were looked at */
	FindingAccess own, other; /* of data_race: the later access, and the one before it */
	FindingAccess origin;     /* of uninitialized_read: where the value was read */
	char *detail; /* "4 bytes past the end of 'tile' (256 bytes)", or NULL */
} Finding;

/* What another machine would have counted of the same execution. */
typedef struct ProfileView {
	u32 banks, line_bytes, fetch_bytes;
	AccessProf *accesses;
	EventLines lines;  /* as Events.lines; zeros without a record */
} ProfileView;

/* What there was too little of, to judge all accesses: of several the greatest one. */
typedef enum {
	LACK_nothing,
	LACK_memory, /* words for each place (SimCheck.memory): more, or smaller parts, help */
	LACK_clocks, /* what atomics order (SimCheck.clocks): more helps, parts do not */
	LACK_events, /* numbers of accesses: neither helps */
} CheckLack;

/* Bits of where races may be: this one is LDS; segments of global memory share the others. */
#define RACE_SUSPECT_LDS ((u64)1)

typedef struct Profile {
	u32 wave, banks, line_bytes; /* the machine that ran */
	u64 groups, waves, work_items; /* of the launch */
	u64 groups_run; /* fewer than groups when a part was chosen (SimConfig.only), or when it was stopped */
	BlockProf *blocks;    /* one per Program.blocks */
	AccessProf *accesses; /* one per Program.ins; zeros where it is no access */
	DivisionProf *divisions; /* one per Program.ins; zeros where none is counted */
	/* Wave instructions run by paths that ran because a branch diverged, beyond
	 * the longest of these paths (what one pass would have needed). */
	u64 serialized;
	ARRAY(WaveProf) wave_profs; /* in order; the first wave_prof_limit wavefronts */
	ARRAY(Finding) findings;    /* ordered by instruction, then kind */
	Buf printed;                /* printf text, ordered by work-group, then as work-items run in turn */
	Events *events;             /* the record of chosen work-groups, or NULL */
	GroupWork *work;            /* with a record: of each work-group, the first nwork of them */
	u64 nwork;
	ProfileView *views;         /* one for each machine that counted along, nviews of them */
	u32 nviews;
	const struct Profile *of;   /* a view as a profile (profile_view): whose parts these are, or NULL */
	CheckLack check_lack;       /* races: why not all accesses were judged */
	u64 race_suspects; /* where there may be races, which were not told (SimCheck.screen): RACE_SUSPECT_… */
	u64 race_bytes;             /* … bytes of global memory there */
	bool unset_seen;            /* values were loaded that nothing had written (SimCheck.uninit) */
	bool stopped;               /* ended early: --max-instructions, --max-launch-instructions */
} Profile;

/* ---- profile.c ---- */
Profile *profile_new(const Program *p);
void profile_free(Profile *p);
/* The profile that the machine alone would have left behind which is view number `view` of p
 * (NO_VIEW: the first machine), having recorded only these work-groups (n of them, ascending). Totals
 * of wavefronts remain the first machine's. It shares p's memory; p must live longer. */
#define NO_VIEW UINT32_MAX
Profile *profile_view(const Profile *p, u32 view, const u64 *groups, u32 n);

/* Sums over the Program: every instruction of a block inherits its counts;
 * instructions of unit NONE are no wave instructions. */
typedef struct LdsTotals {
	u64 accesses, ideal, actual, max_way;
} LdsTotals;
typedef struct ProfileTotals {
	u64 wave_instructions, active_lanes;
	u64 branches, divergent_branches; /* executed br and switch */
	LdsTotals lds, lds_machine; /* as the Program accesses it; by instructions of the machine */
	BlockProf ends; /* of blocks, counted where they end */
#define ACCESS(name, ...) u64 name;
#include "isa/counters.def"
} ProfileTotals;
void profile_totals(const Program *prog, const Profile *p, ProfileTotals *out);
void totals_add(ProfileTotals *to, const ProfileTotals *from);

/* The counters that are shown as columns of their own, as many as there are; the last has no name. */
typedef struct Counter {
	const char *name, *unit, *doc;
	size_t offset; /* in ProfileTotals */
} Counter;
extern const Counter shown_counters[];
static inline u64 counter_of(const ProfileTotals *t, const Counter *c)
{
	u64 v;
	memcpy(&v, (const u8 *)t + c->offset, sizeof v);
	return v;
}

/* The same per source line that has instructions, sorted by file, then line;
 * line 0 (no source line) last. *n rows, released with free(). */
typedef struct LineProf {
	u32 file, line;
	u64 executions; /* the most often executed instruction of the line, in wave instructions */
	u64 lanes;      /* its active lanes, summed over them */
	u16 live_vgprs; /* the most at one of its instructions */
	ProfileTotals t;
} LineProf;
LineProf *profile_lines(const Program *prog, const Profile *p, u32 *n);

#endif
