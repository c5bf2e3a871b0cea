/* The description of one launch: program, kernel, sizes, arguments.
 *
 * traces/launch/ takes options, comments in kernel files, .sim files and headers of other tools, each
 * weaker than the one before, and gives a Launch: everything known, checked, its buffers filled. First
 * to open: launch.c (options, order of strength, binding), launch_comment.c, launch_sim.c, launch_header.c
 * (what files say), launch_arg.c (--arg), launch_guess.c, launch_data.c (bytes), options.h (the parser of all
 * command lines). The order of calls:
 *
 *   launch_init
 *   launch_option …            options (before the kernel's argument types are known)
 *   launch_read_sim            if the input is a .sim file: sets program, kernel, sizes
 *   launch_read_comments       otherwise, with the text of the kernel file
 *                              … compile launch.program with launch_build_options …
 *   launch_set_kernel          if launch.kernel was still NULL, when it is known
 *   launch_bind                argument texts become values, checked against the kernel
 *   launch_guess               everything that was not given (leave it out to require all)
 *   launch_check               sizes divide, nothing is missing, limits hold
 *   launch_materialise         the bytes of every buffer
 *
 * Each reader adds every error it finds and returns false. Strings and bytes
 * belong to the Launch and live until launch_free. */
#ifndef WAVESIM_LAUNCH_H
#define WAVESIM_LAUNCH_H

#include "isa/isa.h"
#include "isa/words.h"

/* Where a setting comes from; a later one in this list wins. */
typedef enum {
	FROM_NOBODY,
	FROM_GUESS,
	FROM_FILE,           /* .sim, piglit or GPUVerify header */
	FROM_COMMENT,        /* // wavesim: … */
	FROM_KERNEL_COMMENT, /* // wavesim(kernel): … */
	FROM_PAGE,           /* a lesson's page, a store: another file about the kernel file */
	FROM_UNTRUSTED,      /* the command line, behind --untrusted: it names no file outside the current folder */
	FROM_OPTION          /* command line */
} LaunchOrigin;

typedef enum {
	LAUNCH_UNSET,
	LAUNCH_VALUE,
	LAUNCH_BUFFER,
	LAUNCH_LOCAL,
	LAUNCH_NULL,
	LAUNCH_IMAGE,
	LAUNCH_SAMPLER
} LaunchKind;

/* What a buffer or image holds before the run. */
typedef enum {
	INIT_ZERO,
	INIT_FILL,   /* bytes: one element, repeated */
	INIT_IOTA,   /* 0, 1, 2 … per component, cut to the type */
	INIT_RANDOM, /* num[0] … num[1] */
	INIT_RANGE,  /* num[0], += num[1], … num[2] */
	INIT_DATA,   /* bytes: all of it */
	INIT_FILE,   /* path: raw bytes, .npy, or numbers as text */
	INIT_NONE    /* uninitialised: for the checker; the bytes are zero */
} InitKind;

/* What a file's bytes are. */
typedef enum FileForm {
	FILE_ANY,  /* .npy, .txt and .csv by their names; others are raw bytes, unless they look like text */
	FILE_TEXT, /* text:@FILE, numbers */
	FILE_RAW,  /* raw:@FILE */
} FileForm;
extern const char *const file_form_prefix[];
/* By the prefix that the text begins with; FILE_ANY: none. */
FileForm file_form_of(const char *text);

/* A number of the class that the shape names. */
typedef union Num {
	i64 i;
	u64 u;
	double f;
} Num;

u64 elem_bits(const u8 *p, u32 bytes); /* of one component */
double elem_ulps(u64 a, u64 b, u32 bytes); /* units in the last place between two floats; both zeros are 0 */

