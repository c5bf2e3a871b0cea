/* Launch files: what a host program asked of OpenCL, kept so that it can be done again.
 *
 *   host program ── OpenCL loader ── capture layer (traces/capture/layer/) ── driver
 *                                         │ CapWriter
 *                                         ▼
 *                                   app.launches ── CapFile ──▶ wavesim replay, launches, run
 *                                                               wavesim-runner
 *
 * The layer is between the program and the driver (OPENCL_LAYERS). It keeps what the driver cannot
 * tell later (sources, arguments, sizes), and around each launch that is wanted it
 * reads the memory that the kernel can reach: once before, once after. Nothing else of the program
 * changes. A launch is written when it is complete, so a killed program leaves all launches before.
 *
 * The file is a sequence of records after a short head, only ever appended to:
 *
 *   head      "WSLAUNCH", version, checksum
 *   record    kind, bytes stored, bytes unpacked, checksum of head and payload; payload
 *
 *   HOST      command line of the program
 *   DEVICE    name, driver, … of a device that launches ran on
 *   PROGRAM   sources, options and included files of what was built; or its binary
 *   CHUNK     up to CAP_CHUNK bytes of memory, stored once
 *   CONTENT   what an object holds: the numbers of its chunks (0: zeros), stored once
 *   LAUNCH    kernel, sizes, arguments, objects with the CONTENT before and after, times; before the kernel runs
 *             CAP_BEGUN, which the one when it has run replaces
 *   REFUSED   a launch that the driver refused, with its error
 *   FAILED    another call that the driver refused, with its error
 *   MISUSE    what the program did wrong with OpenCL, if that was asked for; one with the number of an earlier one
 *             replaces it, with a count of 0: withdraws it
 *   END       the program ended by itself
 *
 * CHUNKs and CONTENTs are counted from 1 in the order of the file; PROGRAMs and
 * DEVICEs likewise. Payloads are packed with zstd where that makes them smaller. A record that the
 * file ends in is left out when it is opened (truncated says so); one whose checksum is wrong is an
 * error. Memory (CHUNK) is read, unpacked and checked only when it is asked for.
 *
 * Numbers in payloads are variable-length integers; one function for each kind of record
 * (capture_code.c) both writes and reads it. To add a field: there, at the end of the record, with a
 * new CAP_VERSION; the reader then knows from the file's version whether it is there. So for a new value of
 * an enum: readers of before call a file damaged that holds it.
 *
 *   version 2   CAP_UNWANTED; before, such launches were CAP_PASSED, with "not wanted" for a reason
 *   version 3   CAP_BEGUN, REFUSED
 *   version 4   MISUSE
 *   version 5   FAILED
 *   version 6   MISUSE: MISUSE_if_read, a count of 0
 *   version 7   PROGRAM: the variables of HIP's, if it has any
 *   version 8   PROGRAM: the texts of HIP's that were no files, if it has any */
#ifndef WAVESIM_CAPTURE_H
#define WAVESIM_CAPTURE_H

#include "base/base.h"
#include "base/diag.h"
#include "isa/source.h"

enum { CAP_VERSION = 8, CAP_CHUNK = 256 << 10, CAP_PATH = 4096 };

typedef struct CapHost {
	const char *command; /* words joined by blanks */
	const char *folder;  /* current when it began */
} CapHost;

typedef struct CapDevice {
	const char *name, *vendor, *version, *driver, *platform;
	u64 type; /* OpenCL's bits */
	u32 units;
} CapDevice;

typedef enum { CAP_BUFFER, CAP_SVM, CAP_IMAGE } CapObjectKind;

/* Memory that a launch can reach. */
typedef struct CapObject {
	u8 kind;    /* CapObjectKind */
	u64 size;   /* bytes; of an image: of its pixels, without gaps */
	u64 base;   /* BUFFER: where it starts in the buffer it is part of; SVM: its address */
	u64 flags;  /* cl_mem_flags */
	u32 before, after; /* CONTENT; 0: not kept */
	/* IMAGE, in OpenCL's numbers */
	u32 image_type, order, type;
	u64 extent[3]; /* width, height, depth or layers; 1 where there is none */
} CapObject;

typedef enum { CAP_BYTES, CAP_NOTHING, CAP_SAMPLER, CAP_UNSET } CapArgKind;

/* An argument. Which of bytes and object is meant is known from the kernel's own types. */
typedef struct CapArg {
	u8 kind;  /* CapArgKind; NOTHING: a size without a value, as local memory has */
	u64 size;
	const u8 *bytes;
	u32 object; /* the bytes are a handle of it: number + 1; 0: they are none */
	u64 at;     /* where in the object it starts */
	u64 length; /* bytes of it that it may use */
	u32 addressing, filter; /* SAMPLER */
	bool normalized;
} CapArg;

typedef enum {
	CAP_KEPT,    /* with its memory */
	CAP_PASSED,  /* its memory could not be kept; why is the reason */
	CAP_UNWANTED, /* --launches, --kernels or --once left it out */
	CAP_BEGUN,   /* the program ended while it ran: what was there before is kept */
} CapState;

typedef struct CapLaunch {
	u64 number; /* of the program's launches, from 1 */
	u8 state;   /* CapState */
	const char *why;
	u32 program, device; /* numbers of their records */
	const char *kernel;
	u32 dims;
	u64 global[3], local[3], offset[3];
	bool local_chosen; /* the program left it open; local[0] = 0: only the driver knows */
	u32 context, queue, thread; /* counted from 1 */
	u64 queued, submitted, started, ended; /* event times in ns, or 0 */
	CapObject *objects;
	u32 nobjects;
	CapArg *args;
	u32 nargs;
} CapLaunch;

