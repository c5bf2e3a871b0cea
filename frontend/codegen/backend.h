/* The code generators that LLVM has for AMD's chips, and all that differs between them: a row each of
 * backends[] (private to frontend/). codegen.c runs any of them without knowing which.
 *
 * The module is one for amdgcn throughout: of a chip that another back end knows, FeModule.cpu is a
 * stand-in, and FeModule.chip the chip itself. The optimiser may ask what code costs there
 * (pipeline.c); only the child that generates the code converts its copy of the module. */
#ifndef WAVESIM_FRONTEND_BACKEND_H
#define WAVESIM_FRONTEND_BACKEND_H

#include "frontend/module/module.h"
#include "isa/machine.h"
#include "isa/r600.h"

/* What is read, and what the reader must know of the IR. */
typedef struct Assembly {
	const char *kernel, *text;
	const u32 *block_of; /* per number of an IR instruction: its block's */
	Arena *arena;        /* for strings */
} Assembly;

typedef struct Backend {
	const char *name;   /* LLVM's, as messages say it */
	const char *triple;
	/* of the child that generates the code */
	u64 max_memory;     /* bytes; 0: as much as there is */
	bool errors_end;    /* what LLVM calls an error is the end; else its code counts all the same */
	/* Make amdgcn's module one for m->chip. A reason why not, or NULL. No function: it is one. */
	const char *(*convert)(FeModule *m);
	bool comments;      /* the assembly is to have LLVM's comments */
	/* of the parent, which reads the assembly */
	/* Fills in c, and r where r600 is set. False: the text is not what LLVM prints. */
	bool (*read)(const Assembly *in, MachineCode *c, R600Code *r);
	bool r600;          /* R600Code tells more of it than MachineCode */
	u32 inline_bytes;   /* a copy or fill of a known size that is larger becomes a loop */
	const char *called; /* operations for which LLVM would call functions that do not exist */
} Backend;

typedef enum { BACKEND_amdgcn, BACKEND_r600, BACKEND_COUNT } BackendId;
extern const Backend backends[BACKEND_COUNT];

/* What LLVM says it cannot do, in words. Addresses differ from run to run and end it. */
const char *backend_reason(const Backend *b, const char *message, Arena *a);

#endif
