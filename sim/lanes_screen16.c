/* Words of 16 bits, for LDS. See screen_words.h. */
#define WORD u16
#define SCREEN screen16
#include "sim/screen_words.h"
