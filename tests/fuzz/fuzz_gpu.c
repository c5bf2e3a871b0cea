/* What a HIP program brings along and what is said to the process that runs its kernels: any bytes as a bundle of
 * bitcode (isa/bitcode.h), also behind the beginning of a good one, and as a message (isa/gpu.h), also one to the
 * process that compiles. What is read of a message is written again, and read again as the same. */
#include "isa/bitcode.h"
#include "isa/gpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_bundle(const u8 *p, u64 n)
{
	Bundle b = {0};
	bundle_read(p, n, "gfx906", &b);
	if (b.bitcode && (b.bitcode < p || b.n > n || (u64)(b.bitcode - p) > n - b.n))
		abort();
	if (b.texts && (b.texts < p || b.ntexts > n || (u64)(b.texts - p) > n - b.ntexts))
		abort();
	array_free(&b.machine);
}

/* Reads a record from bytes, and writes it to others. */
static bool pass_on(const void *from, u64 n, Buf *to, bool source, Arena *a)
{
	GpuTalk t = {0};
	GpuSource s = {0};
	void (*code)(Codec *, void *) = source ? gpu_source_code : gpu_talk_code;
	void *record = source ? (void *)&s : (void *)&t;
	u64 room = CODEC_ROOM(n);
	Codec c = {.p = from, .end = (const u8 *)from + n, .arena = a, .room = &room};
	code(&c, record);
	if (!c.bad)
		code(&(Codec){.writing = true, .out = to}, record);
	return !c.bad;
}

static void read_message(const u8 *data, u64 n, bool source)
{
	Arena *a = arena_new();
	Buf first = {0}, second = {0};
	if (pass_on(data, n, &first, source, a)) {
		if (!pass_on(first.v, first.n, &second, source, a) || first.n != second.n ||
		    memcmp(first.v, second.v, first.n) != 0)
			abort();
	}
	array_free(&first);
	array_free(&second);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Buf good = {0};
	if (size)
		read_bundle(data, size);
	buf_printf(&good, BITCODE_BUNDLE);
	buf_write(&good, data, size);
	read_bundle((const u8 *)good.v, good.n);
	array_free(&good);
	read_message(data, size, false);
	read_message(data, size, true);
	return 0;
}
