/* How LLVM's bitcode begins, alone or in LLVM's wrapper, and a bundle of it for several chips, as clang writes them. */
#ifndef WAVESIM_ISA_BITCODE_H
#define WAVESIM_ISA_BITCODE_H

#include "base/base.h"

#define BITCODE_BUNDLE "__CLANG_OFFLOAD_BUNDLE__"

static inline bool is_bitcode(const void *p, u64 n)
{
	return n > 4 && (!memcmp(p, "BC\xC0\xDE", 4) || !memcmp(p, "\xDE\xC0\x17\x0B", 4));
}

/* What is found in one. */
typedef struct Bundle {
	const u8 *bitcode; /* for the chip, or else any; NULL: there is none */
	u64 n;
	char of[64]; /* what it is for, "gfx906" */
	Buf machine; /* chips that there is machine code for: the caller's */
	const u8
	    *texts; /* what its bitcode was compiled from (isa/source.h), of a program that did so itself; or NULL */
	u64 ntexts;
} Bundle;

/* n 0: as many bytes as it says. False: it is none. *out is empty before. */
bool bundle_read(const u8 *p, u64 n, const char *chip, Bundle *out);

typedef struct BundleEntry {
	const char *chip; /* of its bitcode; NULL: Bundle.texts */
	u64 n;            /* bytes */
} BundleEntry;
/* How one begins; the bytes of its entries follow. */
void bundle_begin(Buf *out, const BundleEntry *entries, u32 n);

#endif
