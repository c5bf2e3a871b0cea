/* Misuse of OpenCL by the program (--check=api): a stage in front of the capture layer, which sees every call as the
 * program makes it and passes it on unchanged.
 *
 *   api.def          the functions that it watches
 *   api.c            what was found, where in the program, and how it gets into the launch file
 *   api_objects.c    references that the program holds; what objects are made of; arguments of kernels
 *   api_order.c      which commands are ordered, and which meet in memory
 *   api_commands.c   commands and waiting
 *
 * What is reported is certain from the calls alone, whatever the driver makes of it; but for launches, which may read
 * all that they are given (MISUSE_if_read). Therefore commands that wait for
 * an event which the program itself completes are not judged (the host may order what is not seen here), nor is
 * anything in programs that reach for functions of extensions, or share objects with a graphics library: those make and
 * release objects unseen. `api.lock` guards all of it; it is not held while the driver is called. */
#ifndef WAVESIM_LAYER_API_H
#define WAVESIM_LAYER_API_H

#include "base/hash.h"
#include "traces/capture/layer/layer.h"

typedef enum {
	API_CONTEXT,
	API_QUEUE,
	API_MEMORY,
	API_SAMPLER,
	API_PROGRAM,
	API_KERNEL,
	API_EVENT,
	API_SVM,
	API_KINDS
} ApiKind;
extern const char *const api_kind_name[API_KINDS]; /* "a buffer or image" */

/* Return addresses in the program, and in what it was called through. */
typedef struct ApiPlace {
	void *frames[CAP_FRAMES];
	u32 n;
} ApiPlace;

/* A memory range that the program mapped and has not unmapped. */
typedef struct ApiMapping {
	const void *pointer;
	u64 from, to;
	bool write;
	ApiPlace place;
} ApiMapping;

typedef struct ApiArgument {
	bool set;
	struct ApiObject *memory; /* that it is, or NULL … */
	u64 serial;               /* … by its serial */
} ApiArgument;

/* A command by its slot; it is another one when the serial differs. */
typedef struct ApiHandle {
	u32 slot;
	u64 serial; /* 0: none */
} ApiHandle;

/* What a handle means; one stays when its object is gone, until the driver gives the handle to another. */
typedef struct ApiObject {
	ApiKind kind;
	void *handle;
	u64 serial;  /* of all objects that were made */
	u32 owned;   /* references that the program has; 0: none */
	ApiPlace made, gone;
	u32 children;             /* memory: parts of it that are alive; queue: times it was lent */
	struct ApiObject *parent; /* memory: that it is a part of, or NULL … */
	u64 origin;               /* … from this byte on */
	u64 size, flags;          /* memory */
	bool image;
	ARRAY(ApiMapping) mappings; /* memory that is no part */
	bool out_of_order;          /* queue */
	ApiHandle last;             /* queue: what later commands of it come after; event: its command */
	bool user;                  /* event: that the program itself completes */
	ARRAY(ApiArgument) args;    /* kernel */
	char *name;                 /* kernel */
} ApiObject;

/* Memory that a command touches: all bytes of the range, or (some) one or more of them that nobody here knows. */
typedef struct ApiAccess {
	ApiObject *memory; /* that is no part; NULL: of the host, by address */
	u64 serial, from, to;
	bool write, some;
	bool argument; /* of a launch, which may not touch it unless it writes it */
} ApiAccess;

enum { API_SLOTS = 128, API_ACCESSES = 64 };
typedef struct ApiCommand {
	const char *name;
	cl_command_queue queue;
	cl_uint nwait;
	const cl_event *wait;
	bool blocking, barrier, after_all; /* barrier: later ones wait for it; after_all: it waits for all before it */
	bool found;                        /* misuse, by this call */
	ApiAccess accesses[API_ACCESSES];
	u32 naccesses;
	/* ---- in flight ---- */
	u64 serial, before[API_SLOTS / 64]; /* slots of commands that are ordered before it */
	bool held; /* it waits for what is not seen here */
	ApiPlace place;
} ApiCommand;

typedef struct Api {
	bool on;
	_Atomic bool blind; /* objects are made and released unseen */
	cl_icd_dispatch inner; /* the capture layer's */
	pthread_mutex_t lock;
	Arena *arena;
	Map *objects; /* ApiObject by handle */
	ARRAY(ApiObject *) all;
	ApiCommand *slots; /* API_SLOTS; serial 0: free */
	u64 serials;
	ARRAY(CapMisuse) misuses;
	ARRAY(ApiPlace) places; /* of each of them … */
	HashIndex known;        /* … which is found by class, place and text */
	u32 written;            /* of them */
	u64 unlisted, leaked;   /* more, which found no room; leaked: of MISUSE_leaked */
} Api;
extern Api api;

/* ---- api.c ---- */
/* Watch: layer.own is the capture layer's table with n entries, and this stage's afterwards. */
void api_begin(size_t n);
/* The program has ended: what it did not release. */
void api_leaks(void);
/* Write what was found. Needs capture. */
void api_write(void);
void api_lock(void);
void api_unlock(void); /* what was found meanwhile goes to the file, if no other thread keeps a launch */
void api_place(ApiPlace *out);
/* All need api.lock. other NULL: there is no other place. */
void api_misuse(MisuseClass class, const ApiPlace *place, const char *other_text, const ApiPlace *other,
                const char *fmt, ...) PRINTF_LIKE(5, 6);

/* ---- api_objects.c ---- */
ApiObject *api_find(ApiKind kind, const void *handle); /* NULL: not known */
ApiObject *api_made(ApiKind kind, void *handle);       /* NULL passes; takes the lock itself */
/* A call uses it: is it there? False: misuse was found. */
bool api_use(ApiKind kind, const void *handle, const char *call);
bool api_alive(const ApiObject *o, u64 serial); /* it, or a part of it */

/* ---- api_order.c ---- */
void order_access(ApiCommand *c, ApiAccess a);
/* Of memory, from its own first byte on; size UINT64_MAX: all of it, some bytes. */
void order_memory(ApiCommand *c, cl_mem m, u64 at, u64 size, bool write, bool some);
void order_host(ApiCommand *c, const void *p, u64 size, bool write);
/* The command's accesses are compared with mappings, then with commands in flight, and it is one of them. */
void order_mapped(ApiCommand *c);
ApiHandle order_start(const ApiCommand *c);
void order_complete(ApiHandle h);
void order_finish(const void *queue); /* all of its commands */

/* A launch: what it changed in memory (the capture layer compares that) is said between begins and order_launch, which
 * gives the command its accesses. */
void order_launch_begins(void);
void api_changed(const void *handle, u64 from, u64 to);
void order_launch(ApiCommand *c, const ApiObject *kernel);

#define CHECKED(name) extern __typeof__(name) api_##name;
#include "traces/capture/layer/api.def"

#endif