/* Channel orders and types, filters and addressing modes carry OpenCL's own numbers. */
enum {
	IMAGE_R = 0x10B0,
	IMAGE_A = 0x10B1,
	IMAGE_RG = 0x10B2,
	IMAGE_RGBA = 0x10B5,
	IMAGE_BGRA = 0x10B6,
	IMAGE_ARGB = 0x10B7,
	IMAGE_SNORM8 = 0x10D0,
	IMAGE_SNORM16 = 0x10D1,
	IMAGE_UNORM8 = 0x10D2,
	IMAGE_UNORM16 = 0x10D3,
	IMAGE_SINT8 = 0x10D7,
	IMAGE_SINT16 = 0x10D8,
	IMAGE_SINT32 = 0x10D9,
	IMAGE_UINT8 = 0x10DA,
	IMAGE_UINT16 = 0x10DB,
	IMAGE_UINT32 = 0x10DC,
	IMAGE_HALF = 0x10DD,
	IMAGE_FLOAT = 0x10DE,
	SAMPLER_NONE = 0x1130,
	SAMPLER_CLAMP_TO_EDGE = 0x1131,
	SAMPLER_CLAMP = 0x1132,
	SAMPLER_REPEAT = 0x1133,
	SAMPLER_MIRRORED_REPEAT = 0x1134,
	SAMPLER_NEAREST = 0x1140,
	SAMPLER_LINEAR = 0x1141
};

/* Memory of a recorded launch; several arguments may point into it. */
typedef struct LaunchObject {
	u64 size;
	u64 address; /* that its pointers have; 0: none of its own */
	const char *name; /* of a variable, or NULL */
	u32 before, after; /* contents of the launch file */
} LaunchObject;

/* Bytes in front of the packets of a pipe (launch_pipe.c). */
enum { PIPE_HEADER = 128 };

typedef struct LaunchArg {
	LaunchKind kind;
	LaunchOrigin origin;
	bool count_guessed; /* the spec named no count */
	bool blind;         /* an integer that was guessed to be 1, as its name says nothing … */
	bool start;         /* … or 0, as it is named like a start */
	Loc loc;            /* where it was given */
	ElemShape shape;        /* of a value, buffer, local pointer, image (one pixel) */
	u64 count;          /* elements of a buffer, local pointer or image (pixels) */
	u64 size;           /* bytes of the value, buffer, local memory, image */
	const u8 *bytes;    /* VALUE: size bytes; INIT_DATA: size bytes; INIT_FILL: stride bytes */
	InitKind init;
	Num num[3];
	const char *path;  /* INIT_FILE */
	u64 path_offset;   /* where the data starts in it (after a .npy header) */
	bool path_packed;  /* .npy: 3-vectors are not padded to 4 */
	FileForm path_form;
	bool random_range; /* INIT_RANDOM: num was given; else [0, 1) or 0 … 65535 */
	bool read_only, write_only;
	bool pipe;         /* BUFFER: behind PIPE_HEADER bytes it has room for count packets … */
	u64 packets;       /* … and holds so many at first, which init tells */
	u32 image_size[3]; /* width, height, depth; 1 where the image has no such dimension */
	u32 image_order, image_type;
	u32 filter, addressing; /* SAMPLER */
	bool normalized;
	u32 object;    /* of a recorded launch: its bytes are this one's (number + 1), not init's … */
	u64 object_at; /* … from here on */
	bool dump, dump_hex;
	const char *dump_file; /* NULL: as text on standard output */
} LaunchArg;

/* What an argument should hold after the run (piglit's arg_out). */
typedef struct LaunchExpect {
	u32 arg;
	const u8 *bytes;
	u64 size;
	ElemShape shape;
	double tolerance; /* 0: exact */
	bool ulp;         /* tolerance counts units in the last place of the expected number */
	Loc loc;
} LaunchExpect;

typedef struct LaunchToken {
	char *text;
	Loc loc;
} LaunchToken;

/* Bytes that stand for a file of that name: --arg a=@NAME. They are the elements, or .npy, and text only where that is
 * said. */
typedef struct LaunchMemory {
	const char *name;
	const void *bytes;
	u64 size;
} LaunchMemory;

typedef struct LaunchText LaunchText; /* launch_impl.h: texts waiting for launch_bind */

