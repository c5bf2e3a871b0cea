/* How often a loop runs, where the source says it (private to frontend/retarget/). */
#ifndef WAVESIM_TURNS_H
#define WAVESIM_TURNS_H

#include "frontend/retarget/loops.h"

/* What a loop's last branch compares. */
typedef struct LoopTest {
	LLVMValueRef counter; /* a variable that each turn adds something to, or NULL */
	LLVMValueRef step;    /* that something */
	LLVMValueRef next;    /* the counter of the next turn */
	bool before;          /* the counter is compared before it is added to */
	LLVMValueRef bound;   /* what it is compared with */
} LoopTest;

LoopTest loop_test(LLVMValueRef branch);

/* Its turns, which the source says; 0: only the run knows, or they could not be found. */
u64 loop_turns(const Loops *f, u32 loop, const LoopTest *test);

/* LLVM 18 may keep a counter of 32 bits as one of 64: added to with 32, and widened. */
LLVMValueRef loop_unwidened(LLVMValueRef v);

#endif
