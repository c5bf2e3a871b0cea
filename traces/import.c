/* Whose file is it? Known by what it begins with, not by its name. */
#include "traces/import.h"

#include <errno.h>

bool store_import(Store *s, const char *path, const ImportOptions *o, Diag *d)
{
	size_t n;
	char *text = read_file(path, &n);
	(void)o;
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	bool ok = *text == '{' ? store_import_json(s, path, text, d) : store_import_csv(s, path, text, d);
	free(text);
	return ok;
}
