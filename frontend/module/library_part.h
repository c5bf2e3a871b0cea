/* The part of a library of functions, a file of bitcode, that a program calls (private to frontend/).
 *
 * LLVM reads the names of all functions of a library, 12,000 and 23,000 of them, before it links a few: most of the
 * time of a build. So what is asked for is made a library of its own, which is kept: the builds of a run (for the
 * machine, for other devices, for advice) ask for the same. */
#ifndef WAVESIM_FRONTEND_LIBRARY_PART_H
#define WAVESIM_FRONTEND_LIBRARY_PART_H

#include "frontend/excerpt.h"

#include <llvm-c/Types.h>

typedef struct LibraryPart {
	ARRAY(const char *) names; /* of functions, in any order; one that the library lacks is left out */
	/* PoCL's: functions that nothing refers to are left out although others might; all variables are declared, as
	 * PoCL copies all of them into a program, and some of its passes look for them. */
	bool on_demand;
} LibraryPart;

/* Copies the name. */
void library_part_add(LibraryPart *p, Arena *a, const char *name);
/* Of the file: the functions of these names with what they call, as bitcode of the LLVM here; it stays until other
 * parts are asked for. NULL: it cannot be read; *why, when not NULL, is LLVM's message to dispose of. Sorts the
 * names. */
const Buf *library_part_bytes(LibraryPart *p, const char *path, char **why);
/* The same as a module. */
LLVMModuleRef library_part_open(LibraryPart *p, LLVMContextRef context, const char *path, char **why);
void library_part_free(LibraryPart *p);

/* Excerpts of these libraries, with what is wanted and what this process's have; and its others. A library that cannot
 * be read has none. In a. */
Excerpts library_excerpts(const ExcerptWants *w, Arena *a);

#endif
