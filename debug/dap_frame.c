/* Bytes of a stranger -> messages: see dap_frame.h. What is no message is left out, up to where one may begin. */
#include "debug/dap_frame.h"

#include <strings.h>

enum { LONGEST_HEADER = 4096, LONGEST_MESSAGE = 16 << 20 };
static const char length_name[] = "Content-Length:";

/* The length that a header names; false: it names none that can be. */
static bool length_of(const char *header, size_t n, size_t *length)
{
	for (size_t i = 0; i + sizeof length_name - 1 <= n; i++) {
		if ((i && header[i - 1] != '\n') || strncasecmp(header + i, length_name, sizeof length_name - 1))
			continue;
		size_t v = 0;
		bool digit = false;
		for (i += sizeof length_name - 1; i < n && header[i] == ' '; i++)
			;
		for (; i < n && header[i] >= '0' && header[i] <= '9' && v <= LONGEST_MESSAGE; i++) {
			v = v * 10 + (size_t)(header[i] - '0');
			digit = true;
		}
		*length = v;
		return digit && v <= LONGEST_MESSAGE && (i == n || header[i] == '\r' || header[i] == '\n');
	}
	return false;
}

/* Where the empty line behind a header ends; 0: it is not there. */
static size_t header_end(const char *bytes, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (bytes[i] == '\n' && bytes[i + 1] == '\n')
			return i + 2;
		if (i + 3 < n && !memcmp(bytes + i, "\r\n\r\n", 4))
			return i + 4;
	}
	return 0;
}

DapFrame dap_frame(const char *bytes, size_t n, size_t *used, cJSON **message, const char **why)
{
	size_t most = n < LONGEST_HEADER ? n : LONGEST_HEADER, end = header_end(bytes, most), length;
	*used = 0;
	*message = NULL;
	if (!end) {
		*used = n >= LONGEST_HEADER ? LONGEST_HEADER : 0;
		*why = "a header without an end";
		return n >= LONGEST_HEADER ? DAP_BAD : DAP_MORE;
	}
	if (!length_of(bytes, end, &length)) {
		*used = end;
		*why = "a header without a length that can be";
		return DAP_BAD;
	}
	if (n - end < length)
		return DAP_MORE;
	*used = end + length;
	*message = cJSON_ParseWithLength(bytes + end, length);
	if (*message && cJSON_IsObject(*message))
		return DAP_MESSAGE;
	cJSON_Delete(*message);
	*message = NULL;
	*why = "a message that is no JSON object";
	return DAP_BAD;
}
