/* Words of 32 bits, for global memory. See screen_words.h. */
#define WORD u32
#define SCREEN screen32
#include "sim/screen_words.h"
