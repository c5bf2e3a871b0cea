/* Launch files: what is written is read again; damage of any kind is an error or, at the end, left
 * out; memory is stored once. */
#include "traces/capture/capture_impl.h"
#include "traces/capture/capture_pick.h"
#include "traces/capture/launch_recorded.h"
#include "traces/launch/launch.h"

#include <CUnit/CUnit.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

static const char path[] = "unit-test.launches";

/* Bytes that do not pack. */
static u8 noise(u64 i)
{
	i = (i + 1) * 0x9E3779B97F4A7C15u;
	i = (i ^ i >> 30) * 0xBF58476D1CE4E5B9u;
	return (u8)(i >> 40);
}

static u32 put_content(CapWriter *w, const u8 *bytes, size_t n, size_t piece)
{
	cap_content_begin(w);
	for (size_t at = 0; at < n; at += piece)
		cap_content_add(w, bytes + at, n - at < piece ? n - at : piece);
	return cap_content_end(w);
}

/* Two launches of a program of two units; the second begins with what the first left. */
static void write_sample(u32 contents[4])
{
	static u8 big[3 * CAP_CHUNK + 100];
	unlink(path);
	CapWriter *w = cap_create(path, UINT64_MAX);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_PTR_NULL(cap_create(path, UINT64_MAX));
	CU_ASSERT_EQUAL(errno, EEXIST);
	cap_put_host(w, &(CapHost){"app --all", "/somewhere"});
	u32 device = cap_put_device(w, &(CapDevice){.name = "card", .type = 4, .units = 60});
	SrcInclude includes[] = {{"deep/a.h", "int a;\n"}};
	SrcUnit units[] = {{"kernel void k() {}\n", "-DX=1", includes, 1}, {"int f;\n", NULL, NULL, 0}};
	SrcProgram p = {.options = "-link", .units = units, .nunits = 2, .linked = true};
	u32 program = cap_put_program(w, &p);
	CU_ASSERT_EQUAL(cap_put_program(w, &p), program);
	for (size_t i = 0; i < sizeof big; i++)
		big[i] = noise(i);
	memset(big + CAP_CHUNK, 0, CAP_CHUNK);
	contents[0] = put_content(w, big, sizeof big, 1000);
	contents[1] = put_content(w, big, sizeof big, 4 << 20);
	big[sizeof big - 1] ^= 1;
	contents[2] = put_content(w, big, sizeof big, CAP_CHUNK);
	contents[3] = put_content(w, big, 0, 1);
	for (u32 i = 0; i < 2; i++) {
		CapObject o[] = {{.kind = CAP_BUFFER, .size = sizeof big, .flags = 1, .before = contents[i ? 2 : 0],
		                  .after = contents[2]},
		                 {.kind = CAP_IMAGE, .size = 0, .image_type = 0x10F1, .extent = {0, 1, 1}}};
		CapArg args[] = {
		    {.kind = CAP_BYTES, .size = 8, .bytes = (const u8 *)"12345678", .object = 1, .at = 4, .length = 9},
		    {.kind = CAP_NOTHING, .size = 512},
		    {.kind = CAP_SAMPLER, .addressing = 0x1132, .filter = 0x1140, .normalized = true},
		    {.kind = CAP_UNSET}};
		cap_put_launch(w, &(CapLaunch){.number = i + 1, .program = program, .device = device,
		                               .kernel = "k", .dims = 2, .global = {64, 3, 1},
		                               .local = {16, 1, 1}, .offset = {UINT64_MAX, 0, 0},
		                               .started = 1000, .ended = 3500, .objects = o, .nobjects = 2,
		                               .args = args, .nargs = 4});
	}
	cap_finish(w);
}

static CapFile *read_sample(Diag *d)
{
	diag_init(d);
	return cap_open(path, d);
}

