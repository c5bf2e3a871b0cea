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
	const char *things;
	ProgressCount count;
};

Progress progress_new(bool wanted)
{
	return (Progress){.on = wanted && isatty(STDERR_FILENO), .things = "work-groups"};
}

/* What takes no longer needs no line; and nothing is silent for over a second. */
static const double silent = 0.7;

static void show(struct ProgressLine *l)
{
	const ProgressCount *c = &l->count;
	double now = seconds_now(), took = c->step - c->phase;
	if (now - c->began < silent)
		return;
	l->shown = true;
	if (!c->all)
		fprintf(stderr, "\r%s, %.0f s", c->what, now - c->phase);
	else
		fprintf(stderr, "\r%5.1f %% of %llu %s", 100 * (double)c->done / (double)c->all,
		        (unsigned long long)c->all, l->things);
	if (c->all && c->done > c->from && took > 0) {
		double left = took * (double)(c->all - c->done) / (double)(c->done - c->from) - (now - c->step);
		fprintf(stderr, ", about %.0f s left", left > 0 ? left : 0);
	}
	fprintf(stderr, "\033[K");
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
		l->things = p->things;
		l->count = p->count;
	}
	pthread_mutex_lock(&l->lock);
	ProgressCount *c = &l->count;
	c->step = seconds_now();
	if (!c->what)
		c->began = c->step;
	if (c->what != what || c->all != all || done < c->done) {
		c->phase = c->step;
		c->from = done;
	}
	c->what = what;
	c->done = done;
	c->all = all;
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

SpecsHost progress_host(Progress *p)
{
	return (SpecsHost){.progress = progress_step, .phase = progress_phase, .ctx = p};
}

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
	p->count = l->count;
	pthread_cond_destroy(&l->end);
	pthread_mutex_destroy(&l->lock);
	free(l);
	p->line = NULL;
}
