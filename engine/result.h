/* What a run says: one structure, built once, read by every format.
 *
 * result_build takes what the front end, the machine and the comparison left behind
 * and works out every number that is shown. A format (report/sinks.def) only writes down a
 * Result; it sees neither the Program nor the machine. Equal runs give equal results,
 * byte for byte. A Result owns its memory: all that went in may be freed. */
#ifndef WAVESIM_RESULT_H
#define WAVESIM_RESULT_H

#include "isa/profile.h"
#include "isa/source.h"
#include "isa/words.h"
#include "models/device/device.h"
#include "models/timing/estimate.h"
#include "models/timing/roofline.h"
#include "engine/detail.h"
#include "engine/listing.h"
#include "engine/resources.h"

/* ---- the comparison with a native run ---- */

/* Whether the same launch, run natively, gave the same buffers. */
#define REF_STATUSES(X) \
	X(equal, "every element is equal") \
	X(different, "some elements differ") \
	X(nothing, "there is nothing to compare") \
	X(skipped, "not asked for") \
	X(unavailable, "there is no native run of this program") \
	X(failed, "the native run ended with an error") \
	X(crashed, "the native run crashed") \
	X(timeout, "the native run took too long")
#define X_REF(name, doc) REF_##name,
typedef enum { REF_STATUSES(X_REF) REF_STATUS_COUNT } RefStatus;

/* Whose run it is compared with. */
#define REF_SOURCES(X) \
	X(pocl, "PoCL's own run") \
	X(native, "the native run of its device code") \
	X(recorded, "what the recorded run left")
#define X_REF_SOURCE(name, doc) REF_FROM_##name,
typedef enum { REF_SOURCES(X_REF_SOURCE) REF_SOURCE_COUNT } RefSource;
extern const char *const ref_source_name[REF_SOURCE_COUNT];
extern const char *const ref_source_doc[REF_SOURCE_COUNT];

enum { REF_SHOWN = 4 }; /* differing elements shown of one buffer */

typedef struct RefElement {
	u64 index;      /* element of the buffer */
	u32 component;  /* of a vector */
	const char *actual, *expected; /* as text */
	bool has_item;
	u64 item[3]; /* the work-item with that index, when there is one for each element */
} RefElement;

typedef struct RefBuffer {
	const char *name, *type;
	const char *against; /* "PoCL", "expected" */
	u64 elements;
	u64 mismatches; /* elements that differ by more than the limits allow */
	u64 within;     /* elements that differ, but by no more than that */
	u64 open;       /* and those that do, as OpenCL leaves them open: Reference.open_what */
	u32 width;         /* components of an element */
	bool is_struct;    /* with floats; a component is a byte */
	bool has_ulp;      /* max_ulp is known: floats that are no NaN differ */
	double max_ulp;
	const char *note;  /* or NULL */
	RefElement first[REF_SHOWN];
	u32 nfirst;
} RefBuffer;

typedef struct Reference {
	RefStatus status;
	RefSource source;
	const char *source_why; /* why it is not PoCL's run, or NULL */
	const char *why; /* one sentence, or NULL */
	bool recorded;     /* what it is compared with was left by the run that was recorded, not by PoCL's now */
	/* The run was repeated, "with PoCL's built-in functions …", or NULL: it was not, or could not be; and every
	 * element was equal then. With status equal, those that differ in the run shown do so by rounding. */
	const char *repeated;
	bool repeat_equal;
	bool beyond; /* repeat_equal, but errors of functions do not carry the results so far */
	const char *unconfined; /* why PoCL's run could not be confined, or not all of it; or NULL */
	const char *built; /* how PoCL was made to agree (why says what its usual run did), or NULL */
	u64 checked, mismatches, within; /* elements; as in RefBuffer */
	u64 open;     /* elements that differ, and that OpenCL leaves open */
	const char *open_what; /* what that depends on, in words; NULL: none is */
	u64 pointers; /* words that were not compared but as pointers into the same buffer */
	double limit_f32, limit_f64;     /* ulp that the device's functions and PoCL's may differ by */
	const char *builtins; /* whose library ran: "amd", "nvidia" (its usual functions, else AMD's), "pocl" */
	const char *builtins_why;        /* why it is not AMD's although it should be, or NULL */
	bool has_ulp;
	double max_ulp;
	RefBuffer *buffers;
	u32 nbuffers;
	bool output_checked, output_differs; /* what the kernel printed */
	bool output_refused; /* PoCL's printf does not know one of its formats: the text was not compared */
	bool kept;      /* an equal launch ran before, and what came of it was kept; not shown */
	double seconds; /* PoCL's kernel time; not shown: it differs from run to run */
} Reference;

