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

/* A variable of device memory and where the program had it, at that address of its own and of the device's. */
typedef struct SrcPlaced {
	const char *symbol;
	u64 address;
} SrcPlaced;

/* One unit: built at once. Several, or linked: compiled each, then linked with options. */
typedef struct SrcProgram {
	const char *options; /* of the build or the link */
	SrcUnit *units;
	u32 nunits;
	bool linked;
	const u8 *binary; /* of the device, where there is no source */
	u64 nbinary;
	const char *missing; /* why there is neither, or NULL */
	SrcPlaced *placed;   /* of HIP's, all that its kernels can name */
	u32 nplaced;
	SrcInclude *texts; /* of HIP's that the program compiled while it ran: what was no file, by any name */
	u32 ntexts;
	bool own; /* the user's own program has it: LLVM is not expected to crash on it. No part of any record */
} SrcProgram;

/* An option of a build, as far as a file may ask for it: files choose macros, language, warnings and how fast the code
 * is. What a driver does with others is not known: some read files, some write them. */
typedef struct SrcOption {
	const char *text;   /* as it was written, with its operand */
	const char *folder; /* of -I, or NULL */
	bool harmless;      /* also however a driver splits quoted words; of -I: if the folder may be read */
} SrcOption;
/* The next one of *options, in the arena; false: there is none. */
bool source_option(const char **options, SrcOption *out, Arena *a);
/* The language that options (or NULL) ask for by their last -cl-std=CL: '1', '2' or '3' of OpenCL C, 'C' of C++; 0:
 * they name none. */
char source_std(const char *options);
/* Leave the folders of included files out of a program's options: what was included is part of it. */
void source_leave_folders(SrcProgram *p, Arena *a);
/* The first option of a program's that a file may not ask for, or NULL. */
const char *source_options_fault(const SrcProgram *p, Arena *a);
/* May a file be made under this name: relative, without ".."? */
bool source_safe_name(const char *name);
/* What unit i is called where the program is called path: "p.cl", "p-2.cl" … In the arena. */
const char *source_unit_name(const char *path, u32 i, Arena *a);
/* Files that unit N includes lie below such a folder, when they have names that others have for other texts. */
#define SOURCE_UNIT_FOLDER "unit-%u"
/* The text of the file that the program calls so, or NULL: a unit, one of its includes, or one in its folder, or one of
 * its texts. */
const char *source_text(const SrcProgram *p, const char *path, const char *name, Arena *a);

/* Behind the comment, the string or the character that begins at s; s: none does. */
const char *source_skip(const char *s);
/* A step over a text of C: all of a comment, of a string or character, of a word, of some blanks; else one
 * character. */
typedef enum SrcKind { SRC_OTHER, SRC_BLANK, SRC_COMMENT, SRC_QUOTED, SRC_WORD } SrcKind;
typedef struct SrcStep {
	SrcKind kind;
	const char *at;
	size_t n;
} SrcStep;
/* The step at *s, which moves behind it; false: the text ends there. */
bool source_next(const char **s, SrcStep *out);
/* Is it that word? */
bool source_is(const SrcStep *step, const char *word);
/* Is it that character, in no comment, string or word? */
static inline bool source_is_char(const SrcStep *step, char c) { return step->kind == SRC_OTHER && *step->at == c; }
/* The name alone, of "space::sum<float, 256>(float*)", and its length. */
const char *source_bare_name(const char *name, size_t *n);
/* Does a body come before the next semicolon? */
bool source_defines(const char *s);

/* Lines of a text from one on that `#line` numbers anew. */
typedef struct SrcLines {
	u32 from, number;
	const char *file; /* NULL: the text's own */
} SrcLines;
typedef ARRAY(SrcLines) SrcNumbers;
/* All of them, in order, the text's own numbering first; names are the arena's. */
void source_numbers(const char *text, SrcNumbers *out, Arena *a);
/* The line of the text that is presumed to be this one of file (NULL: its own); 0: there is none. */
u32 source_physical(const SrcNumbers *all, const char *file, u32 line);
/* What a line of the text is presumed to be. */
SrcLines source_presumed(const SrcNumbers *all, u32 line);

/* Is it a program of HIP's, which came as bitcode for amdgcn? */
bool source_is_hip(const SrcProgram *p);
/* The fields of all of it, in order (base/codec.h); and behind them its variables. */
void source_code(Codec *c, SrcProgram *p);
void source_code_placed(Codec *c, SrcProgram *p);
void source_code_texts(Codec *c, SrcProgram *p);
void source_code_include(Codec *c, SrcInclude *i);

#endif
