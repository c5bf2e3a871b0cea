/* Temporary folders: see temp.h. */
#include "isa/temp.h"

#include <ftw.h>
#include <stdio.h>

bool temp_make(char path[TEMP_PATH])
{
	const char *tmp = getenv("TMPDIR");
	/* mkdtemp() writes a new name over the X. */
	int n = snprintf(path, TEMP_PATH, "%s/wavesim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	return n < TEMP_PATH && mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void temp_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