typedef struct Launch {
	Arena *arena;
	const char *program; /* path; set by the caller or the .sim file */
	Language language;   /* whose words messages and printed options use; set by the caller */
	LaunchOrigin program_from;
	const char *kernel; /* NULL: not named */
	LaunchOrigin kernel_from;
	u32 work_dim;                       /* 1-3 */
	u64 global[3], local[3], offset[3]; /* unused dimensions are 1, 1, 0 */
	LaunchOrigin global_from, local_from, offset_from;
	u64 wanted[3]; /* of a guessed global size: before it was rounded up to whole work-groups; else 0 */
	bool global_by_buffer;     /* of a guessed one: the count of a given buffer decides it, or would … */
	const char *global_buffer; /* … of this one; NULL: none was given */
	u64 seed;
	LaunchOrigin seed_from;
	LaunchArg *args;              /* one per kernel argument, after launch_bind */
	const KernelArg *kernel_args; /* borrowed from the caller of launch_bind */
	u32 nargs;
	u32 test; /* set by the caller: which [test] of a piglit header, from 1; 0: the first
		   * for the kernel, if one is named, else the first */
	ARRAY(LaunchExpect) expects;
	/* Options of comments and `# ARGS:` that are not the launch's, for the command's
	 * own table; weaker than the command line. */
	ARRAY(LaunchToken) extra;
	LaunchText *text;
	/* Set by the caller: memory that its own words may name as if it were a file. */
	const LaunchMemory *memory;
	u32 nmemory;
	/* Of a recorded launch, else NULL: where it comes from, and the memory that it reaches. */
	const struct CapFile *file;
	const struct CapLaunch *recorded;
	bool (*bind_recorded)(struct Launch *l, Diag *d); /* takes its arguments */
	LaunchObject *objects;
	u32 nobjects;
} Launch;

typedef struct LaunchLimits {
	u32 max_group;       /* work-items of a group */
	u64 max_bytes;       /* all buffers together */
	bool partial_groups; /* the last group of a dimension may be smaller (-cl-std=CL2.0 and
				later) */
} LaunchLimits;
#define LAUNCH_LIMITS_DEFAULT ((LaunchLimits){.max_group = 1024, .max_bytes = 16ull << 30})

/* What the compiled kernel tells the guesser. */
typedef struct LaunchHints {
	u32 reqd_local[3]; /* reqd_work_group_size, or zeros */
	u32 max_group;     /* work-items of a group at most; 0: more than is guessed */
	u32 launched[3];   /* the group with which the source itself launches the kernel, or zeros */
	u64 launched_shared; /* … and bytes of local memory; 0: not known */
	u32 widest_vload;  /* elements that vloadN or vstoreN may take at one index; 0: 1 */
	u32 smaller; /* guessed global sizes are made smaller so many times: a quarter of one dimension, half of each
	              * of several */
	u32 dims;          /* highest dimension whose id or size the kernel asks for; 0: unknown */
	bool alone[3]; /* it asks for the group's id, not for the work-item's in it: groups of one in that dimension */
} LaunchHints;

typedef struct LaunchOption {
	const char *name;  /* "--global" */
	const char *value; /* "X[xY[xZ]]", for the help text */
	const char *help;
	bool several;      /* may be given several times */
	bool result;       /* about the results, not the launch */
} LaunchOption;
extern const LaunchOption launch_options[];
extern const u32 launch_noptions;

/* ---- launch.c ---- */
void launch_init(Launch *l);
void launch_free(Launch *l);
/* Keep the text of a source of locations (a file, the command line), so that errors
 * found later can quote it. Both are copied. */
void launch_source(Launch *l, const char *name, const char *text);
/* The option that a word of a command line or comment names, or NULL. *value: the value that the word has behind
 * the name; NULL: it is the next word. */
const LaunchOption *launch_option_named(const char *word, const char **value);
/* One option: name as in launch_options, and its value. loc is the place of the value. */
bool launch_option(Launch *l, const char *name, const char *value, Loc loc, Diag *d);
/* The same, from that origin. */
bool launch_option_from(Launch *l, LaunchOrigin from, const char *name, const char *value, Loc loc, Diag *d);
/* What a file, not the command line, gives for an option whose value is text: "-D" and "--arg" with a name of their
 * own, "--kernel". NULL: nothing. */
const char *launch_said(const Launch *l, const char *option, const char *own);
/* Does a comment on this line of a source, `wavesim: race-ok`, allow its races? */
bool launch_race_ok(const char *line);
/* The kernel is now known: apply the comments that were waiting for its name. */
bool launch_set_kernel(Launch *l, const char *kernel, Diag *d);
/* The options for the compiler: comments' first, then the command line's. */
void launch_build_options(const Launch *l, Buf *out);
/* Argument texts become typed values. args stay the caller's and must outlive the Launch. */
bool launch_bind(Launch *l, const KernelArg *args, u32 n, Diag *d);

