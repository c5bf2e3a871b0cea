/* A kernel that has the name of a function of the library. */
#define call __translate_sampler_initializer
#include "call.cl"
