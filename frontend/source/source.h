/* What comes in, as bitcode (private to frontend/).
 *
 *   in    FeOptions: a file, a text, or all that a host program built a program from
 *   out   Source: bitcode for PoCL's x86 device or for amdgcn, unoptimised, with debug lines
 *
 * Each kind of input is a row of frontend/inputs.def and a folder here with its input_NAME(). */
#ifndef WAVESIM_FRONTEND_SOURCE_H
#define WAVESIM_FRONTEND_SOURCE_H

#include "frontend/frontend.h"
#include "frontend/made_of.h"

/* What an earlier Source of equal text and build options was: it need not be made again. */
typedef struct FeBitcode {
	const u8 *bytes; /* NULL: there is none yet */
	u64 n;
	const char *library; /* of PoCL's built-in functions */
	const char *target;  /* what else it was made for; NULL: it is for any device and kernel */
	const char *refused; /* Source.refused */
	const char *launches; /* Source.launches */
} FeBitcode;

typedef struct Source {
	char *text;    /* as the user wrote it, for messages; NULL: there is none */
	char *bitcode; /* of an input that is no text, its bytes */
	size_t size;
	char *library; /* file of PoCL's built-in functions, which are still to be linked; NULL: they are */
	char *target;  /* FeBitcode.target */
	char *refused; /* why it is not PoCL's work: what PoCL's compiler says; or NULL */
	char *launches; /* of the host's part (module/launches.h), with FeOptions.launches; or NULL */
	bool foreign;  /* of unknown origin: LLVM may crash on it */
	MadeOf made_of;
} Source;

/* built: with bytes, taken in place of PoCL's work. The caller frees out in every case. False on errors. */
bool source_read(const FeOptions *o, const FeBitcode *built, Source *out, Diag *d);
void source_free(Source *s);
FeBitcode source_bitcode(const Source *s);

/* A row's function: fills in what source_read left, which has read text or bitcode from the file. False on errors. */
#define INPUT(name, endings, text, own, language) \
	bool input_##name(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d);
#include "frontend/inputs.def"

#endif
