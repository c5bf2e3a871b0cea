/* Children of the front end: how they end, and that those which do not are ended. */
#include "base/child.h"

#include <CUnit/CUnit.h>
#include <signal.h>
#include <unistd.h>

static int run_script(void *script)
{
	execl("/bin/sh", "sh", "-c", (const char *)script, (char *)NULL);
	return 127;
}

static ChildEnd end_of(const char *script, double seconds)
{
	Child c;
	CU_ASSERT_TRUE_FATAL(child_start(&c, run_script, NULL, (void *)(uintptr_t)script));
	return child_wait(&c, seconds);
}

static void ends(void)
{
	ChildEnd e = end_of("exit 3", 30);
	CU_ASSERT_FALSE(e.timed_out);
	CU_ASSERT_EQUAL(e.code, 3);
	e = end_of("kill -SEGV $$", 30);
	CU_ASSERT_EQUAL(e.signal, SIGSEGV);
	/* One that ends is done, though what it started goes on. */
	e = end_of("sleep 1000 & exit 4", 30);
	CU_ASSERT_FALSE(e.timed_out);
	CU_ASSERT_EQUAL(e.code, 4);
}

/* It is ended, also when it closes what it was given, or starts others. */
static void hangs(void)
{
	static const char *const scripts[] = {
		"exec sleep 1000", "sleep 1000; true",
		"exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec sleep 1000 >&- 2>&-",
		"trap '' INT TERM HUP; while :; do :; done"};
	for (u32 i = 0; i < COUNT(scripts); i++)
		CU_ASSERT_TRUE(end_of(scripts[i], 0.2).timed_out);
}

static int hang(void *arg)
{
	(void)arg;
	return pause();
}

/* Each is ended, though those that were started later have the first one's pipes, and execute no program. */
static void hang_together(void)
{
	Child c[3];
	for (u32 i = 0; i < COUNT(c); i++)
		CU_ASSERT_TRUE_FATAL(child_start(&c[i], hang, NULL, NULL));
	for (u32 i = 0; i < COUNT(c); i++)
		CU_ASSERT_TRUE(child_wait(&c[i], 0.1).timed_out);
}

void suite_child(void);
void suite_child(void)
{
	CU_pSuite s = CU_add_suite("child", NULL, NULL);
	CU_add_test(s, "how they end", ends);
	CU_add_test(s, "hanging ones", hangs);
	CU_add_test(s, "hanging ones at once", hang_together);
}
