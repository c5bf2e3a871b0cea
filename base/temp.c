/* Temporary folders: see temp.h. */
#include "base/temp.h"

#include <errno.h>
#include <ftw.h>

bool temp_make(char path[TEMP_PATH])
{
	enum { CHOSEN = 6 }; /* what mkdtemp() makes of as many X */
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(path, TEMP_PATH, "%s/wavesim-", tmp && *tmp ? tmp : "/tmp");
	if (n + CHOSEN >= TEMP_PATH)
		return false;
	memset(path + n, 'X', CHOSEN);
	path[n + CHOSEN] = '\0';
	return mkdtemp(path);
}

bool temp_error(const char *path, Diag *d)
{
	return diag_error(d, NO_LOC, "cannot make a temporary folder '%s': %s (TMPDIR names where)", path,
	                  strerror(errno));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void temp_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
