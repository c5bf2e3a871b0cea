/* seccomp and Landlock: see sandbox.h. */
#include "frontend/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	bool on;
	bool required;
	bool calls, files; /* seccomp is there; Landlock is */
	const char *lacks;
} box;

/* ---- files: Landlock ---- */

/* As in <linux/landlock.h>, which older systems do not have. */
enum {
	FILES_EXECUTE = 1 << 0,
	FILES_WRITE = 1 << 1,
	FILES_CHANGE = 0x3ff0, /* remove and make files of every kind, and move them: from Linux 5.19 */
	FILES_TRUNCATE = 1 << 14, /* from Linux 6.2 */
	RULE_BENEATH = 1,
	OF_A_FILE = FILES_EXECUTE | FILES_WRITE | FILES_TRUNCATE,
};

typedef struct __attribute__((packed)) PathRule {
	u64 allowed;
	i32 fd;
} PathRule;

static void allow_path(int rules, const char *path, u64 what)
{
	struct stat st;
	PathRule rule = {what, open(path, O_PATH | O_CLOEXEC)};
	if (rule.fd < 0)
		return;
	if (!fstat(rule.fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed &= OF_A_FILE;
	syscall(SYS_landlock_add_rule, rules, RULE_BENEATH, &rule, 0);
	close(rule.fd);
}

/* What may be started: the linker, of these folders, or of PATH, where PoCL has clang's driver choose it; and the
 * compilers of HIP and SPIR-V. */
static void allow_programs(int rules)
{
	Buf places = {0};
	buf_printf(&places, "/usr/lib/llvm-*/bin:/usr/*-linux-gnu/bin:/usr/bin:%s",
	           getenv("PATH") ? getenv("PATH") : "");
	char *rest = places.v;
	for (char *place; (place = strsep(&rest, ":"));) {
		char pattern[PATH_MAX];
		glob_t found;
		snprintf(pattern, sizeof pattern, "%s/ld", place);
		if (*place != '/' || glob(pattern, 0, NULL, &found))
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++)
			allow_path(rules, found.gl_pathv[i], FILES_EXECUTE);
		globfree(&found);
	}
	array_free(&places);
	allow_path(rules, LLVM_CLANG, FILES_EXECUTE);
	allow_path(rules, LLVM_SPIRV, FILES_EXECUTE);
	Dl_info loader; /* of programs: the kernel executes it, too */
	if (dladdr((void *)getauxval(AT_BASE), &loader))
		allow_path(rules, loader.dli_fname, FILES_EXECUTE);
}

static bool confine_files(const char *folder)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	if (abi < 2) /* the first one lets no file change its folder, which compilers do */
		return false;
	u64 changes = FILES_WRITE | FILES_CHANGE | (abi >= 3 ? FILES_TRUNCATE : 0), all = changes | FILES_EXECUTE;
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
	if (rules < 0)
		return false;
	allow_path(rules, folder, changes);
	allow_path(rules, "/dev/null", changes);
	allow_programs(rules);
	bool ok = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return ok;
}

void sandbox_folder(const char *folder)
{
	if (box.files)
		confine_files(folder);
}

/* ---- calls: seccomp ---- */

/* A rule for a call that this processor, or this libseccomp, does not know is left out. */
static void rule(scmp_filter_ctx f, u32 action, int call) { seccomp_rule_add(f, action, call, 0); }
static struct scmp_arg_cmp arg(u32 i, enum scmp_compare how, u64 a, u64 b)
{
	return (struct scmp_arg_cmp){i, how, a, b};
}
static void rule_if(scmp_filter_ctx f, u32 action, int call, struct scmp_arg_cmp is)
{
	seccomp_rule_add(f, action, call, 1, is);
}

static bool load(scmp_filter_ctx f)
{
	bool ok = f && !seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1) && !seccomp_load(f);
	seccomp_release(f);
	return ok;
}

static bool confine_calls(void)
{
	static const int never[] = {
		SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
		SCMP_SYS(process_vm_writev), SCMP_SYS(io_uring_setup), SCMP_SYS(bpf), SCMP_SYS(keyctl),
		SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
		SCMP_SYS(chroot), SCMP_SYS(setns), SCMP_SYS(unshare), SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open),
		SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
		SCMP_SYS(open_by_handle_at), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
		SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
		SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(shmget), SCMP_SYS(mknod), SCMP_SYS(mknodat),
	};
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
	for (u32 i = 0; f && i < COUNT(never); i++)
		rule(f, SCMP_ACT_ERRNO(EPERM), never[i]);
	if (f) /* typing into the terminal */
		rule_if(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), arg(1, SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCSTI));
	return load(f);
}

