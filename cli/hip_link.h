/* -fgpu-rdc: programs whose device code is in several files. Each object carries the bitcode of its own (hip_carry.c);
 * the link makes one fat binary of all (hip_link.c). */
#ifndef WAVESIM_CLI_HIP_LINK_H
#define WAVESIM_CLI_HIP_LINK_H

#include "cli/hip.h"

#define HIP_CARRIED ".wavesim.device" /* the section of objects */

/* Names in needs and has stand between spaces; needs has those only that no run time can have. */
typedef struct HipCarried {
	const char *source, *chips, *needs, *has;
	const u8 *bundle; /* a fat binary */
	u64 nbundle;
} HipCarried;
typedef ARRAY(HipCarried) HipCarriedList;

/* Correct the names of static variables in bitcode; as text it is in the other file then (hip_static.c). */
bool hip_name_statics(const HipTools *t, const char *bitcode, const char *text, Diag *d);

/* Add to the host's part, as assembly, what c has: source, chips and bundle. `text`: a file with LLVM's text of the
 * device's part, for the names. */
bool hip_carry(const HipTools *t, const HipCarried *c, const char *text, const char *assembly, Diag *d);
/* A section, or several that were joined. The strings are within it. */
bool hip_carried(const char *section, u64 n, HipCarriedList *out);

/* Has that file such a section? One of these objects and archives? */
bool hip_file_carries(const char *file);
bool hip_carries(const HipWords *files);

/* The names of a source's device part, from LLVM's text of it: needs and has. */
bool hip_names(const HipTools *t, const char *text, HipCarried *c, Diag *d);
/* Has one of these what each of them needs? False: d says what is missing, and the hint. */
bool hip_has_all(const HipTools *t, const HipCarriedList *carried, const char *hint, Diag *d);

/* One module of several. */
bool hip_link_bitcode(const HipTools *t, const HipWords *files, const char *out, Diag *d);
/* Link a program. words: clang and all that it is to link, without -o; chips: empty for those that all objects have. */
bool hip_link(const HipTools *t, const HipWords *words, const HipWords *chips, const char *output, Diag *d);

#endif
