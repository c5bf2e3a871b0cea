/* The table of words.def, by language. */
#include "isa/words.h"

const SourceWords source_words[LANGUAGE_COUNT] = {
	[LANGUAGE_opencl] = {
#define WORD(name, opencl, hip, other) .name = opencl,
#include "isa/words.def"
	},
	[LANGUAGE_hip] = {
#define WORD(name, opencl, hip, other) .name = hip,
#include "isa/words.def"
	},
	[LANGUAGE_other] = {
#define WORD(name, opencl, hip, other) .name = other,
#include "isa/words.def"
	},
};
