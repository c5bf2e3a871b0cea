/* A source and the files that it includes. */
#ifndef WAVESIM_CLI_SOURCES_H
#define WAVESIM_CLI_SOURCES_H

#include "base/base.h"

/* One of them, n bytes of text that last until it returns. False: end here. */
typedef bool SourceEach(void *ctx, const char *path, const char *text, size_t n);
/* Each file that is there, once, the source first: what #include names is looked for beside the file, where the
 * program was started and in the folders of -I of options (engine_build_options; NULL: none). Names that a macro makes,
 * and conditions around an #include, are not looked at. False: each ended it. */
bool sources_walk(const char *path, const char *options, SourceEach *each, void *ctx);

#endif
