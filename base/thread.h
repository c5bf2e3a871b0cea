/* Threads that write and read numbers as who starts them does. A library's caller may have set another locale for the
 * process; the threads that work for it in the C locale (uselocale) would not. */
#ifndef WAVESIM_THREAD_H
#define WAVESIM_THREAD_H

#include "base/base.h"

#include <pthread.h>

/* False: there is none to be had. pthread_join() */
bool thread_start(pthread_t *t, void *(*work)(void *arg), void *arg);

#endif
