#include "kernel.cl"