/* ---- launch_check.c ---- */
bool launch_check(Launch *l, const LaunchLimits *limits, Diag *d);
/* Groups in each dimension (a partial one counts), and work-items altogether. */
void launch_groups(const Launch *l, u64 groups[3]);
u64 launch_items(const Launch *l);
/* Do the compiler options ask for a language version that allows smaller last groups? */
bool launch_wants_partial_groups(const Launch *l);

/* ---- launch_print.c ---- */
/* As options, shell-quoted, that reproduce the launch: all of it, or what was guessed. */
typedef enum { PRINT_ALL, PRINT_GUESSED, PRINT_GIVEN } LaunchPrint;
void launch_print_options(const Launch *l, LaunchPrint what, Buf *out);

/* ---- launch_text.c ---- */
/* A message about the launch at loc, with the line it points to; returns false. */
bool launch_say(const Launch *l, Diag *d, DiagLevel level, Loc loc, const char *text);
#define launch_error(l, d, loc, ...) launch_say(l, d, DIAG_ERROR, loc, arena_printf((l)->arena, __VA_ARGS__))
#define launch_warn(l, d, loc, ...) ((void)launch_say(l, d, DIAG_WARNING, loc, arena_printf((l)->arena, __VA_ARGS__)))

/* ---- launch_guess.c ---- */
void launch_guess(Launch *l, const LaunchHints *hints);

/* ---- launch_comment.c ---- */
/* Find `wavesim: …` comments in the text of an OpenCL file and apply those for the
 * launch's kernel; also GPUVerify and piglit headers (launch_header.c), which are weaker. */
bool launch_read_comments(Launch *l, const char *file, const char *text, Diag *d);
/* Split a line of options as a shell would: blanks, '…', "…", backslash. Tokens are the
 * launch's. at is the place of the first character. */
typedef ARRAY(LaunchToken) LaunchTokens;
bool launch_tokens(Launch *l, const char *text, size_t n, Loc at, LaunchTokens *out, Diag *d);
/* The same without a launch: words of a's own. source: the text that messages quote, or NULL. */
bool launch_words(const char *text, Loc at, const char *source, Arena *a, LaunchTokens *out, Diag *d);
/* Apply a line of options, of a comment or, right after launch_init, as strong as the command line's. */
bool launch_apply_text(Launch *l, const char *text, Loc loc, Diag *d);

/* ---- launch_sim.c ---- */
/* Read a .sim file of Oclgrind: program, kernel and sizes now, arguments in launch_bind. */
bool launch_read_sim(Launch *l, const char *path, Diag *d);
bool launch_parse_sim(Launch *l, const char *path, const char *text, Diag *d);

/* ---- launch_data.c ---- */
/* Memory for the bytes of argument arg (size > 0), zeroed; NULL when there is none. */
typedef void *LaunchAlloc(void *user, u32 arg, u64 size);
/* Allocate and fill every buffer and image. data[arg] becomes its bytes (NULL for other
 * arguments and empty buffers). */
bool launch_materialise(const Launch *l, const LaunchLimits *limits, LaunchAlloc *alloc, void *user,
			void **data, Diag *d);
/* Element values of one argument as oclgrind-kernel prints dumped arguments. size: bytes of data. */
void launch_dump_text(const Launch *l, u32 arg, const void *data, u64 size, Buf *out);
/* Write a dump to its file: .npy, .txt as above, else raw bytes. */
bool launch_dump_file(const Launch *l, u32 arg, const void *data, u64 size, Diag *d);
/* The random numbers: splitmix64, number i of the stream that seed and name choose. */
u64 launch_random(u64 seed, const char *name, u64 i);

/* ---- launch_pipe.c ---- */
/* Where the packet that would be read after so many others is in a pipe: bytes from its beginning. */
u64 launch_pipe_at(const LaunchArg *a, const u8 *pipe, u64 packet);
/* The packets that a pipe holds, in the order in which they would be read, to out (room for all of it); how many. */
u64 launch_pipe_packets(const LaunchArg *a, const u8 *pipe, u8 *out);

/* ---- launch_piglit.c ---- */
/* How many components differ from what was expected; the first of them in *first, and in
 * words in *why ("out[3] is 5, expected 4"). */
u64 launch_expect(const Launch *l, const LaunchExpect *e, const void *data, u64 *first, Buf *why);

#endif
