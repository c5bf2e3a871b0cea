/* What compilers say, as messages with their place (private to frontend/source/). */
#ifndef WAVESIM_FRONTEND_LOG_H
#define WAVESIM_FRONTEND_LOG_H

#include "base/diag.h"

/* Lines like `error: file:13:3: message` (PoCL's) or `file:13:3: error: message` (clang's) become messages of their
 * own. path: the user's file, with that text. options: the compiler's, or NULL. leave_out: of a warning's message,
 * whether it is no concern of the user's; or NULL. */
void log_to_diag(const char *log, const char *path, const char *text, const char *options,
                 bool (*leave_out)(const char *message), Diag *d);

#endif
