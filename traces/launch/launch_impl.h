/* Private to traces/launch: texts that wait for the kernel's argument types, numbers of
 * kernel types. */
#ifndef WAVESIM_LAUNCH_IMPL_H
#define WAVESIM_LAUNCH_IMPL_H

#include "traces/launch/launch.h"

enum {
	MAX_VALUE_BYTES = 64 * 1024, /* of an argument passed by value */
	MAX_TEXTS = 4096,            /* --arg, --dump and compiler options, each: all are compared with all */
};

typedef struct ArgText { /* --arg NAME=SPEC */
	const char *name, *spec;
	Loc name_loc, loc;
	LaunchOrigin origin;
} ArgText;

typedef struct DumpText { /* --dump NAME[:hex][=FILE] */
	const char *name, *file;
	bool hex;
	Loc loc;
	LaunchOrigin origin;
} DumpText;

typedef struct BuildText { /* --build-options, -D, -I */
	char kind;         /* 'b', 'D', 'I' */
	const char *text;
	LaunchOrigin origin;
} BuildText;

typedef struct KernelComment { /* // wavesim(kernel): text */
	const char *kernel;
	const char *text;
	Loc loc;
} KernelComment;

typedef struct PiglitArg { /* arg_in: INDEX …, arg_out: INDEX … */
	const char *text;
	bool out;
	Loc loc;
} PiglitArg;

typedef struct LaunchSourceText {
	const char *name, *text;
} LaunchSourceText;

struct LaunchText {
	LaunchOrigin reading; /* where the options come from that launch_option takes now */
	bool crowded;         /* more than MAX_TEXTS, which was reported */
	ARRAY(ArgText) args;
	ARRAY(DumpText) dumps;
	ARRAY(BuildText) builds;
	ARRAY(KernelComment) comments;
	ARRAY(LaunchSourceText) sources;
	ARRAY(PiglitArg) piglit;
	u32 global_dims, local_dims, offset_dims; /* how many sizes were given; 0: none */
	Loc global_loc, local_loc, offset_loc;
	bool in_groups; /* Launch.global counts work-groups, until those of local are known */
	const char *sim_path, *sim_text; /* .sim: what launch_bind goes on to read */
	size_t sim_pos, sim_line_start;  /* where to go on, and where its line starts */
	u32 sim_line;
};

/* ---- launch_check.c ---- */
/* requires local. Launch.global of --grid becomes work-items. */
void launch_count_items(Launch *l);

/* ---- launch_text.c ---- */
const char *launch_type_name(const ElemShape *s); /* "float", of one component */
/* The type called name ("uchar", "float4"); false when there is none. */
bool launch_type_shape(const char *name, size_t n, ElemShape *out);
/* How the pointed-to type of an argument (or the value) is laid out; structs as bytes. */
ElemShape launch_arg_shape(const KernelArg *k);
/* The directory part of path, "" or ending in '/'. */
const char *launch_dir(Launch *l, const char *path);
/* A file that an argument text names; comments mean files beside the kernel file. */
const char *launch_path(Launch *l, const ArgText *t, const char *name);
/* Does path, links resolved, lie in the folder of file or below? Also when there is no such path. */
bool launch_is_inside(Launch *l, const char *file, const char *path);
/* What is said of a path that is not, by the origin of what names it. */
const char *launch_outside(LaunchOrigin from);
/* Why an argument text may not read that file, or NULL: comments and .sim files may read what lies beside them. */
const char *launch_file_fault(Launch *l, const ArgText *t, const char *path);

/* ---- launch_file.c ---- */
/* What a path names for this launch, the caller's memory or a regular file, and how many bytes it has; NULL: none of
 * them, and *why says so. fclose() */
FILE *launch_open(const Launch *l, const char *path, u64 *size, const char **why);
/* Numbers as text, between blanks, commas and line ends; # begins a remark. Into out, as elements of shape s, of which
 * it has room for `room` (NULL: they are only read). False: *why says which of them is wrong. */
bool launch_read_text(FILE *f, const ElemShape *s, u8 *out, u64 room, u64 *count, Arena *a, const char **why);
/* Does the file look like that, and like nothing else? f is at its start, before and after. */
bool launch_looks_like_text(FILE *f);

