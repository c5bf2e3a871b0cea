/* Memory of LLVM's objects in the fuzz targets of modules.
 *
 * LLVM is not built with sanitizers, so what it does with its own objects is not seen anyway; yet each of them would
 * cost as much as one of ours, and be most of the time. Here they come from lists by size. What ours may see of LLVM's
 * (names, texts) is checked as before: freed memory is poisoned, and taken again only when some dozens of others of
 * its size were. */
#ifndef WAVESIM_LLVM_MEMORY_H
#define WAVESIM_LLVM_MEMORY_H

#include "base/base.h"

#if defined(__clang__) && defined(BUILT_WITH_ASAN)

#include <sanitizer/asan_interface.h>

/* Seen by libstdc++ and LLVM, too: what they take is freed here. */
#define UNSEEN __attribute__((no_sanitize("address"), used, visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

/* In front of each piece. */
typedef struct LlvmPiece LlvmPiece;
struct LlvmPiece {
	LlvmPiece *next; /* that was freed after it */
	size_t units;    /* 0: of no list */
};

enum { LLVM_UNIT = 16, LLVM_UNITS = 64, LLVM_KEPT = 64, LLVM_SLAB = 1 << 18 };

typedef struct LlvmFreed {
	LlvmPiece *first, *last;
	u32 n;
} LlvmFreed;

/* A thread's own: PoCL has some. What one frees that another took is the first one's. */
static _Thread_local LlvmFreed llvm_freed[LLVM_UNITS + 1];
static _Thread_local u8 *llvm_slab;
static _Thread_local size_t llvm_slab_left;

UNSEEN static LlvmPiece *llvm_piece(size_t units)
{
	LlvmFreed *f = &llvm_freed[units];
	LlvmPiece *p = f->first;
	if (f->n > LLVM_KEPT) {
		f->first = p->next;
		f->n--;
		return p;
	}
	size_t size = sizeof *p + units * LLVM_UNIT;
	if (llvm_slab_left < size) {
		llvm_slab = __libc_malloc(LLVM_SLAB);
		llvm_slab_left = llvm_slab ? LLVM_SLAB : 0;
		if (!llvm_slab)
			abort();
		ASAN_POISON_MEMORY_REGION(llvm_slab, LLVM_SLAB);
	}
	p = (LlvmPiece *)(void *)llvm_slab;
	llvm_slab += size;
	llvm_slab_left -= size;
	p->units = units;
	return p;
}

UNSEEN static void *llvm_new(size_t size)
{
	size_t units = size ? (size + LLVM_UNIT - 1) / LLVM_UNIT : 1;
	LlvmPiece *p = units <= LLVM_UNITS ? llvm_piece(units) : __libc_malloc(sizeof *p + size);
	if (!p)
		abort();
	if (units <= LLVM_UNITS)
		ASAN_UNPOISON_MEMORY_REGION(p + 1, size);
	else
		p->units = 0;
	return p + 1;
}

UNSEEN static void llvm_delete(void *v)
{
	if (!v)
		return;
	LlvmPiece *p = (LlvmPiece *)v - 1;
	if (!p->units) {
		__libc_free(p);
		return;
	}
	ASAN_POISON_MEMORY_REGION(v, p->units * LLVM_UNIT);
	LlvmFreed *f = &llvm_freed[p->units];
	if (f->n++)
		f->last->next = p;
	else
		f->first = p;
	f->last = p;
}

/* new, new[], with alignments, and their deletes, by the names that they have in C++. */
#define LLVM_NEW(name, args, call) \
	void *name args; \
	UNSEEN void *name args { return call; }
#define LLVM_DELETE(name, args, call) \
	void name args; \
	UNSEEN void name args { call; }
#define LLVM_ALIGNED(align, size) ((align) <= LLVM_UNIT ? llvm_new(size) : __libc_memalign(align, size))
#define LLVM_ALIGNED_DELETE(align, p) ((align) <= LLVM_UNIT ? llvm_delete(p) : __libc_free(p))
LLVM_NEW(_Znwm, (size_t size), llvm_new(size))
LLVM_NEW(_Znam, (size_t size), llvm_new(size))
LLVM_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), ((void)tag, llvm_new(size)))
LLVM_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), ((void)tag, llvm_new(size)))
LLVM_NEW(_ZnwmSt11align_val_t, (size_t size, size_t align), LLVM_ALIGNED(align, size))
LLVM_NEW(_ZnamSt11align_val_t, (size_t size, size_t align), LLVM_ALIGNED(align, size))
LLVM_DELETE(_ZdlPv, (void *p), llvm_delete(p))
LLVM_DELETE(_ZdaPv, (void *p), llvm_delete(p))
LLVM_DELETE(_ZdlPvm, (void *p, size_t size), ((void)size, llvm_delete(p)))
LLVM_DELETE(_ZdaPvm, (void *p, size_t size), ((void)size, llvm_delete(p)))
LLVM_DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *tag), ((void)tag, llvm_delete(p)))
LLVM_DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *tag), ((void)tag, llvm_delete(p)))
LLVM_DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), LLVM_ALIGNED_DELETE(align, p))
LLVM_DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), LLVM_ALIGNED_DELETE(align, p))
LLVM_DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t size, size_t align),
            ((void)size, LLVM_ALIGNED_DELETE(align, p)))
LLVM_DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t size, size_t align),
            ((void)size, LLVM_ALIGNED_DELETE(align, p)))

#endif
#endif
