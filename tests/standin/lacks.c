/* Runs a command as on a system that lacks Landlock, seccomp or memory to share:  lacks landlock|seccomp|memfd COMMAND…
 */
#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	scmp_filter_ctx f = argc > 2 ? seccomp_init(SCMP_ACT_ALLOW) : NULL;
	if (!f)
		return 2;
	if (!strcmp(argv[1], "landlock")) {
		seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
	} else if (!strcmp(argv[1], "memfd")) {
		seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(memfd_create), 0);
	} else {
		seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
		seccomp_rule_add(f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
		                 SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0));
	}
	if (seccomp_load(f))
		return 2;
	execvp(argv[2], argv + 2);
	return 127;
}
