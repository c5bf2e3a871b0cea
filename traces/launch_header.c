#include "traces/launch_impl.h"
bool launch_read_headers(Launch *l, const char *file, const char *text, Diag *d)
{
	(void)l, (void)file, (void)text, (void)d;
	return true;
}
