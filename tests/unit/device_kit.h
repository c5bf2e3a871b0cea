/* A device by its name: for tests of models. */
#ifndef WAVESIM_TESTS_DEVICE_KIT_H
#define WAVESIM_TESTS_DEVICE_KIT_H

#include "models/device/device.h"

#include <CUnit/CUnit.h>

/* Its text lives in a. */
static inline Device device(const char *name, Arena *a)
{
	Device dev;
	Diag d;
	diag_init(&d);
	CU_ASSERT_TRUE_FATAL(device_load(&dev, name, NO_LOC, a, &d));
	diag_free(&d);
	return dev;
}

#endif