/* The second execution, for checks (check.h). */
#define CHECKS(X) X(races, 1) X(uninit, 2) X(bounds, 4) X(api, 8)
#define X_CHECK(name, bit) CHECK_##name = bit,
enum { CHECKS(X_CHECK) CHECK_ALL = 15 };
typedef struct Checks {
	bool ran;
	u8 what;         /* CHECK_… that were looked for */
	bool same_value_error;
	CheckLack lack;  /* why not all accesses were judged */
	const char *why; /* it was wanted and is not there: a sentence; or NULL */
	const Program *program; /* that ran … */
	Profile *profile;       /* … and what it did wrong */
} Checks;

/* ---- what goes in ---- */
typedef struct ResultSource {
	const char *name; /* as in Program.files */
	const char *text; /* NULL when it cannot be read */
	struct SourceIndex *index; /* where its lines begin; NULL: they are looked for each time */
} ResultSource;

typedef struct ResultInput {
	const Program *program;
	const Profile *profile;
	const MachineCode *machine; /* may be NULL */
	const R600Code *r600;       /* NULL: not a chip of LLVM's r600 back end */
	const Device *device;
	bool own_lds_rule;     /* the chip's own LDS phases, not the general rule */
	u32 max_local;         /* work-items that the compiler left registers for */
	const LdsRule *lds;    /* those it ran with */
	const LdsPlan *lds_plan; /* … and the machine's LDS instructions, or NULL */
	const EstimatePlan *plan; /* of the record in the profile; NULL: no estimate is wanted */
	struct EngineRun *more;   /* what executes uneven work-groups again, to play others */
	u32 units;                /* as many of the device are played; 0: as many as it takes */
	double most_us;           /* of result_time: EstimateInput's */
	const LdsPart *lds_parts; /* of a work-group's local memory */
	u32 nlds_parts;
	bool advice;           /* wanted */
	bool recorded;         /* its arguments are a host program's */
	bool addresses, unset; /* FeLimits.addresses, unset */
	const char *loose;     /* the build option of HIP's compiler that lets it round as it likes, or NULL */
	Language language;     /* whose words findings and advice use */
	const char *file;      /* as the user named it */
	u32 dims;
	u64 global[3], local[3], offset[3], groups[3];
	bool exchanged;        /* SimLaunch.exchanged */
	u64 lds_bytes;         /* of a work-group */
	u64 lds_private_bytes; /* of them: private arrays that the compiler keeps in LDS */
	const char *options;   /* the launch as options */
	const char *guessed;   /* those of them that are guessed, or "" */
	const char *given;     /* the others */
	const struct Launch *launch; /* what was launched; NULL: not known */
	const char *structures; /* names of arguments whose structures a guess fills with zeros, or NULL */
	const char *guess_decides; /* guessed arguments that decide how often loops run, by name, or NULL */
	const Reference *reference;
	const Checks *checks;        /* NULL: none were wanted */
	const struct CapFile *const *misuses; /* nmisuses launch files whose misuse of OpenCL is the result's, too */
	u32 nmisuses;
	struct Suppressions *suppress; /* findings to leave out, or NULL */
	const ResultSource *sources; /* one per Program.files, and those that only the program of checks has */
	u32 nsources;
	bool timeline;         /* keep Result.timeline */
	bool listing;          /* keep Result.listing; the machine code must have it */
	bool detail;           /* keep Result.detail; the record must have masks */
	bool no_what_ifs;      /* Estimate.what_if_us is not wanted */
	bool warm;             /* EstimateInput.warm */
	u64 copied_bytes, kept_bytes; /* EstimateInput's */
	bool not_copied;
	u32 threads;           /* for the estimate and for trials; 0: one for each processor */
} ResultInput;