void sandbox_start(Sandbox mode, const char *folder)
{
	if (mode == SANDBOX_OFF)
		return;
	box.on = true;
	box.required = mode == SANDBOX_REQUIRE;
	box.files = confine_files(folder);
	box.calls = confine_calls();
	box.lacks = !box.calls   ? "the system has no seccomp filters"
	            : !box.files ? "the system has no Landlock (Linux 5.19): the compilers may write"
	                         : NULL;
}

bool sandbox_is_on(void) { return box.on; }

const char *sandbox_lacks(void) { return box.lacks; }

bool sandbox_required(void) { return box.required && !box.lacks; }

void sandbox_misses(const char *what) { box.lacks = what; }

bool sandbox_allows(Diag *d)
{
	if (!box.required || !box.lacks)
		return true;
	diag_error(d, NO_LOC, "--sandbox require: code cannot be confined here: %s", box.lacks);
	diag_hint(d, "use --sandbox auto: it confines what this system can confine, and the report names what it "
	             "cannot");
	return false;
}

/* ---- native code ---- */

static SandboxStop *native_stop;

static void stopped(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	native_stop->call = info->si_syscall;
	_exit(SANDBOX_STOPPED);
}

static void native_rules(scmp_filter_ctx f, u64 memory)
{
	static const u32 writes[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_TMPFILE & ~O_DIRECTORY};
	static const u32 file_commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
	enum { ALL = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY) };
#define MAY(call) rule(f, SCMP_ACT_ALLOW, SCMP_SYS(call));
#define STOP(call, what) rule(f, SCMP_ACT_TRAP, SCMP_SYS(call));
#define SOME(call, what)
#include "frontend/sandbox.def"
#undef MAY
#undef STOP
#undef SOME
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(open), arg(1, SCMP_CMP_MASKED_EQ, ALL, 0));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), arg(2, SCMP_CMP_MASKED_EQ, ALL, 0));
	for (u32 i = 0; i < COUNT(writes); i++) {
		rule_if(f, SCMP_ACT_TRAP, SCMP_SYS(open), arg(1, SCMP_CMP_MASKED_EQ, writes[i], writes[i]));
		rule_if(f, SCMP_ACT_TRAP, SCMP_SYS(openat), arg(2, SCMP_CMP_MASKED_EQ, writes[i], writes[i]));
	}
	/* Filters do not see what these point to: libc takes the older call then. */
	rule(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2));
	rule(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(clone), arg(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
	rule_if(f, SCMP_ACT_TRAP, SCMP_SYS(clone), arg(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), arg(1, SCMP_CMP_LE, memory, 0));
	rule_if(f, SCMP_ACT_TRAP, SCMP_SYS(mmap), arg(1, SCMP_CMP_GT, memory, 0));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), arg(0, SCMP_CMP_EQ, (u32)getpid(), 0));
	rule_if(f, SCMP_ACT_TRAP, SCMP_SYS(tgkill), arg(0, SCMP_CMP_NE, (u32)getpid(), 0));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), arg(1, SCMP_CMP_EQ, TCGETS, 0));
	rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), arg(0, SCMP_CMP_EQ, PR_SET_NAME, 0));
	for (u32 i = 0; i < COUNT(file_commands); i++)
		rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), arg(1, SCMP_CMP_EQ, file_commands[i], 0));
	seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, arg(0, SCMP_CMP_EQ, 0, 0),
	                 arg(2, SCMP_CMP_EQ, 0, 0)); /* its own limits, to read */
}

void sandbox_native(u64 memory, SandboxStop *stop)
{
	if (!box.calls)
		return;
	struct sigaction a = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO};
	sigaction(SIGSYS, &a, NULL);
	native_stop = stop;
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	if (f)
		native_rules(f, memory);
	if (!load(f))
		_exit(SANDBOX_STOPPED); /* what was promised does not hold */
}

char *sandbox_tried(const SandboxStop *at)
{
	Buf b = {0};
	const char *what = NULL;
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, at->call);
#define MAY(call)
#define STOP(name_of, text) what = at->call == SCMP_SYS(name_of) ? text : what;
#define SOME STOP
#include "frontend/sandbox.def"
	buf_printf(&b, "%s (system call %s)", what ? what : "make a forbidden system call", name ? name : "of no name");
	free(name);
	return b.v;
}
