/* How LLVM's bitcode begins, alone or in LLVM's wrapper, and a bundle of it for several chips, as clang writes them. */
#ifndef WAVESIM_ISA_BITCODE_H
#define WAVESIM_ISA_BITCODE_H

#include "base/base.h"

#define BITCODE_BUNDLE "__CLANG_OFFLOAD_BUNDLE__"

static inline bool is_bitcode(const void *p, u64 n)
{
	return n > 4 && (!memcmp(p, "BC\xC0\xDE", 4) || !memcmp(p, "\xDE\xC0\x17\x0B", 4));
}

#endif
