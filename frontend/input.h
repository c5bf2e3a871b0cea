/* The kinds of files that are run, by the endings of their names: inputs.def. */
#ifndef WAVESIM_FRONTEND_INPUT_H
#define WAVESIM_FRONTEND_INPUT_H

#include "isa/words.h"

#include "base/base.h"

typedef enum {
#define INPUT(name, endings, text, own, language) INPUT_##name,
#define OTHER(name, endings) INPUT_##name,
#include "frontend/inputs.def"
	INPUT_COUNT
} InputKind;

typedef struct Input {
	const char *endings;      /* with blanks between; NULL: no file */
	bool text;                /* else bytes */
	bool own;                 /* PoCL cannot run it natively: the helper does itself */
	Language language;
} Input;
extern const Input inputs[INPUT_COUNT];

InputKind input_kind(const char *path);

#endif
