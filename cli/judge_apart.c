/* Judging in a process of its own: a submission that takes all memory, or finds a fault of ours, ends that. */
#include "cli/exercise.h"

#include <unistd.h>

enum { MEMORY_GIB = 8 }; /* as a compiler's, COMPILE_LIMITS */

/* In the worker. */
static int work(void *arg)
{
	JudgeApart *w = arg;
	if (!freopen("/dev/null", "w", stderr)) /* of what ends it the parent says what is to be said */
		return 1;
	child_limit((ChildLimits){.memory = (u64)MEMORY_GIB << 30}, false);
	Arena *a = arena_new();
	Judgement x;
	Buf bytes = {0};
	judge_submission(w->judge, w->path, a, &x);
	Codec c = {.writing = true, .out = &bytes};
	judgement_code(&c, &x);
	codec_free(&c);
	bool ok = write_bytes(w->answer, bytes.v, bytes.n);
	array_free(&bytes);
	arena_free(a);
	judge_free(w->judge); /* its helper ends with it */
	return !ok;
}

bool judge_apart_start(JudgeApart *w, Judge *j, const char *path, Diag *d)
{
	*w = (JudgeApart){.judge = j, .path = path, .answer = child_file("judgement"), .began = seconds_now()};
	if (w->answer >= 0 && child_start(&w->child, work, NULL, w))
		return true;
	if (w->answer >= 0)
		close(w->answer);
	return child_error("judging a submission", d);
}

void judge_apart_take(JudgeApart *w, double seconds, Arena *a, Judgement *out)
{
	double left = w->began + seconds - seconds_now();
	ChildEnd end = child_wait(&w->child, left > 0.01 ? left : 0.01);
	size_t n;
	char *bytes = child_file_read(w->answer, &n);
	u64 room = (u64)64 << 20;
	Codec c = {.p = (const u8 *)bytes, .end = (const u8 *)bytes + n, .arena = a, .room = &room};
	if (!end.timed_out && !end.signal && !end.code)
		judgement_code(&c, out);
	if (end.timed_out || end.signal || end.code || c.bad) {
		judge_items(w->judge, a, out);
		out->verdict = JUDGE_not_judged;
		out->why = end.timed_out ? arena_printf(a, "it was not judged within %g s (--timeout)", seconds)
		           : end.signal  ? arena_printf(a, "judging it ended early (signal %d)", end.signal)
		                         : "judging it took more memory than there is for one submission";
	}
	codec_free(&c);
	free(bytes);
}
