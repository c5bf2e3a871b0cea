/* Bundles that programs bring along (bitcode.h). What they say of themselves is not trusted. */
#include "isa/bitcode.h"

#include <elf.h>

#define TEXTS "wavesim-texts"

/* The chip that an entry's name ends with: "hip-amdgcn-amd-amdhsa--gfx906:xnack-". */
static void chip_of(const char *id, u64 n, char out[64])
{
	const char *dash = memrchr(id, '-', n);
	u64 from = dash ? (u64)(dash - id) + 1 : 0, k = 0;
	if (n && (id[n - 1] == '-' || id[n - 1] == '+')) { /* … whose features end with one */
		const char *gfx = memmem(id, n, "gfx", 3);
		from = gfx ? (u64)(gfx - id) : from;
	}
	while (from + k < n && k < 63 && id[from + k] != ':') {
		out[k] = id[from + k];
		k++;
	}
	out[k] = 0;
}

static void take(Bundle *b, const u8 *p, u64 n, const char *id, u64 nid, const char *wanted)
{
	char chip[64];
	if (nid == sizeof TEXTS - 1 && !memcmp(id, TEXTS, nid)) {
		b->texts = p;
		b->ntexts = n;
		return;
	}
	chip_of(id, nid, chip);
	if (is_bitcode(p, n)) {
		if (b->bitcode && strcmp(chip, wanted) != 0)
			return;
		b->bitcode = p;
		b->n = n;
		memcpy(b->of, chip, sizeof chip);
	} else if (n > 4 && !memcmp(p, ELFMAG, SELFMAG)) {
		buf_printf(&b->machine, "%s%s", b->machine.n ? ", " : "", chip);
	}
}

bool bundle_read(const u8 *p, u64 n, const char *chip, Bundle *out)
{
	u64 count, at = sizeof BITCODE_BUNDLE - 1;
	u64 most = n ? n : UINT64_MAX;
	if (most < at + 8 || memcmp(p, BITCODE_BUNDLE, at) != 0)
		return false;
	memcpy(&count, p + at, 8);
	at += 8;
	for (u64 i = 0; i < count; i++) {
		u64 entry[3]; /* where it begins, its bytes, those of its name */
		if (most - at < sizeof entry)
			return false;
		memcpy(entry, p + at, sizeof entry);
		at += sizeof entry;
		if (entry[2] > most - at || entry[0] > most || entry[1] > most - entry[0])
			return false;
		take(out, p + entry[0], entry[1], (const char *)p + at, entry[2], chip);
		at += entry[2];
	}
	return true;
}

/* As clang-offload-bundler writes them: entry 0 is the host's, which is empty. */
void bundle_begin(Buf *out, const BundleEntry *entries, u32 n)
{
	static const char magic[] = BITCODE_BUNDLE, host[] = "host-x86_64-unknown-linux--";
	static const char device[] = "hipv4-amdgcn-amd-amdhsa--";
	u64 count = n + 1, at = sizeof magic - 1 + 8 + 24 + sizeof host - 1;
	Buf name = {0};
	for (u32 i = 0; i < n; i++)
		at += 24 + (entries[i].chip ? sizeof device - 1 + strlen(entries[i].chip) : sizeof TEXTS - 1);
	buf_write(out, magic, sizeof magic - 1);
	buf_write(out, &count, 8);
	buf_write(out, (u64[]){at, 0, sizeof host - 1}, 24);
	buf_write(out, host, sizeof host - 1);
	for (u32 i = 0; i < n; i++) {
		const char *chip = entries[i].chip;
		name.n = 0;
		buf_printf(&name, "%s%s", chip ? device : TEXTS, chip ? chip : "");
		buf_write(out, (u64[]){at, entries[i].n, name.n}, 24);
		buf_write(out, name.v, name.n);
		at += entries[i].n;
	}
	array_free(&name);
}
