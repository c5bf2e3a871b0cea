/* Any bytes as a launch file: its launches with their memory, or an error. Once as they are, and once
 * with the checksums set right, which no change would survive otherwise. */
#include "traces/capture/capture_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 20 }; /* memory that is worth reading */

static void read_all(const CapFile *f, Diag *d)
{
	for (u32 i = 0; i < f->launches.n; i++) {
		const CapLaunch *l = &f->launches.v[i];
		for (u32 k = 0; k < 2 * l->nobjects; k++) {
			u32 content = k & 1 ? l->objects[k / 2].after : l->objects[k / 2].before;
			u64 n = cap_content_size(f, content);
			if (n > MOST)
				continue;
			u8 *out = xmalloc(n + 1);
			cap_load(f, content, out, d);
			free(out);
		}
	}
}

static void try(const u8 *data, size_t size)
{
	Diag d;
	CapSizes sizes;
	diag_init(&d);
	CapFile *f = cap_open_bytes("fuzz", data, size, &d);
	if (!f != (d.errors > 0))
		abort();
	if (f) {
		read_all(f, &d);
		cap_check(f, &d);
		cap_sizes(f, &sizes);
	}
	cap_close(f);
	diag_free(&d);
}

static void repair(u8 *data, size_t size)
{
	CapHead head;
	RecHead h;
	if (size < sizeof head)
		return;
	memcpy(&head, data, sizeof head);
	head.sum = cap_head_sum(&head);
	memcpy(data, &head, sizeof head);
	for (size_t at = sizeof head; size - at >= sizeof h; at += sizeof h + h.stored) {
		memcpy(&h, data + at, sizeof h);
		if (h.stored > size - at - sizeof h)
			return;
		h.sum = cap_record_sum(&h, data + at + sizeof h);
		memcpy(data + at, &h, sizeof h);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy = xmalloc(size + 1);
	memcpy(copy, data, size);
	try(copy, size);
	repair(copy, size);
	try(copy, size);
	free(copy);
	return 0;
}
