/* Bytes of a word that change places, as another maker's chip does it (private to frontend/). */
#ifndef WAVESIM_FRONTEND_BYTES_H
#define WAVESIM_FRONTEND_BYTES_H

#include "frontend/module/module.h"

/* as_uint(as_uchar4(x).s1032), or of bytes of two words, is one operation of the wave machine, as NVIDIA's PRMT is. */
void bytes_permute(FeModule *m);

#endif
