/* Growing of hash sets; see hash.h. */
#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void hash_set_grow(HashSet *s)
{
	HashSet old = *s;
	*s = (HashSet){.slots = old.slots ? old.slots * 2 : FIRST_SLOTS};
	s->slot = xcalloc(s->slots, sizeof *s->slot);
	for (u64 i = 0; i < old.slots; i++)
		if (old.slot[i])
			hash_set_add(s, old.slot[i] - 1);
	hash_set_free(&old);
}

void hash_index_grow(HashIndex *x)
{
	HashIndex old = *x;
	*x = (HashIndex){.slots = old.slots ? old.slots * 2 : FIRST_SLOTS};
	x->slot = xcalloc(x->slots, sizeof *x->slot);
	for (u32 i = 0; i < old.slots; i++)
		if (old.slot[i])
			hash_index_add(x, old.slot[i], (u32)old.slot[i] - 1);
	hash_index_free(&old);
}
