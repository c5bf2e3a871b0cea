/* The sources of a program that is more than one text: what a launch file says of it, and what the
 * front end builds. */
#ifndef WAVESIM_SOURCE_H
#define WAVESIM_SOURCE_H

#include "base/codec.h"

typedef struct SrcInclude {
	const char *name; /* relative, without ".." */
	const char *text;
} SrcInclude;

/* One source that is compiled. */
typedef struct SrcUnit {
	const char *source, *options;
	SrcInclude *includes;
	u32 nincludes;
} SrcUnit;

/* One unit: built at once. Several, or linked: compiled each, then linked with options. */
typedef struct SrcProgram {
	const char *options; /* of the build or the link */
	SrcUnit *units;
	u32 nunits;
	bool linked;
	const u8 *binary; /* of the device, where there is no source */
	u64 nbinary;
	const char *missing; /* why there is neither, or NULL */
} SrcProgram;

/* May a file be made under this name: relative, without ".."? */
bool source_safe_name(const char *name);
/* What unit i is called where the program is called path: "p.cl", "p-2.cl" … In the arena. */
const char *source_unit_name(const char *path, u32 i, Arena *a);
/* Files that unit N includes lie below such a folder, when they have names that others have for other texts. */
#define SOURCE_UNIT_FOLDER "unit-%u"
/* The text of the file that the program calls so, or NULL: a unit, one of its includes, or one in its folder. */
const char *source_text(const SrcProgram *p, const char *path, const char *name, Arena *a);

/* The fields of all of it, in order (base/codec.h). */
void source_code(Codec *c, SrcProgram *p);

#endif
