/* Messages about a kernel speak the words of its source: words.def. */
#ifndef WAVESIM_WORDS_H
#define WAVESIM_WORDS_H

typedef enum {
	LANGUAGE_opencl,
	LANGUAGE_hip,
	LANGUAGE_other, /* no text, or none that is known */
	LANGUAGE_COUNT
} Language;

typedef struct SourceWords {
#define WORD(name, opencl, hip, other) const char *name;
#include "isa/words.def"
} SourceWords;
extern const SourceWords source_words[LANGUAGE_COUNT];

#endif
