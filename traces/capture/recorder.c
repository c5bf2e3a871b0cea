/* See recorder.h. */
#include "traces/capture/recorder.h"

#include <errno.h>
#include <unistd.h>

const char *recorder_setting(const char *name)
{
	const char *v = getenv(name);
	return v && *v ? v : NULL;
}

static void tell(Recorder *r, const char *what, const char *why)
{
	if (!r->told)
		fprintf(stderr, "wavesim: %s: %s: launches are not recorded\n", what, why);
	r->told = true;
}

static void put_host(CapWriter *w)
{
	size_t n = 0;
	char folder[4096];
	char *words = read_file("/proc/self/cmdline", &n);
	for (size_t i = 0; i + 1 < n; i++)
		if (!words[i])
			words[i] = ' ';
	CapHost h = {words, getcwd(folder, sizeof folder)};
	cap_put_host(w, &h);
	free(words);
}

CapWriter *recorder_writer(Recorder *r)
{
	const char *why;
	if (r->writer && !cap_good(r->writer, &why))
		tell(r, r->path, why);
	if (r->writer || r->told)
		return r->writer;
	r->writer = cap_create_unnamed(r->path, r->limit, r->unnamed);
	if (r->writer)
		put_host(r->writer);
	else
		tell(r, r->path, strerror(errno));
	return r->writer;
}

void recorder_launched(Recorder *r)
{
	if (*r->unnamed)
		cap_name(r->unnamed, r->path); /* where that fails wavesim tries it again */
	*r->unnamed = '\0';
}

void recorder_finish(Recorder *r)
{
	if (r->writer)
		cap_finish(r->writer);
	r->writer = NULL;
}

bool recorder_begin(Recorder *r)
{
	Buf why = {0};
	const char *limit = recorder_setting("WAVESIM_RECORD_LIMIT"), *once = recorder_setting("WAVESIM_RECORD_ONCE");
	r->limit = UINT64_MAX;
	if (!recorder_setting("WAVESIM_RECORD"))
		return false;
	r->path = xstrdup(recorder_setting("WAVESIM_RECORD"));
	if (limit && !parse_u64(limit, &r->limit))
		tell(r, "WAVESIM_RECORD_LIMIT", "this is not a number of bytes");
	else if (!cap_pick_init(&r->pick, recorder_setting("WAVESIM_RECORD_KERNELS"),
	                        recorder_setting("WAVESIM_RECORD_LAUNCHES"), once && strcmp(once, "0") != 0, &why))
		tell(r, "WAVESIM_RECORD_LAUNCHES", why.v);
	array_free(&why);
	return !r->told;
}

void recorder_in_child(Recorder *r)
{
	r->writer = NULL;
	*r->unnamed = '\0';
}
