/* The types of kernel arguments by name. */
#ifndef WAVESIM_ARG_TYPE_H
#define WAVESIM_ARG_TYPE_H

#include "isa/isa.h"

/* "uint4", "float __attribute__((ext_vector_type(4)))", … without a trailing star: class, bytes,
 * width and size. False: no type of the language. */
bool arg_type_parse(const char *s, size_t n, KernelArg *a);

#endif
