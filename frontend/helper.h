/* The helper: a process of its own, wavesim-helper, in which compilers and native code run.
 *
 * A program that uses the engine has threads, memory and files that a compiler's crash, or a user's
 * kernel, must not reach, and must not fork. So wavesim links no compiler: it starts wavesim-helper by
 * posix_spawn and asks it (client/wire.h) to compile (frontend.h) and to run natively (native.h). What
 * comes back is checked as input is. The helper serves until it is let go, and ends when whoever started
 * it does, however that ends.
 *
 * A Helper is for one thread at a time; several threads have several. A process that is forked off may
 * use its copy: it gets a helper of its own. */
#ifndef WAVESIM_HELPER_H
#define WAVESIM_HELPER_H

#include "base/diag.h"
#include "base/stop.h"

typedef struct Helper Helper;

/* Compilers and native code are confined (docs: SECURITY.md): as far as the system can; or they do not run; or not. */
typedef enum { SANDBOX_AUTO, SANDBOX_REQUIRE, SANDBOX_OFF } Sandbox;

/* Nothing is started before it is needed, and again when the last one ended early. path: of the program;
 * NULL: what the environment names in WAVESIM_HELPER, or the one beside this program or in ../lib/wavesim. */
Helper *helper_new(const char *path, Sandbox sandbox);
/* From now on answers are kept in this folder, for later runs too, with so many bytes at most (client/cache.h): what is
 * asked a second time is not done again. It is made when it is missing; where it cannot be, or is not the user's own,
 * nothing is kept. */
void helper_cache(Helper *h, const char *folder, u64 most);
/* From now on an answer is waited for until stop is asked, which must live as long as h; NULL: whatever comes. */
void helper_stop(Helper *h, const Stop *stop);
/* Does what it says on standard error stay out of ours? Where it ends early the message has it then. */
void helper_silent(Helper *h, bool silent);
/* Ends it, with all that it still does. */
void helper_free(Helper *h);

#endif