static void round_trip(void)
{
	u32 c[4];
	Diag d;
	write_sample(c);
	CapFile *f = read_sample(&d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_TRUE(f->ended && !f->truncated);
	CU_ASSERT_STRING_EQUAL(f->host.command, "app --all");
	CU_ASSERT_EQUAL(f->devices.v[0].units, 60);
	CU_ASSERT_EQUAL_FATAL(f->programs.n, 1);
	const SrcProgram *p = &f->programs.v[0];
	CU_ASSERT_TRUE(p->linked && p->nunits == 2);
	CU_ASSERT_STRING_EQUAL(p->units[0].includes[0].text, "int a;\n");
	CU_ASSERT_PTR_NULL(p->units[1].options);
	CU_ASSERT_EQUAL_FATAL(f->launches.n, 2);
	const CapLaunch *l = &f->launches.v[1];
	CU_ASSERT_EQUAL(l->offset[0], UINT64_MAX);
	CU_ASSERT_EQUAL(l->ended - l->started, 2500);
	CU_ASSERT_EQUAL(l->args[0].at, 4);
	CU_ASSERT_EQUAL(l->args[1].size, 512);
	CU_ASSERT_TRUE(l->args[2].normalized);
	CU_ASSERT_EQUAL(cap_shape(l), cap_shape(&f->launches.v[0]));
	cap_close(f);
	diag_free(&d);
}

/* Build options of a launch file: folders are left out, as included files are in it; those that a driver may read or
 * write files for are an error, which names them. A file that the user's own program made keeps them. */
static void hostile_options(void)
{
	static const struct {
		const char *given, *kept, *bad;
	} cases[] = {
		{"-DX=1 -I/etc -I /usr -w", "-DX=1 -w", NULL},
		{"-I \"/a b\"  -D Y=-1 -cl-std=CL1.2", "-D Y=-1 -cl-std=CL1.2", NULL},
		{"-DT=\"unsigned int\" -x spir -spir-std=1.2", "-DT=\"unsigned int\" -x spir -spir-std=1.2", NULL},
		{"-DX=1 -save-temps=/tmp/x", NULL, "-save-temps=/tmp/x"},
		{"-DX=\"1 -include /etc/passwd\"", NULL, "-DX=\"1 -include /etc/passwd\""},
		{"-DX=1\\ -I/etc", NULL, "-DX=1\\ -I/etc"},
		{"-w @/etc/passwd", NULL, "@/etc/passwd"},
		{"-D", NULL, "-D"},
		{"-cl-opt-disable\\ -save-temps", NULL, "-cl-opt-disable\\ -save-temps"},
	};
	for (u32 i = 0; i < 2 * COUNT(cases); i++) {
		const char *given = cases[i / 2].given, *kept = cases[i / 2].kept, *bad = cases[i / 2].bad;
		bool own = i % 2;
		unlink(path);
		CapWriter *w = cap_create(path, UINT64_MAX);
		CU_ASSERT_PTR_NOT_NULL_FATAL(w);
		SrcUnit unit = {.source = "kernel void k() {}\n", .options = given};
		u32 program = cap_put_program(w, &(SrcProgram){.options = given, .units = &unit, .nunits = 1});
		u32 device = cap_put_device(w, &(CapDevice){.name = "card"});
		cap_put_launch(w, &(CapLaunch){.number = 1,
		                               .program = program,
		                               .device = device,
		                               .kernel = "k",
		                               .dims = 1,
		                               .global = {4, 1, 1},
		                               .local = {4, 1, 1}});
		cap_finish(w);
		Diag d;
		Launch l;
		diag_init(&d);
		launch_init(&l);
		CapFile *f = own ? cap_open_own(path, &d) : cap_open(path, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(f);
		bool ok = launch_from_recording(&l, f, &f->launches.v[0], &d);
		CU_ASSERT_EQUAL(ok, own || !bad);
		if (own || kept)
			CU_ASSERT_STRING_EQUAL(f->programs.v[0].units[0].options, own ? given : kept);
		if (!ok)
			CU_ASSERT_STRING_EQUAL(
			    d.msgs.v[0].text,
			    arena_printf(l.arena, "its program was built with '%s', which no launch file may ask for",
			                 bad));
		launch_free(&l);
		cap_close(f);
		diag_free(&d);
	}
}

/* Files of version 1 say of launches that were left out that they could not be kept. A version of which this
 * program knows nothing is refused as such, not as damaged. */
static void other_versions(void)
{
	for (u32 version = 1; version <= CAP_VERSION + 1; version++) {
		static const char *const why[] = {"not wanted", "no memory to keep it"};
		unlink(path);
		CapWriter *w = cap_create(path, UINT64_MAX);
		CU_ASSERT_PTR_NOT_NULL_FATAL(w);
		SrcUnit unit = {.source = "kernel void k() {}\n"};
		SrcProgram p = {.units = &unit, .nunits = 1};
		u32 program = cap_put_program(w, &p), device = cap_put_device(w, &(CapDevice){.name = "card"});
		for (u32 i = 0; i < 2; i++)
			cap_put_launch(w, &(CapLaunch){.number = i + 1, .state = CAP_PASSED, .why = why[i],
			                               .program = program, .device = device, .kernel = "k",
			                               .dims = 1});
		cap_finish(w);
		size_t n;
		Diag d;
		diag_init(&d);
		u8 *bytes = (u8 *)read_file(path, &n);
		CapHead head = {.magic = CAP_MAGIC, .version = version};
		head.sum = cap_head_sum(&head);
		memcpy(bytes, &head, sizeof head);
		CapFile *f = cap_open_bytes("x", bytes, n, &d);
		if (version > CAP_VERSION) {
			CU_ASSERT_PTR_NULL(f);
			CU_ASSERT_PTR_NOT_NULL(strstr(d.msgs.v[0].text, "this launch file has version"));
		} else {
			CU_ASSERT_PTR_NOT_NULL_FATAL(f);
			CU_ASSERT_EQUAL(f->launches.v[0].state, version == 1 ? CAP_UNWANTED : CAP_PASSED);
			CU_ASSERT_EQUAL(f->launches.v[1].state, CAP_PASSED);
			CU_ASSERT_STRING_EQUAL(cap_why_missing(&f->launches.v[1]), why[1]);
		}
		cap_close(f);
		diag_free(&d);
		free(bytes);
	}
	unlink(path);
}

/* What the store calls a launch names it again, wherever the file lies, as long as it is the same one. */
static void named_in_stores(void)
{
	static const char *const wrong[] = {
		"", "--kernel k", "--recorded", "--recorded x --launch 1", "--recorded x --launch y --file-hash 1",
		"--recorded x --launch 1 --file-hash 10000000000000000", "--recorded 'x --launch 1 --file-hash 1",
		"--recorded x --launch 1 --file-hash 0g",
	};
	u32 contents[4];
	Diag d;
	Arena *a = arena_new();
	Buf options = {0};
	RecordedRef ref;
	write_sample(contents);
	CapFile *f = read_sample(&d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	recorded_options(NULL, f, &f->launches.v[1], &options);
	CU_ASSERT_TRUE_FATAL(recorded_ref(options.v, &ref, a));
	CU_ASSERT_EQUAL(ref.path[0], '/');
	CU_ASSERT_EQUAL(ref.number, f->launches.v[1].number);
	CU_ASSERT_PTR_NOT_NULL(strstr(options.v, " --kernel "));
	CU_ASSERT_PTR_EQUAL(recorded_find(&ref, f, &d), &f->launches.v[1]);
	ref.hash ^= 1;
	CU_ASSERT_PTR_NULL(recorded_find(&ref, f, &d));
	ref.hash ^= 1;
	ref.number = 1000;
	CU_ASSERT_PTR_NULL(recorded_find(&ref, f, &d));
	CU_ASSERT_EQUAL(d.errors, 2);
	for (u32 i = 0; i < COUNT(wrong); i++)
		CU_ASSERT_FALSE(recorded_ref(wrong[i], &ref, a));
	array_free(&options);
	cap_close(f);
	diag_free(&d);
	arena_free(a);
	unlink(path);
}

/* Equal contents have one number; a changed byte costs one chunk; zeros cost nothing. */
static void stored_once(void)
{
	u32 c[4];
	Diag d;
	CapSizes sizes;
	write_sample(c);
	CU_ASSERT_EQUAL(c[0], c[1]);
	CU_ASSERT_NOT_EQUAL(c[0], c[2]);
	CapFile *f = read_sample(&d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	u64 n = cap_content_size(f, c[2]);
	CU_ASSERT_EQUAL(n, 3 * CAP_CHUNK + 100);
	CU_ASSERT_EQUAL(cap_content_size(f, c[3]), 0);
	u8 *a = xmalloc(n), *b = xmalloc(n);
	CU_ASSERT_TRUE(cap_load(f, c[0], a, &d) && cap_load(f, c[2], b, &d));
	CU_ASSERT_EQUAL(memcmp(a, b, n - 1), 0);
	CU_ASSERT_EQUAL(a[n - 1] ^ b[n - 1], 1);
	bool right = true;
	for (u64 i = 0; i < n; i++)
		right &= a[i] == (i / CAP_CHUNK == 1 ? 0 : noise(i));
	CU_ASSERT_TRUE(right);
	cap_sizes(f, &sizes);
	CU_ASSERT_EQUAL(sizes.memory, 4 * n);
	CU_ASSERT_TRUE(sizes.chunks < 2 * CAP_CHUNK + 2 * 100 + 200);
	free(a);
	free(b);
	cap_close(f);
	diag_free(&d);
}

/* Open the bytes, and read all memory of them. How many launches; -1: an error was said. */
static int try(const u8 *bytes, u64 n, bool *truncated)
{
	Diag d;
	diag_init(&d);
	CapFile *f = cap_open_bytes("x", bytes, n, &d);
	int launches = f ? (int)f->launches.n : -1;
	CU_ASSERT_EQUAL(f == NULL, d.errors > 0);
	*truncated = f && f->truncated;
	if (f && !cap_check(f, &d))
		launches = -1;
	for (u32 i = 0; f && i < f->launches.n; i++) {
		u32 content = f->launches.v[i].objects[0].after;
		u8 *out = xmalloc(cap_content_size(f, content) + 1);
		if (!cap_load(f, content, out, &d))
			launches = -1;
		free(out);
	}
	cap_close(f);
	diag_free(&d);
	return launches;
}

/* A file that ends anywhere: the launches before are there. A flipped bit: an error, always. */
static void damage(void)
{
	u32 c[4], cut = 0, flipped = 0;
	size_t n;
	bool truncated;
	write_sample(c);
	u8 *bytes = (u8 *)read_file(path, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	int last = -1;
	for (size_t k = 0; k < n; k += k < 600 || k + 1500 > n ? 1 : 997) {
		int launches = try(bytes, k, &truncated);
		CU_ASSERT_TRUE(launches >= last);
		CU_ASSERT_TRUE(k >= 16 || launches < 0);
		CU_ASSERT_TRUE(launches < 0 || truncated || launches >= 0);
		last = launches;
		cut++;
	}
	CU_ASSERT_EQUAL(last, 2);
	for (size_t k = 0; k < n; k += k < 600 || k + 1500 > n ? 1 : 997) {
		bytes[k] ^= 16;
		int launches = try(bytes, n, &truncated);
		/* A length that grew beyond the end looks like a file that ends early. */
		CU_ASSERT_TRUE(launches < 0 || truncated);
		bytes[k] ^= 16;
		flipped++;
	}
	CU_ASSERT_TRUE(cut > 1000 && flipped > 1000);
	free(bytes);
	unlink(path);
}

/* A file of one packed record: is it refused, and for asking for too much? */
static bool greedy(RecKind kind, const Buf *payload)
{
	Diag d;
	Buf file = {0};
	CapHead head = {.magic = CAP_MAGIC, .version = CAP_VERSION};
	u8 *packed = xmalloc(ZSTD_compressBound(payload->n));
	size_t n = ZSTD_compress(packed, ZSTD_compressBound(payload->n), payload->v, payload->n, 1);
	RecHead h = {.kind = kind | REC_PACKED, .stored = n, .unpacked = payload->n};
	head.sum = cap_head_sum(&head);
	h.sum = cap_record_sum(&h, packed);
	buf_write(&file, &head, sizeof head);
	buf_write(&file, &h, sizeof h);
	buf_write(&file, packed, n);
	diag_init(&d);
	CapFile *f = cap_open_bytes("x", (const u8 *)file.v, file.n, &d);
	CU_ASSERT_TRUE(file.n < 8000);
	CU_ASSERT_PTR_NULL(f);
	bool yes = d.msgs.n && strstr(d.msgs.v[0].text, "ask for more memory");
	cap_close(f);
	diag_free(&d);
	free(packed);
	array_free(&file);
	return yes;
}

/* A small file cannot ask for any amount of memory: 4 MB of arguments, which take a byte each in the file,
 * pack to some hundred bytes. */
static void hostile(void)
{
	static u8 unset[4 << 20];
	Buf payload = {0};
	memset(unset, CAP_UNSET, sizeof unset);
	CapLaunch l = {.number = 1, .kernel = "k", .dims = 1};
	code_launch(&(Codec){.writing = true, .out = &payload}, &l);
	payload.n--; /* the number of arguments, 0 */
	buf_write(&payload, "\x80\x80\x80\x02", 4);
	buf_write(&payload, unset, sizeof unset);
	CU_ASSERT_TRUE(greedy(REC_LAUNCH, &payload));
	payload.n -= 100; /* they are fewer than the number says */
	CU_ASSERT_FALSE(greedy(REC_LAUNCH, &payload));
	array_free(&payload);
	buf_write(&payload, "\x80\x80\x80\x80\x40\x80\x80\x80\x02", 9); /* chunks of a content */
	memset(unset, 0, sizeof unset);
	buf_write(&payload, unset, sizeof unset);
	payload.n -= 100;
	CU_ASSERT_FALSE(greedy(REC_CONTENT, &payload));
	array_free(&payload);
}

/* An error of OpenCL is a small number, and is negated to be shown. */
static void refused_launches(void)
{
	for (u32 i = 0; i < 2; i++) {
		Diag d;
		unlink(path);
		CapWriter *w = cap_create(path, UINT64_MAX);
		CU_ASSERT_PTR_NOT_NULL_FATAL(w);
		cap_put_refused(w,
		                &(CapRefused){.kernel = "k", .dims = 1, .global = {64}, .error = (u32)INT32_MAX + i});
		cap_put_failed(w, &(CapFailed){.call = "clCreateKernel", .about = "k", .error = 46});
		cap_finish(w);
		CapFile *f = read_sample(&d);
		CU_ASSERT_EQUAL(f != NULL, i == 0);
		CU_ASSERT_TRUE(!f || (f->refused.n == 1 && f->failed.n == 1 && f->failed.v[0].error == 46));
		cap_close(f);
		diag_free(&d);
		unlink(path);
	}
}

static void picking(void)
{
	CapPick p;
	Buf why = {0};
	CapLaunch l = {.kernel = "reduce_last", .dims = 1, .global = {64, 1, 1}};
	const struct {
		u64 number;
		bool in;
	} numbers[] = {{1, false}, {2, true}, {4, true}, {5, false}, {9, true}, {10, false}, {11, true}, {1000, true}};
	CU_ASSERT_TRUE_FATAL(cap_pick_init(&p, NULL, "2-4,9,11-", false, &why));
	for (u32 i = 0; i < COUNT(numbers); i++) {
		l.number = numbers[i].number;
		CU_ASSERT_EQUAL(cap_pick(&p, &l), numbers[i].in);
	}
	cap_pick_free(&p);
	CU_ASSERT_TRUE_FATAL(cap_pick_init(&p, "gemm,reduce_*", NULL, true, &why));
	for (u64 i = 0; i < 5000; i++) {
		l.global[0] = i % 2500;
		CU_ASSERT_EQUAL(cap_pick(&p, &l), i < 2500);
	}
	l.kernel = "other";
	CU_ASSERT_FALSE(cap_pick(&p, &l));
	cap_pick_free(&p);
	static const char *const wrong[] = {"x", "0", "3-2", "1,,2", "1-2-3", "-", "-3", "99999999999999999999"};
	for (u32 i = 0; i < COUNT(wrong); i++)
		CU_ASSERT_FALSE(cap_pick_init(&p, NULL, wrong[i], false, &why));
	array_free(&why);
}

/* The limit is kept to; when the disk is full, recording ends at a whole record. */
static void limits(void)
{
	u8 bytes[5000];
	const char *why;
	bool truncated;
	size_t n;
	for (u32 i = 0; i < sizeof bytes; i++)
		bytes[i] = noise(i);
	unlink(path);
	CapWriter *w = cap_create(path, 3000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_FALSE(cap_full(w));
	put_content(w, bytes, sizeof bytes, sizeof bytes);
	CU_ASSERT_TRUE(cap_full(w) && cap_good(w, &why));
	cap_finish(w);
	unlink(path);
	struct rlimit old, small;
	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 7000;
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	w = cap_create(path, UINT64_MAX);
	put_content(w, bytes, sizeof bytes, sizeof bytes);
	CU_ASSERT_TRUE(cap_good(w, &why));
	put_content(w, bytes + 1, sizeof bytes - 1, sizeof bytes);
	CU_ASSERT_FALSE(cap_good(w, &why));
	CU_ASSERT_STRING_EQUAL(why, strerror(EFBIG));
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, before);
	cap_finish(w);
	u8 *file = (u8 *)read_file(path, &n);
	CU_ASSERT_EQUAL(try(file, n, &truncated), 0);
	CU_ASSERT_FALSE(truncated);
	free(file);
	unlink(path);
}

void suite_capture(void)
{
	CU_pSuite s = CU_add_suite("launch files", NULL, NULL);
	CU_add_test(s, "what is written is read again", round_trip);
	CU_add_test(s, "files of other versions", other_versions);
	CU_add_test(s, "build options of a stranger's file", hostile_options);
	CU_add_test(s, "what stores call a launch", named_in_stores);
	CU_add_test(s, "memory is stored once", stored_once);
	CU_add_test(s, "files that end early, flipped bits", damage);
	CU_add_test(s, "small files that ask for much memory", hostile);
	CU_add_test(s, "refused launches", refused_launches);
	CU_add_test(s, "which launches are wanted", picking);
	CU_add_test(s, "limits", limits);
}
