/* The progress line: see output.h. The thread that works says what it does; another one writes it, several times a
 * second, so that a compiler that takes long is seen, too. */
#include "cli/output.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

struct ProgressLine {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t end;
	bool ended, shown;
	const char *what, *things;
	u64 done, all;        /* all 0: not known of this phase */
	double began, phase, step; /* seconds_now() of the first, of this phase, of its last step */
};

Progress progress_new(bool wanted)
{
	return (Progress){.on = wanted && isatty(STDERR_FILENO), .things = "work-groups"};
}

static void show(struct ProgressLine *l)
{
	double now = seconds_now(), since = now - l->phase;
	if (now - l->began < 1)
		return;
	l->shown = true;
	double left =
	    l->done ? (l->step - l->phase) * (double)(l->all - l->done) / (double)l->done - (now - l->step) : 0;
	if (l->all)
		fprintf(stderr, "\r%5.1f %% of %llu %s, about %.0f s left\033[K",
		        100 * (double)l->done / (double)l->all, (unsigned long long)l->all, l->things,
		        left > 0 ? left : 0);
	else
		fprintf(stderr, "\r%s, %.0f s\033[K", l->what, since);
	fflush(stderr);
}

static void *write_lines(void *line)
{
	struct ProgressLine *l = line;
	pthread_mutex_lock(&l->lock);
	while (!l->ended) {
		struct timespec next;
		clock_gettime(CLOCK_REALTIME, &next);
		next.tv_nsec += 200000000;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&l->end, &l->lock, &next);
		if (!l->ended)
			show(l);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

static void say(Progress *p, const char *what, u64 done, u64 all)
{
	if (!p->on)
		return;
	struct ProgressLine *l = p->line;
	bool first = !l;
	if (first) {
		l = p->line = xcalloc(1, sizeof *l);
		pthread_mutex_init(&l->lock, NULL);
		pthread_cond_init(&l->end, NULL);
		l->began = seconds_now();
		l->things = p->things;
	}
	pthread_mutex_lock(&l->lock);
	l->step = seconds_now();
	if (first || l->what != what)
		l->phase = l->step;
	l->what = what;
	l->done = done;
	l->all = all;
	pthread_mutex_unlock(&l->lock);
	if (first && pthread_create(&l->thread, NULL, write_lines, l)) {
		p->on = false; /* no thread to be had: no line */
		free(l);
		p->line = NULL;
	}
}

void progress_step(void *progress, u64 done, u64 all)
{
	if (all)
		say(progress, "running", done, all);
}

void progress_phase(void *progress, const char *what) { say(progress, what, 0, 0); }

void progress_end(Progress *p)
{
	struct ProgressLine *l = p->line;
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->ended = true;
	pthread_cond_signal(&l->end);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	if (l->shown)
		fprintf(stderr, "\r\033[K");
	pthread_cond_destroy(&l->end);
	pthread_mutex_destroy(&l->lock);
	free(l);
	p->line = NULL;
}
