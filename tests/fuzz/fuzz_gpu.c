/* What a HIP program brings along and what is said to the process that runs its kernels: any bytes as a bundle of
 * bitcode (isa/bitcode.h), also behind the beginning of a good one, and as a message (isa/gpu.h), also one to the
 * process that compiles. What is read of a message is written again, and read again as the same. */
#include "isa/bitcode.h"
#include "isa/gpu.h"

#include <sys/mman.h>
#include <unistd.h>

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

static int memory(void)
{
	int fd = memfd_create("talk", 0);
	if (fd < 0)
		abort();
	return fd;
}

/* Reads it from a file that holds it, and writes it to another one. */
static bool pass_on(int from, int to, bool source, Arena *a)
{
	GpuTalk t;
	GpuSource s;
	if (lseek(from, 0, SEEK_SET) || !(source ? gpu_receive_source(from, &s, a) : gpu_receive(from, &t, a)))
		return false;
	if (!(source ? gpu_send_source(to, &s) : gpu_send(to, &t)))
		abort();
	return true;
}

static void read_message(const u8 *data, u64 n, bool source)
{
	Arena *a = arena_new();
	int fds[] = {memory(), memory(), memory()};
	if (!write_bytes(fds[0], &n, sizeof n) || !write_bytes(fds[0], data, n))
		abort();
	if (pass_on(fds[0], fds[1], source, a)) {
		u8 first[64], second[64];
		ssize_t k;
		if (!pass_on(fds[1], fds[2], source, a) || lseek(fds[1], 0, SEEK_END) != lseek(fds[2], 0, SEEK_END))
			abort();
		for (off_t at = 0; (k = pread(fds[1], first, sizeof first, at)) > 0; at += k)
			if (pread(fds[2], second, sizeof second, at) != k || memcmp(first, second, (size_t)k) != 0)
				abort();
	}
	for (u32 i = 0; i < COUNT(fds); i++)
		close(fds[i]);
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
