/* The kinds of files that are run, by the ending of their names: inputs.def. */
#ifndef WAVESIM_FRONTEND_INPUT_H
#define WAVESIM_FRONTEND_INPUT_H

#include "base/base.h"

typedef enum {
#define INPUT(name, ending, text, no_reference) INPUT_##name,
#define OTHER(name, ending) INPUT_##name,
#include "frontend/inputs.def"
	INPUT_COUNT
} InputKind;

typedef struct Input {
	const char *ending;       /* NULL: no file */
	bool text;                /* else bytes */
	const char *no_reference; /* why PoCL cannot run it natively, or NULL */
} Input;
extern const Input inputs[INPUT_COUNT];

InputKind input_kind(const char *path);

#endif