/* ---- what comes out ---- */
typedef struct ResultLine {
	u32 file; /* Result.sources index */
	u32 line; /* 0: instructions without a source line */
	u64 executions, lane_executions;
	u32 live_vgprs;
	double utilization; /* 0 … 1; meaningful when t.wave_instructions is not 0 */
	double share;       /* of all wave instructions, 0 … 1 */
	ProfileTotals t;
	const u64 *machine; /* executed machine instructions by class, or NULL */
	double cycles_share; /* of the time of wavefronts, 0 … 1; negative: not known */
	double part[PART_COUNT]; /* of it by what the line waited for or did; they sum up to it */
	double dram_bytes;       /* that it moved, by the model; negative: not known */
	double hit_rate[LEVEL_COUNT]; /* of its requests, 0 … 1; negative: it made none, or not known */
} ResultLine;

/* What holds vector registers where the most are needed at once. */
typedef struct ResultLive {
	const char *name; /* variable, or NULL */
	const char *kind; /* "variable", "address", "value" */
	const char *file; /* of the declaration; without a name, of the computation; NULL: unknown */
	u32 line, vgprs;
} ResultLive;

/* A place in a source. */
typedef struct ResultPlace {
	const char *file; /* NULL: no source line known */
	u32 line, col;
	const char *source; /* text of the line, or NULL */
	const char *presumed_file; /* what `#line` calls the place; NULL: file and line */
	u32 presumed_line;
} ResultPlace;

/* The other access of a race, or where a value that matters was read. */
typedef struct ResultAccess {
	const char *did;   /* "write", "read", "atomic"; of a variable in registers "declaration" */
	const char *value; /* as text, or NULL */
	ResultPlace at;
	u64 group, group_id[3], global_id[3], local_id[3];
	u32 wave, lane;
} ResultAccess;

typedef struct ResultFinding {
	const char *id, *severity;
	const char *message; /* what, size, address space, address */
	const char *hint;
	const RefBuffer *buffer; /* whose elements differ, or NULL */
	bool advice;         /* no fault: something that could be better (advice.h) */
	double before_us, after_us; /* of advice: the launch's time and what the change would make of it;
	                      * after_us is negative when that was not worked out */
	bool has_place;      /* of the work-item below */
	ResultPlace at;
	u64 count;
	u64 group, group_id[3], global_id[3], local_id[3];
	u32 wave, lane;
	const char *class;   /* which of its kind: of a data race, of misuse of OpenCL; or NULL */
	const char *object;  /* what is raced for, or NULL */
	ResultAccess *own, *other; /* both accesses; NULL: no such finding */
	bool has_address;
	const char *space;
	u64 address;
	u32 bytes;
} ResultFinding;
bool finding_is_race(const ResultFinding *f);