/* A launch that the driver refused. */
typedef struct CapRefused {
	const char *kernel;
	u32 dims;
	u64 global[3], local[3]; /* local[0] = 0: the driver's choice */
	u32 error; /* of OpenCL, negated */
	bool begun; /* it is the CAP_BEGUN just before */
} CapRefused;

/* Another call that the driver refused. */
typedef struct CapFailed {
	const char *call, *about; /* about: the kernel's name, the first error of a build …, or "" */
	u32 error; /* of OpenCL, negated */
} CapFailed;

/* ---- misuse of OpenCL ---- */

#define MISUSE(name, severity, hint) MISUSE_##name,
typedef enum {
#include "traces/capture/misuse.def"
	MISUSE_COUNT
} MisuseClass;

/* A place in a program that ran: a return address, as the file that it is in tells it. */
typedef struct CapFrame {
	const char *file; /* of the program or library */
	u64 address;      /* in it, as its ELF file counts */
} CapFrame;

enum { CAP_FRAMES = 16 };
typedef struct CapPlace {
	CapFrame *frames; /* innermost first */
	u32 n;
} CapPlace;

typedef struct CapMisuse {
	u32 number; /* from 1 */
	u32 class;  /* MisuseClass */
	u64 count;  /* how often, there */
	const char *text;  /* what was done: "clReleaseMemObject of …" */
	CapPlace place;
	const char *other; /* what the other place is: "released before", or NULL */
	CapPlace other_place;
} CapMisuse;

/* ---- capture_write.c ---- */

typedef struct CapWriter CapWriter;
/* A new file; NULL (and errno) when it cannot be made, or is there already. limit: bytes that
 * the file may grow to. One thread at a time may use a writer. */
CapWriter *cap_create(const char *path, u64 limit);
/* The same for a process that may not become one with a launch: beside the launch file `path`, called
 * path CAP_UNNAMED PROCESS, which *name gets. */
#define CAP_UNNAMED ".without-launch."
CapWriter *cap_create_unnamed(const char *path, u64 limit, char name[CAP_PATH]);
/* Give a file the first that is free of path, path.2, path.3 …; false: none was. */
bool cap_name(const char *from, const char *path);
/* A file that is there, for more records; NULL (and errno) when it cannot be written. */
CapWriter *cap_append(const char *path);
void cap_finish(CapWriter *w); /* writes END */
void cap_leave(CapWriter *w);  /* does not */
/* False, and why, when something could not be written: nothing will be from then on. */
bool cap_good(const CapWriter *w, const char **why);
bool cap_full(const CapWriter *w); /* the limit is reached: no more memory is kept */
void cap_put_host(CapWriter *w, CapHost *h);
u32 cap_put_device(CapWriter *w, CapDevice *d);
u32 cap_put_program(CapWriter *w, SrcProgram *p);
void cap_put_launch(CapWriter *w, CapLaunch *l);
void cap_put_refused(CapWriter *w, CapRefused *r);
void cap_put_failed(CapWriter *w, CapFailed *f);
void cap_put_misuse(CapWriter *w, CapMisuse *m);
/* The content of an object, in parts: begin, any number of adds, end gives its number. */
void cap_content_begin(CapWriter *w);
void cap_content_add(CapWriter *w, const void *bytes, size_t n);
u32 cap_content_end(CapWriter *w);

/* ---- capture_read.c ---- */

typedef struct CapFile {
	const char *path;
	u32 version;
	bool ended;     /* the program ended by itself */
	bool truncated; /* the last record is not complete */
	bool own;       /* the user's own program just made it: it may name this machine's files */
	CapHost host;
	ARRAY(CapDevice) devices;   /* record number - 1 */
	ARRAY(SrcProgram) programs; /* record number - 1 */
	ARRAY(CapLaunch) launches;
	ARRAY(CapRefused) refused;
	ARRAY(CapFailed) failed;
	ARRAY(CapMisuse) misuses; /* in the order of their numbers */
	struct CapIndex *index; /* where memory lies (capture_read.c) */
	Arena *arena;
} CapFile;

bool cap_is_file(const char *path); /* does it begin as one? */
CapFile *cap_open(const char *path, Diag *d);
/* The same of a file that the user's own program has just made: what its build options name may be read, too. */
CapFile *cap_open_own(const char *path, Diag *d);
/* The same of bytes, which must outlive it. */
CapFile *cap_open_bytes(const char *path, const u8 *bytes, u64 n, Diag *d);
void cap_close(CapFile *f);
/* Are the checksums of all memory right? Reads the whole file. */
bool cap_check(const CapFile *f, Diag *d);
/* A program that failed may leave without releasing anything: take that out of what the file calls misuse. */
bool cap_withdraw_leaks(const char *path, Diag *d);
/* Of the whole file: what its launches are known by elsewhere. */
u64 cap_hash(const CapFile *f);
/* Why the memory of a launch is not there; NULL: it is. */
const char *cap_why_missing(const CapLaunch *l);
/* Bytes that a content holds; 0 for content 0. */
u64 cap_content_size(const CapFile *f, u32 content);
/* All bytes of a content into out[cap_content_size]. */
bool cap_load(const CapFile *f, u32 content, u8 *out, Diag *d);
/* Bytes of the file that the memory takes, and how much it would be if every launch had its own. */
typedef struct CapSizes {
	u64 file, chunks, memory;
} CapSizes;
void cap_sizes(const CapFile *f, CapSizes *out);

#endif
