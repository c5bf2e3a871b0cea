/* Confining compilers and native code (private to frontend/): seccomp, by libseccomp, and Landlock.
 *
 * Two stages. Where compilers run, processes write only below one folder, execute no program but the linker that
 * PoCL calls and clang, and reach no network and no other process's memory. Before a kernel's first native
 * instruction its process also loses all of that which is left: see sandbox.def. */
#ifndef WAVESIM_SANDBOX_H
#define WAVESIM_SANDBOX_H

#include "frontend/helper.h"

/* The first stage, for this process and all that it will start. They write below folder. */
void sandbox_start(Sandbox mode, const char *folder);
bool sandbox_is_on(void);
/* What the system does not have that confines code; NULL: nothing is missing, or it is off. */
const char *sandbox_lacks(void);
/* It must be confined, and as far as is known can be. */
bool sandbox_required(void);
/* What is missing, too, from now on for sandbox_lacks; NULL: nothing. The text is kept. */
void sandbox_misses(const char *what);
/* False: it must be confined and cannot be (error in d). */
bool sandbox_allows(Diag *d);
/* From now on this process writes below folder only, which lies in the other. */
void sandbox_folder(const char *folder);

/* What native code asked for that it may not; its process ended with SANDBOX_STOPPED. In memory that the process
 * which judges it shares. */
enum { SANDBOX_STOPPED = 77 };
typedef struct SandboxStop {
	i32 call; /* number of the system call */
} SandboxStop;
/* The second stage, for all threads of this process; more memory than so many bytes at once is refused, too. */
void sandbox_native(u64 memory, SandboxStop *stop);
/* For people, "it tried to …". free() */
char *sandbox_tried(const SandboxStop *at);

#endif