typedef struct Result {
	Arena *arena;
	struct EngineRun *run; /* what it points into, which result_free lets go; NULL: the caller's */
	const char *kernel, *file;
	const char *device, *device_title;
	u32 wave, banks, line_bytes;
	bool own_lds_rule, stopped;
	u32 max_local;
	/* launch */
	u32 dims;
	u64 global[3], local[3], offset[3], groups[3];
	u64 ngroups, nwaves, items;
	u64 groups_run; /* fewer than ngroups: the counts are those of a sample */
	const char *options, *guessed, *given; /* all; of these guessed; the others */
	const char *guess_decides; /* as in ResultInput */
	/* resources */
	u32 vgprs, agprs, sgprs;
	u64 lds_bytes, scratch_bytes; /* of a work-group; of a work-item */
	u64 lds_private_bytes; /* of lds_bytes: private arrays that the compiler keeps in LDS */
	struct {
		u32 vgprs;        /* live at most in the optimised IR */
		const char *file; /* and where; NULL: unknown */
		u32 line;
		ResultLive *values; /* most registers first */
		u32 n;
	} peak;
	const char *resource_source; /* "amdgpu", "r600": LLVM's code generator; "ir": the optimised IR */
	MachineResult machine;
	const R600Result *r600; /* NULL: not a chip of LLVM's r600 back end */
	OccResult occupancy;
	const Estimate *estimate; /* never NULL; its missing says why there is none */
	Timeline timeline; /* what the wavefronts played did when; without lives unless they are wanted. Its
	                    * lines are those of estimate->costs */
	const Roofline *roofline; /* with the listing; else NULL */
	const Listing *listing; /* the machine code, when that is wanted and there is one; else NULL */
	ResultDetail detail; /* what single wavefronts did, when that is wanted */
	/* counts */
	ProfileTotals t;       /* t.lds here and in the lines: by lds_source */
	const char *lds_source; /* "machine": LDS counted at the width of the machine's instructions; "ir" */
	LdsTotals lds_ir;       /* at that of the optimised IR's accesses */
	u64 lds_unclear;        /* accesses counted at the IR's width, for want of a clear mapping */
	u64 serialized;
	double utilization;
	u32 most_lost;          /* the line whose branches lost most lane slots: lines index, or NO_LINE */
	struct {
		u64 n; /* wavefronts that were kept apart */
		u64 min, max;
		double mean;
		u64 slowest_group;
		u32 slowest_wave;
	} waves;
	Reference reference;
	Checks checks; /* without program and profile */
	const ResultSource *sources;
	u32 nsources;
	u64 source_hash; /* of the text that was named; 0: not known */
	ResultLine *lines;
	u32 nlines;
	ARRAY(ResultFinding) findings;
	const char *printed; /* by the kernel's printf */
	u64 printed_bytes;
	const char *dumped; /* buffers as text (--dump), or NULL; set by the caller, whose it is */
} Result;

/* It points into what in points to; engine_result is the same for a run, and owns its memory. */
Result *result_build(const ResultInput *in);
/* The time of its estimate alone, in microseconds, for which the comparison, texts and sources are not needed;
 * negative: there is none. */
double result_time(const ResultInput *in);
/* The machine code of the input; NULL: none is known. */
const MachineCode *result_code(const ResultInput *in);
void result_free(Result *r);
/* How many findings are errors or warnings. */
u32 result_problems(const Result *r);
/* The text of a line of source, without its end; *n bytes. NULL: unknown. */
const char *result_source_line(const ResultSource *s, u32 line, u32 *n);
/* What most of a line's time goes to; PART_COUNT: it takes none, or that is not known. */
TimePart result_line_reason(const ResultLine *l);
/* A place as messages name it. */
ResultPlace result_place(Result *r, const SrcLoc *at);
/* "file:line", as `#line` has it; of a place with a file. */
void put_result_place(Buf *out, const ResultPlace *p);
/* ---- source.c ---- */
/* An index for a ResultSource; it is made when a line is asked for. */
struct SourceIndex *source_index_new(Arena *a);
/* What `#line` makes of a line. */
SrcLines source_line_presumed(const ResultSource *s, u32 line);
/* The line where a kernel of that name is defined (`void NAME (`), or 0, as where the name has more to it (of C++: its
 * namespace, arguments, parameters) and several may be meant; and that of its last brace. */
u32 source_kernel_line(const char *text, const char *name);
u32 source_kernel_end(const char *text, u32 line);
/* What the text defines a macro as; NULL where that takes a preprocessor: there is more than one #define of it, or a
 * condition around it, other than that it is not defined yet. */
const char *source_macro(const char *text, const char *name, Arena *a);
extern const char *const ref_status_name[REF_STATUS_COUNT];
extern const char *const ref_status_doc[REF_STATUS_COUNT];

#endif
