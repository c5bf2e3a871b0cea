/* Messages of the Debug Adapter Protocol as they come in: a header with their length, then JSON. */
#ifndef WAVESIM_DEBUG_DAP_FRAME_H
#define WAVESIM_DEBUG_DAP_FRAME_H

#include "base/base.h"

#include <cjson/cJSON.h>

typedef enum {
	DAP_MORE,    /* the message is not complete */
	DAP_MESSAGE, /* *message is one, an object; cJSON_Delete */
	DAP_BAD,     /* these bytes are none; *why */
} DapFrame;
/* What the first bytes are; *used of them are done with. */
DapFrame dap_frame(const char *bytes, size_t n, size_t *used, cJSON **message, const char **why);

#endif
