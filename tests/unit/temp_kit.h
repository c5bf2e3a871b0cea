/* A file in a temporary folder of its own, for one test. */
#ifndef WAVESIM_TESTS_TEMP_KIT_H
#define WAVESIM_TESTS_TEMP_KIT_H

#include "base/temp.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { KIT_PATH = TEMP_PATH + 64 };

/* path: name in a new folder; the file itself is the caller's to write. */
static inline void kit_file(char path[KIT_PATH], const char *name)
{
	char folder[TEMP_PATH];
	CU_ASSERT_FATAL(temp_make(folder));
	snprintf(path, KIT_PATH, "%s/%s", folder, name);
}

static inline void kit_file_remove(char path[KIT_PATH])
{
	*strrchr(path, '/') = 0;
	temp_remove(path);
}

#endif
