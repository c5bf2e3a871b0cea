/* What a hostile kernel asks of the system when it runs natively: frontend/sandbox.h. The machine does not simulate
 * such kernels, so they are sent to the helper as if it had. */
#include "base/child.h"
#include "frontend/native.h"
#include "tests/unit/temp_kit.h"

#include <CUnit/CUnit.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- limits of a process ---- */

static int spin(void *arg)
{
	(void)arg;
	child_limit((ChildLimits){.seconds = 1}, true);
	for (volatile u64 i = 0; i + 1; i++)
		;
	return 41;
}

static int allocate(void *arg)
{
	(void)arg;
	child_limit((ChildLimits){.memory = (u64)64 << 20}, true);
	void *small = malloc((size_t)16 << 20), *large = mmap(NULL, (size_t)256 << 20, PROT_READ | PROT_WRITE,
	                                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool good = small && large == MAP_FAILED;
	child_limit((ChildLimits){0}, false); /* it stays */
	good = good && mmap(NULL, (size_t)256 << 20, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
	free(small);
	return good ? 40 : 41;
}

static int fill(void *arg)
{
	static const char text[4096];
	child_limit((ChildLimits){.file = 65536}, true);
	for (u32 i = 0; i < 1000; i++)
		write_bytes(*(int *)arg, text, sizeof text);
	return 41;
}

static void limits(void)
{
	int fd = child_file("text");
	Child c;
	CU_ASSERT_TRUE_FATAL(fd >= 0 && child_start(&c, spin, NULL, NULL));
	ChildEnd e = child_wait(&c, 100);
	CU_ASSERT_TRUE(e.timed_out && e.signal == SIGXCPU);
	CU_ASSERT_TRUE_FATAL(child_start(&c, allocate, NULL, NULL));
	e = child_wait(&c, 100);
	CU_ASSERT_TRUE(!e.timed_out && !e.signal && e.code == 40);
	CU_ASSERT_TRUE_FATAL(child_start(&c, fill, NULL, &fd));
	e = child_wait(&c, 100);
	CU_ASSERT_TRUE(!e.timed_out && e.signal == SIGXFSZ);
	size_t n;
	free(child_file_read(fd, &n));
	CU_ASSERT_EQUAL(n, 65536);
}

/* ---- what a kernel asks for ---- */

#ifdef __x86_64__

/* The kernel's call of the system, and what it leaves. */
static const char syscall_text[] = "long call(long n, long a, long b, long c, long d) {\n"
				   "	long r;\n"
				   "	__asm__ volatile(\"movq %5, %%r10\\n\\tsyscall\" : \"=a\"(r) : \"a\"(n), "
                                   "\"D\"(a), \"S\"(b), \"d\"(c), \"r\"(d)\n"
				   "	                 : \"rcx\", \"r10\", \"r11\", \"memory\");\n"
				   "	return r;\n"
				   "}\n";

static PoclOutcome run(Helper *h, const char *text, i64 *data, u32 n, u32 seconds)
{
	PoclArg arg = {.kind = POCL_BUFFER};
	PoclBuffer buffer = {.init = data, .result = data, .size = n * sizeof *data};
	PoclLaunch l = {.path = "k.cl", .source = text, .first = "", .kernel = "k", .dims = 1, .global = {1, 1, 1},
	                .local = {1, 1, 1}, .args = &arg, .nargs = 1, .buffers = &buffer, .nbuffers = 1,
	                .seconds = seconds,
	                .method = "workitemrepl"}; /* PoCL 6.0's loops crash its compiler at inline assembly */
	Diag d;
	PoclOutcome out = {0};
	diag_init(&d);
	PoclRun *r = pocl_run_start(h, &l, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	pocl_run_wait(r, 120, &out);
	diag_free(&d);
	return out;
}

/* body: of a kernel, with data as `global long *a`, whose first bytes may be a path. */
static PoclOutcome run_body(Helper *h, const char *body, const char *path, i64 *data, u32 n)
{
	Buf text = {0};
	buf_printf(&text, "%skernel void k(global long *a) { %s }\n", syscall_text, body);
	memset(data, 0, n * sizeof *data);
	if (path)
		memcpy(data, path, strlen(path) + 1);
	PoclOutcome out = run(h, text.v, data, n, 5);
	array_free(&text);
	return out;
}

enum { WORDS = 64 };

static void is_stopped(void)
{
#define STOPPED "the kernel's native run was stopped: it tried to "
	static const struct {
		const char *body, *says;
	} all[] = {
	    {"a[1] = call(2, (long)a, 0101, 0600, 0);", STOPPED "write a file (system call open)"},
	    {"a[1] = call(257, -100, (long)a, 01, 0600);", STOPPED "write a file (system call openat)"},
	    {"a[1] = call(257, -100, (long)a, 02, 0600);", STOPPED "write a file (system call openat)"},
	    {"a[1] = call(257, -100, (long)a, 01000, 0600);", STOPPED "write a file (system call openat)"},
	    {"a[1] = call(87, (long)a, 0, 0, 0);", STOPPED "remove a file (system call unlink)"},
	    {"a[1] = call(41, 2, 1, 0, 0);", STOPPED "open a socket (system call socket)"},
	    {"a[1] = call(57, 0, 0, 0, 0);", STOPPED "start a process (system call fork)"},
	    {"a[1] = call(56, 17, 0, 0, 0);", STOPPED "start a process (system call clone)"},
	    {"a[1] = call(59, (long)a, 0, 0, 0);", STOPPED "start a program (system call execve)"},
	    {"a[1] = call(9, 0, 100L << 30, 3, 0x22);",
	     STOPPED "get more memory than it may have at once (system call mmap)"},
	    {"for (long i = 0; i < 100; i++) { global long *p = (global long *)call(9, 0, 1L << 30, 3, 0x22); *p = 1; "
	     "}",
	     "the kernel crashed PoCL's native run (signal 11, Segmentation fault)"},
	    {"a[1] = call(311, call(110, 0, 0, 0, 0), 0, 0, 0);",
	     STOPPED "reach another process (system call process_vm_writev)"},
	    {"a[1] = call(62, call(110, 0, 0, 0, 0), 9, 0, 0);", STOPPED "reach another process (system call kill)"},
	    {"a[1] = call(234, call(110, 0, 0, 0, 0), 1, 9, 0);", STOPPED "reach another process (system call tgkill)"},
	    {"while (*(volatile global long *)a != -1) ;", "PoCL's run used more than 5 seconds of processor time"},
	    {"a[0] = 0; call(202, (long)a, 0, 0, 0);", /* futex, as in a lock that nobody frees */
	     "PoCL's run stands still: all of its threads have slept for 5 seconds, as when a kernel that writes "
	     "outside of "
	     "its buffers meets PoCL's locks"},
	};
	i64 data[WORDS];
	char path[KIT_PATH];
	kit_file(path, "kept");
	FILE *f = fopen(path, "w");
	CU_ASSERT_TRUE_FATAL(f && fputs("kept", f) >= 0 && !fclose(f));
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	for (u32 i = 0; i < COUNT(all); i++) {
		PoclOutcome out = run_body(h, all[i].body, path, data, WORDS);
		CU_ASSERT_PTR_NOT_NULL_FATAL(out.why);
		if (strcmp(out.why, all[i].says) != 0)
			printf("%s\n\t%s\n", all[i].body, out.why);
		CU_ASSERT_STRING_EQUAL(out.why, all[i].says);
		CU_ASSERT_PTR_NULL(out.unconfined);
		pocl_outcome_free(&out);
	}
	helper_free(h);
	struct stat st;
	CU_ASSERT_TRUE(!stat(path, &st) && st.st_size == 4);
	kit_file_remove(path);
}

/* What fails, and the run goes on; what it may do. */
static void is_refused(void)
{
	static const struct {
		const char *body;
		i64 gives;
	} all[] = {
		{"a[0] = call(435, 0, 0, 0, 0);", -38},                 /* clone3: libc takes clone */
		{"a[0] = call(437, -100, 0, 0, 0);", -38},              /* openat2 */
		{"a[0] = call(302, 0, 7, (long)(a + 4), 0);", -1},      /* prlimit64, to set */
		{"a[0] = call(16, 0, 0x5412, 0, 0);", -1},              /* ioctl, TIOCSTI */
		{"a[0] = call(157, 4, 0, 0, 0);", -1},                  /* prctl */
		{"a[0] = call(72, 1, 8, 1, 0);", -1},                   /* fcntl, F_SETOWN */
		{"a[0] = call(272, 0x10000000, 0, 0, 0);", -1},         /* unshare */
		{"a[0] = call(1, 2, (long)a, 0, 0);", 0},               /* write */
		{"a[0] = call(257, -100, (long)a, 0, 0) > 2;", 1},      /* openat, to read */
	};
	i64 data[WORDS];
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	for (u32 i = 0; i < COUNT(all); i++) {
		PoclOutcome out = run_body(h, all[i].body, "/", data, WORDS);
		if (out.why || data[0] != all[i].gives)
			printf("%s\n\t%s, %lld\n", all[i].body, out.why ? out.why : "ran", (long long)data[0]);
		CU_ASSERT_TRUE(out.status == POCL_OK && data[0] == all[i].gives);
		pocl_outcome_free(&out);
	}
	helper_free(h);
}

/* Where PoCL loads kernels by a way that the sandbox cannot intercept (sandbox.sh), a kernel may do all that its
 * process may. This one fills the first page of all memory that the process shares with others, where it says that
 * it was confined. */
static void cannot_be_forged(void)
{
#ifdef BUILT_WITH_ASAN /* it wants to be loaded first */
	return;
#endif
	static const char forge[] =
	    "char text[131072], p[] = {'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'm', 'a', 'p', 's', 0};\n"
	    "long fd = call(257, -100, (long)p, 0, 0), n = 0, got;\n"
	    "while (n < 131072 && (got = call(0, fd, (long)(text + n), 131072 - n, 0)) > 0) n += got;\n"
	    "for (long at = 0; at < n; at++) {\n"
	    "	long from = 0;\n"
	    "	for (; at < n && text[at] != '-'; at++) from = from * 16 + text[at] - (text[at] > '9' ? 'a' - 10 : "
	    "'0');\n"
	    "	while (at < n && text[at] != ' ') at++;\n"
	    "	if (at + 4 < n && text[at + 2] == 'w' && text[at + 4] == 's' && ++a[0])\n"
	    "		for (long i = 0; i < 4096; i++) ((volatile char *)from)[i] = 1;\n"
	    "	while (at < n && text[at] != '\\n') at++;\n"
	    "}\n";
	char deep[PATH_MAX], pocl[256] = "";
	FILE *icd = popen("cat /etc/OpenCL/vendors/pocl*.icd 2>/dev/null", "r");
	ssize_t n = readlink("/proc/self/exe", deep, sizeof deep - 32);
	CU_ASSERT_TRUE_FATAL(icd && n > 0);
	if (fgets(pocl, sizeof pocl, icd))
		pocl[strcspn(pocl, "\n")] = 0;
	pclose(icd);
	deep[n] = 0;
	strcpy(strrchr(deep, '/'), "/standin/deep.so");
	if (!*pocl) {
		fprintf(stderr, "SKIP a confinement that is forged: /etc/OpenCL/vendors names no PoCL\n");
		return;
	}
	CU_ASSERT_TRUE_FATAL(!access(deep, R_OK));
	setenv("LD_PRELOAD", deep, 1);
	setenv("DEEP", pocl, 1);
	i64 data[WORDS];
	Helper *h = helper_new(NULL, SANDBOX_AUTO);
	PoclOutcome out = run_body(h, forge, NULL, data, WORDS);
	unsetenv("LD_PRELOAD");
	unsetenv("DEEP");
	CU_ASSERT_TRUE(out.status == POCL_OK && data[0] > 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out.unconfined);
	CU_ASSERT_STRING_EQUAL(out.unconfined, "this PoCL loads kernels by a way that the sandbox cannot intercept");
	pocl_outcome_free(&out);
	helper_free(h);
}

#endif

void suite_sandbox(void);
void suite_sandbox(void)
{
	CU_pSuite s = CU_add_suite("sandbox", NULL, NULL);
	CU_add_test(s, "limits", limits);
#ifdef __x86_64__
	CU_add_test(s, "is stopped", is_stopped);
	CU_add_test(s, "is refused", is_refused);
	CU_add_test(s, "cannot be forged", cannot_be_forged);
#endif
}
