/* Prices of changed code: see price_edit.h. */
#include "models/timing/price_edit.h"

#define COPY(to, from) \
	do { \
		array_reserve(&(to), (from).n + 1); \
		if ((from).n) \
			memcpy((to).v, (from).v, (from).n * sizeof *(from).v); \
		(to).n = (from).n; \
	} while (0)

void price_edit_begin(PriceEdit *e, const Price *x, const Program *p)
{
	*e = (PriceEdit){.nblocks = p->blocks.n, .nins = p->ins.n};
	Price *to = &e->price;
	*to = (Price){.source = x->source, .naccesses = x->naccesses, .wave = x->wave};
	COPY(to->ins, x->ins);
	COPY(to->pieces, x->pieces);
	COPY(to->access_of, x->access_of);
	COPY(to->lines, x->lines);
	to->first_piece = xmalloc((e->nblocks + 1) * sizeof *to->first_piece);
	memcpy(to->first_piece, x->first_piece, (e->nblocks + 1) * sizeof *to->first_piece);
	to->access = xmalloc((e->nins + 1) * sizeof *to->access);
	if (e->nins)
		memcpy(to->access, x->access, e->nins * sizeof *to->access);
}

void price_edit_free(PriceEdit *e)
{
	array_free(&e->price.ins);
	array_free(&e->price.pieces);
	array_free(&e->price.access_of);
	array_free(&e->price.lines);
	free(e->price.first_piece);
	free(e->price.access);
}

/* The pieces added since then are a block. */
static u32 end_block(PriceEdit *e)
{
	Price *x = &e->price;
	x->first_piece = xrealloc(x->first_piece, (e->nblocks + 2) * sizeof *x->first_piece);
	x->first_piece[e->nblocks + 1] = x->pieces.n;
	return e->nblocks++;
}

u32 price_edit_copy(PriceEdit *e, u32 block, PriceDrop *drop, void *ctx)
{
	Price *x = &e->price;
	u32 from = x->first_piece[block], to = x->first_piece[block + 1];
	for (u32 k = from; k < to; k++) {
		PricePiece piece = x->pieces.v[k];
		u32 first = x->ins.n;
		for (u32 i = piece.first; i < piece.first + piece.n; i++) {
			PriceIns ins = x->ins.v[i];
			if (!drop(ctx, &ins, i))
				array_push(&x->ins, ins);
		}
		array_push(&x->pieces, ((PricePiece){first, x->ins.n - first, piece.rate}));
	}
	return end_block(e);
}

u32 price_edit_load(PriceEdit *e, const Device *dev, u32 *access)
{
	Price *x = &e->price;
	x->access = xrealloc(x->access, (e->nins + 1) * sizeof *x->access);
	x->access[e->nins] = x->naccesses;
	*access = e->nins++;
	PriceIns load = {.cls = MC_vmem_load, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1,
	                 .first_access = x->access_of.n, .naccess = 1};
	load.cycles = (u16)price_cycles(dev, MC_vmem_load, x->wave);
	PriceIns wait = {.cls = MC_waitcnt, .vm = 0, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1};
	array_push(&x->access_of, x->naccesses);
	x->naccesses += 2;
	array_push(&x->ins, load);
	array_push(&x->ins, wait);
	array_push(&x->pieces, ((PricePiece){x->ins.n - 2, 2, 1}));
	return end_block(e);
}
