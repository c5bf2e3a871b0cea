/* What is run: the file by its ending, its text, and what words, comments and .sim files say of the launch. */
#include "engine/run.h"

#include "frontend/input.h"
#include "isa/spirv.h"
#include "traces/capture/launch_recorded.h"

#include <errno.h>

static bool read_text(EngineRun *r, const char *given)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8's byte order mark, which clang skips in a file */
	size_t n;
	r->text = given ? xstrdup(given) : read_file(r->path, &n);
	if (!r->text) {
		Loc at = r->is_sim ? (Loc){r->input, 0, 0} : NO_LOC;
		return diag_error(r->d, at, "cannot read '%s': %s", r->path, strerror(errno));
	}
	if (!strncmp(r->text, mark, sizeof mark - 1))
		memset(r->text, ' ', sizeof mark - 1);
	if (given)
		return true;
	if (strlen(r->text) != n) {
		diag_error(r->d, (Loc){r->path, 0, 0}, "this is not a text file");
		diag_hint(r->d, "LLVM bitcode must be called NAME.bc");
		return false;
	}
	return n || diag_error(r->d, (Loc){r->path, 0, 0}, "this file is empty");
}

static bool read_words(EngineRun *r, const LaunchSpec *spec)
{
	bool ok = true;
	launch_init(&r->launch);
	if (spec->command_line)
		launch_source(&r->launch, "command line", spec->command_line);
	r->launch.test = spec->test;
	r->launch.memory = spec->memory;
	r->launch.nmemory = spec->nmemory;
	for (u32 i = 0; i < spec->nwords; i++) {
		const LaunchWord *w = &spec->words[i];
		ok &= launch_option_from(&r->launch, w->from, w->name, w->value, w->loc, r->d);
	}
	return ok;
}

static bool read_recorded(EngineRun *r)
{
	r->src = &r->file->programs.v[r->recorded->program - 1];
	const char *ending = is_spirv(r->src->binary, r->src->nbinary) ? "spv" : "bc";
	r->is_hip = source_is_hip(r->src);
	r->path = arena_printf(r->arena, "program%u.%s", r->recorded->program, r->src->nunits ? "cl" : ending);
	r->is_bitcode = !r->src->nunits;
	if (r->src->nunits)
		r->text = xstrdup(r->src->units[0].source);
	r->launch.program = r->path;
	r->launch.language = r->is_hip ? LANGUAGE_hip : r->is_bitcode ? LANGUAGE_other : LANGUAGE_opencl;
	return launch_from_recording(&r->launch, r->file, r->recorded, r->d);
}

/* The .sim file; the program is the one that it names. */
static bool read_sim(EngineRun *r, const char *given)
{
	bool ok = given ? launch_parse_sim(&r->launch, r->input, given, r->d)
	                : launch_read_sim(&r->launch, r->input, r->d);
	r->path = r->launch.program;
	return ok;
}

static bool read_input(EngineRun *r, const LaunchSpec *spec)
{
	bool ok = read_words(r, spec);
	if (r->recorded)
		return ok && read_recorded(r);
	const char *given = spec->text;
	r->is_sim = !spec->complete && input_kind(r->input) == INPUT_sim;
	if (r->is_sim) {
		if (!read_sim(r, given))
			return false;
		given = NULL;
	}
	InputKind kind = input_kind(r->path);
	r->launch.language = inputs[kind].language;
	r->is_wave = kind == INPUT_wave;
	r->is_bitcode = !inputs[kind].text;
	if (!r->is_bitcode && !read_text(r, given))
		return false;
	if (!r->launch.program)
		r->launch.program = r->path;
	if (!r->is_sim && !r->is_wave && !r->is_bitcode && !spec->complete) {
		launch_source(&r->launch, r->path, r->text);
		ok &= launch_read_comments(&r->launch, r->path, r->text, r->d);
	}
	return ok;
}

bool run_read(EngineRun *r, const LaunchSpec *spec)
{
	r->input = r->path = arena_strdup(r->arena, spec->path);
	r->file = spec->file;
	r->recorded = spec->recorded;
	r->misuses = spec->misuses;
	r->nmisuses = spec->nmisuses;
	bool ok = read_input(r, spec);
	if (!ok && !r->text && !r->is_bitcode)
		return false;
	Buf options = {0};
	launch_build_options(&r->launch, &options);
	r->build_options = buf_keep(&options, r->arena);
	return ok;
}
