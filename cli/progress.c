/* How far it is: see output.h. The thread that works says what it does; another one writes it, on a terminal several
 * times a second, so that a compiler that takes long is seen, too. In a log lines stay, so that they come ever more
 * rarely: of ten seconds one, of an hour nine. */
#include "cli/output.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

struct ProgressLine {
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t end;
	bool ended, shown;
	double pace; /* as Progress's */
	const char *things;
	ProgressCount count;
};

Progress progress_new(bool wanted, u64 pace)
{
	bool terminal = isatty(STDERR_FILENO);
	return (Progress){
	    .on = wanted && (terminal || pace), .pace = terminal ? 0 : (double)pace, .things = "work-groups"};
}

bool progress_due(double *pace, double seconds)
{
	bool due = *pace > 0 && seconds >= *pace;
	while (due && *pace <= seconds)
		*pace *= 2;
	return due;
}

void progress_put(bool terminal, double ran, const char *text)
{
	if (terminal)
		fprintf(stderr, "\r%s\033[K", text);
	else
		fprintf(stderr, "wavesim: after %.0f s: %s\n", ran, text + strspn(text, " "));
	fflush(stderr);
}

/* What takes no longer needs no line; and nothing is silent for over a second. */
static const double silent = 0.7;
/* For so many seconds nothing must have ended before that is said. */
static const double late = 2;

static void put_count(const struct ProgressLine *l, double now, Buf *out)
{
	const ProgressCount *c = &l->count;
	double took = c->step - c->phase;
	if (!c->all)
		buf_printf(out, "%s, %.0f s", c->what, now - c->phase);
	else
		buf_printf(out, "%5.1f %% of %llu %s", (double)(1000 * c->done / c->all) / 10, /* 100 only of all */
		           (unsigned long long)c->all, l->things);
	if (c->all && c->done > c->from && took > 0) {
		double since = now - c->step;
		double left = took * (double)(c->all - c->done) / (double)(c->done - c->from) - since;
		if (left >= 0.5 || since < late)
			buf_printf(out, ", about %.0f s left", left > 0 ? left : 0);
		else /* few of them may take much longer than the others */
			buf_printf(out, ", nothing new for %.0f s", since);
	}
}

static void show(struct ProgressLine *l)
{
	double now = seconds_now(), ran = now - l->count.began;
	bool terminal = l->pace <= 0;
	Buf line = {0};
	if (terminal ? ran < silent : !progress_due(&l->pace, ran))
		return;
	put_count(l, now, &line);
	progress_put(terminal, ran, line.v);
	array_free(&line);
	l->shown = terminal;
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
		l->pace = p->pace;
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
	p->pace = l->pace;
	pthread_cond_destroy(&l->end);
	pthread_mutex_destroy(&l->lock);
	free(l);
	p->line = NULL;
}
