/* Threads that write and read numbers as who starts them does. A library's caller may have set another locale for the
 * process; the threads that work for it in the C locale (uselocale) would not. They also have its reserve of memory. */
#ifndef WAVESIM_THREAD_H
#define WAVESIM_THREAD_H

#include "base/base.h"

#include <pthread.h>

/* False: there is none to be had. pthread_join(). What work returns is lost. A thread whose work leaves it (reserve.h)
 * just ends; who started it looks for that behind pthread_join, by reserve_pass. */
bool thread_start(pthread_t *t, void *(*work)(void *arg), void *arg);

#endif
