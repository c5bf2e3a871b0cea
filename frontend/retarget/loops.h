/* The loops of a function, and what their metadata says (private to frontend/retarget/). LLVM's C interface has no
 * loops: they are found by their back edges, a depth-first search's edges to blocks that it has not left yet, and their
 * blocks backward from there. */
#ifndef WAVESIM_LOOPS_H
#define WAVESIM_LOOPS_H

#include "frontend/module/llvm.h"
#include "frontend/module/module.h"

typedef struct LoopEdge {
	u32 from, next; /* of the same block, + 1 */
} LoopEdge;

typedef struct Loop {
	u32 header, latch;
} Loop;

typedef struct Loops {
	Arena *arena;
	LlvmBlocks all;
	u32 *preds; /* per block: first edge + 1 */
	ARRAY(LoopEdge) edges;
	ARRAY(Loop) v; /* one for each back edge */
	u8 *seen;  /* 0: not yet, 1: on the way, 2: left */
	u32 *body; /* per block: the loop (+ 1) whose body was walked last */
	ARRAY(u32) walked; /* the blocks of that loop */
} Loops;

void loops_open(Loops *f, LLVMValueRef function);
void loops_close(Loops *f);

/* Walks the blocks of a loop, once for each. Returns how many instructions they have, at most `most` + 1, where it
 * stops. */
u32 loop_walk(Loops *f, u32 loop, u32 most);
/* The same; 0: it is not innermost, or has a second latch. */
u32 loop_walk_innermost(Loops *f, u32 loop, u32 most);
/* Is that block in the loop that was walked last? */
static inline bool loop_has(const Loops *f, u32 loop, u32 block) { return f->body[block] == loop + 1; }
/* The branch back, which has the loop's metadata. */
LLVMValueRef loop_latch(const Loops *f, u32 loop);

/* ---- metadata, by that branch ---- */
/* Its node, or NULL. */
LLVMValueRef loop_node(const FeModule *m, LLVMValueRef latch);
/* Has it this word? */
bool loop_says(FeModule *m, LLVMValueRef latch, const char *word);
/* It keeps what there was but for `without`, and gets `more`; either may be NULL. */
void loop_change(FeModule *m, LLVMValueRef latch, const char *without, LLVMMetadataRef more);
void loop_add_word(FeModule *m, LLVMValueRef latch, const char *word);

#endif
