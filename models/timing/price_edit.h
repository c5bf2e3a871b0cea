/* Prices of code that was changed, for the question what a change would bring: a copy of a price with
 * further blocks behind those of the Program, which a rewritten record (isa/event.h) can enter. */
#ifndef WAVESIM_PRICE_EDIT_H
#define WAVESIM_PRICE_EDIT_H

#include "models/timing/price.h"

typedef struct PriceEdit {
	Price price;
	u32 nblocks, nins; /* of the Program, and the further ones */
} PriceEdit;

void price_edit_begin(PriceEdit *e, const Price *x, const Program *p);
void price_edit_free(PriceEdit *e);

/* Does the copy lack this instruction (an index of the first price)? */
typedef bool PriceDrop(void *ctx, const PriceIns *x, u32 ins);
/* A block like another one without some of its instructions. Its number. */
u32 price_edit_copy(PriceEdit *e, u32 block, PriceDrop *drop, void *ctx);
/* A block of a vector load and the wait for it. *access: the instruction number for EVENT_ACCESS. */
u32 price_edit_load(PriceEdit *e, const Device *dev, u32 *access);

#endif