/* ---- launch_num.c ---- */
typedef enum {
	NUM_OK,
	NUM_NOT_A_NUMBER,
	NUM_NOT_AN_INTEGER,
	NUM_NEGATIVE,
	NUM_OUT_OF_RANGE
} NumError;
NumError num_parse(const char *text, const ElemShape *s, Num *out);
/* Why, as the end of a sentence: "300 is outside 0 to 255". */
const char *num_explain(Arena *a, NumError e, const char *text, const ElemShape *s);
void num_store(u8 *p, const ElemShape *s, Num n);
Num num_load(const u8 *p, const ElemShape *s);
/* The shortest text that num_parse reads back as the same bits; false: there is none (a NaN). */
bool num_print(Num n, const ElemShape *s, Buf *out);

/* ---- launch.c ---- */
/* Sizes from a file, for the option of that name, unless a stronger origin gave them. */
void launch_offer_sizes(Launch *l, const char *name, const u64 v[3], u32 dims, Loc loc);
/* An option for the compiler, from l->text->reading. */
bool launch_add_build(Launch *l, char kind, const char *text, Loc loc, Diag *d);

/* ---- launch_arg.c ---- */
/* Parse one argument text into out. */
bool launch_parse_arg(Launch *l, u32 arg, const ArgText *t, LaunchArg *out, Diag *d);
/* The same of a field of a struct by value, t->name "ARG.FIELD": what else *out holds, or zeros, stays. */
bool launch_parse_field(Launch *l, u32 arg, const ArgText *t, LaunchArg *out, Diag *d);

/* ---- launch_image.c ---- */
/* One pixel of an image format. */
ElemShape launch_image_shape(u32 order, u32 type);
bool launch_image_known(u32 order, u32 type); /* one that the machine can read */
u32 launch_image_piglit(const char *word);    /* the channel order or type that piglit calls so, or 0 */
void launch_print_image(const LaunchArg *a, const KernelArg *k, Buf *out);
void launch_print_sampler(const LaunchArg *a, Buf *out);

/* ---- launch_print.c ---- */
void launch_print_quoted(const char *text, Buf *out);
void launch_print_sizes(const char *option, const u64 v[3], u32 dims, Buf *out);
/* "random", with the range that was given. */
void launch_print_random(const LaunchArg *a, Buf *out);

/* ---- launch_sim.c ---- */
/* The second half of a .sim file: one header and its data per kernel argument. */
bool launch_bind_sim(Launch *l, Diag *d);

/* ---- launch_data.c ---- */
/* How many numbers a range has, or 0 when its steps miss the last. */
u64 launch_range_count(const LaunchArg *a);
void launch_set_buffer_size(LaunchArg *a);

/* ---- launch_pipe.c ---- */
/* An argument becomes a pipe with room for so many packets. */
void launch_pipe_room(LaunchArg *a, u64 packets);
/* The packets that it holds at first, as a buffer. */
LaunchArg launch_pipe_contents(const LaunchArg *pipe);
/* What is in front of them. */
void launch_pipe_begin(const LaunchArg *a, u8 *pipe);
/* The contents of a buffer, image or .sim value but for INIT_FILE. */
void launch_fill(const LaunchArg *a, u64 seed, const char *name, u8 *out);

/* ---- launch_header.c ---- */
bool launch_read_headers(Launch *l, const char *file, const char *text, Diag *d);

/* ---- launch_piglit.c ---- */
/* Values and expected contents from arg_in and arg_out. */
bool launch_bind_piglit(Launch *l, Diag *d);

/* ---- npy.c ---- */
typedef struct NpyInfo {
	ElemShape shape; /* of one component: width 1 */
	u32 ndims;
	u64 dims[8];
	u64 data; /* offset of the data */
} NpyInfo;
bool npy_magic(FILE *f); /* f is at its start, before and after */
/* f is at its start. NULL when all is well, else what is wrong, in the arena. */
const char *npy_header(Arena *a, FILE *f, NpyInfo *out);
/* A header for count elements of the shape (structs: bytes). */
void npy_write_header(const ElemShape *s, u64 count, Buf *out);

#endif
