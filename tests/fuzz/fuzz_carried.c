/* What objects of -fgpu-rdc carry (cli/hip_carry.c): any bytes as their section, and as one record in it. What was read
 * lies within, and names say nothing to an assembler. */
#include "cli/hip_link.h"

#include "isa/bitcode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(const char *s, const char *section, u64 n)
{
	if (s < section || s >= section + n || !memchr(s, 0, (size_t)(section + n - s)))
		abort();
}

static void read_section(const char *section, u64 n)
{
	HipCarriedList all = {0};
	if (hip_carried(section, n, &all))
		for (u32 i = 0; i < all.n; i++) {
			const HipCarried *c = &all.v[i];
			const char *const strings[] = {c->source, c->chips, c->needs, c->has};
			Bundle b = {0};
			for (u32 k = 0; k < COUNT(strings); k++)
				inside(strings[k], section, n);
			if (strpbrk(c->needs, "\n\"\\;") || strpbrk(c->has, "\n\"\\;"))
				abort();
			if (!c->nbundle || c->nbundle > (u64)((const u8 *)section + n - c->bundle))
				abort();
			bundle_read(c->bundle, c->nbundle, "gfx906", &b);
			array_free(&b.machine);
		}
	array_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u64 n = size;
	Buf record = {0};
	read_section((const char *)data, size);
	buf_write(&record, &n, sizeof n);
	buf_write(&record, data, size);
	read_section(record.v, record.n);
	array_free(&record);
	return 0;
}
