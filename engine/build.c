/* The first steps of a launch, until there is a program:
 *
 *   open_input      what file is it; launch description and source text
 *   choose_machine  device, wavefront width, banks
 *   build           source -> Program
 */
#include "engine/run.h"

#include <errno.h>

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n >= k && !strcmp(s + n - k, end);
}

/* ---- input ---- */

static bool read_text(Session *s)
{
	size_t n;
	if (s->given) {
		s->text = xstrdup(s->given);
		return true;
	}
	s->text = read_file(s->path, &n);
	if (!s->text) {
		Loc at = s->is_sim ? (Loc){s->o->input, 0, 0} : NO_LOC;
		return diag_error(s->d, at, "cannot read '%s': %s", s->path, strerror(errno));
	}
	if (strlen(s->text) != n) {
		diag_error(s->d, (Loc){s->path, 0, 0}, "this is not a text file");
		diag_hint(s->d, "LLVM bitcode must be called NAME.bc");
		return false;
	}
	if (n)
		return true;
	return diag_error(s->d, (Loc){s->path, 0, 0}, "this file is empty");
}

static bool open_recorded(Session *s)
{
	Options *o = s->o;
	launch_init(&s->launch);
	launch_source(&s->launch, "command line", o->command_line);
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		if (!launch_option(&s->launch, w->name, w->value, w->loc, s->d))
			return false;
	}
	s->src = &s->file->programs.v[s->recorded->program - 1];
	s->path = arena_printf(s->arena, "program%u.%s", s->recorded->program, s->src->nunits ? "cl" : "bc");
	s->is_bitcode = !s->src->nunits;
	if (s->src->nunits)
		s->text = xstrdup(s->src->units[0].source);
	s->launch.program = s->path;
	if (!launch_from_recording(&s->launch, s->file, s->recorded, s->d))
		return false;
	Buf options = {0};
	launch_build_options(&s->launch, &options);
	s->build_options = arena_strdup(s->arena, options.v);
	array_free(&options);
	return true;
}

static bool open_input(Session *s)
{
	Options *o = s->o;
	if (s->recorded)
		return open_recorded(s);
	launch_init(&s->launch);
	launch_source(&s->launch, "command line", o->command_line);
	s->launch.test = (u32)o->test;
	bool ok = true;
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		ok &= launch_option(&s->launch, w->name, w->value, w->loc, s->d);
	}
	s->path = o->input;
	s->is_sim = !s->given && ends_with(o->input, ".sim");
	if (s->is_sim) {
		if (!launch_read_sim(&s->launch, o->input, s->d))
			return false;
		s->path = s->launch.program;
	}
	s->is_wave = ends_with(s->path, ".wave");
	s->is_bitcode = ends_with(s->path, ".bc");
	if (!s->is_bitcode && !read_text(s))
		return false;
	if (!s->launch.program)
		s->launch.program = s->path;
	if (!s->is_sim && !s->is_wave && !s->is_bitcode && !s->given) {
		launch_source(&s->launch, s->path, s->text);
		ok &= launch_read_comments(&s->launch, s->path, s->text, s->d);
	}
	ok &= options_parse_file(o, s->launch.extra.v, s->launch.extra.n, s->is_sim ? NULL : s->text,
	                         s->is_sim, s->d);
	Buf options = {0};
	launch_build_options(&s->launch, &options);
	s->build_options = arena_strdup(s->arena, options.v);
	array_free(&options);
	return ok;
}

/* ---- machine ---- */

static void point_at(Session *s, OptionId id)
{
	const Loc *at = &s->o->loc[id];
	const DiagMsg *last = &s->d->msgs.v[s->d->msgs.n - 1];
	if (last->source || !last->loc.file || !at->file || strcmp(last->loc.file, at->file))
		return; /* it points elsewhere: into a device file */
	if (at->file && !strcmp(at->file, "command line"))
		diag_source(s->d, s->o->command_line);
	else if (at->file && s->text && !strcmp(at->file, s->path))
		diag_source(s->d, s->text);
}

static bool choose_machine(Session *s)
{
	Options *o = s->o;
	if (o->device && o->mcpu) {
		diag_error(s->d, o->loc[OPTION_mcpu], "--device and --mcpu both name the device");
		point_at(s, OPTION_mcpu);
		return false;
	}
	OptionId id = o->mcpu ? OPTION_mcpu : OPTION_device;
	const char *name = o->mcpu ? o->mcpu : o->device ? o->device : "mi50";
	if (!device_load(&s->device, name, o->loc[id], s->arena, s->d)) {
		point_at(s, id);
		return false;
	}
	if (o->banks & (o->banks - 1)) {
		diag_error(s->d, o->loc[OPTION_banks], "--banks must be a power of two");
		point_at(s, OPTION_banks);
		return false;
	}
	if (o->builtins && strcmp(o->builtins, "pocl") && strcmp(o->builtins, "amd")) {
		diag_error(s->d, o->loc[OPTION_builtins], "--builtins is 'amd' or 'pocl'");
		point_at(s, OPTION_builtins);
		return false;
	}
	s->wave = o->wave ? (u32)o->wave : s->device.wave;
	s->banks = o->banks ? (u32)o->banks : s->device.lds_banks;
	s->own_lds_rule = lds_rule(&s->lds, device_lds(&s->device), s->wave, s->banks);
	return true;
}

/* ---- program ---- */

static bool build_wave(Session *s)
{
	s->program = program_parse(s->path, s->text, s->d);
	return s->program && program_verify(s->program, s->d);
}

/* The work-group that the compiler shall leave registers for: 256 work-items, as AMD's
 * assumes, or what the user or the launch says. */
u32 session_largest_group(const Session *s)
{
	const Launch *l = &s->launch;
	u64 items = l->local_from <= FROM_GUESS ? 1 : l->local[0] * l->local[1] * l->local[2];
	u64 most = s->o->max_local ? s->o->max_local : 256;
	most = items > most ? items : most;
	return (u32)(most > 1024 ? 1024 : most); /* no device takes more; launch_check says so */
}

static bool build_new(Session *s, const Fe *like)
{
	if (s->is_wave)
		return build_wave(s);
	FeOptions f = {
		.helper = s->helper,
		.path = s->path,
		.source = s->text,
		.src = s->src,
		.like = like,
		.kernel = s->launch.kernel,
		.build_options = s->build_options,
		.cpu = s->device.llvm_cpu,
		.max_local = session_largest_group(s),
		.unroll = s->device.unroll,
		.keep_ir = s->o->dump_ir,
		/* Of a stand-in (h200) only the IR is of use. */
		.machine = !s->o->dump_ir && !s->o->dump_isa &&
		           s->device.codegen != DEVICE_CODEGEN_none,
		.wave = s->wave,
		.builtins = s->o->builtins && !strcmp(s->o->builtins, "pocl") ? BUILTINS_POCL
		                                                             : BUILTINS_AMD,
		.amd_library = s->o->amd_library,
		.r600_cpu = s->device.codegen == DEVICE_CODEGEN_r600 ? s->device.r600_cpu : NULL,
	};
	s->fe = fe_compile(&f, s->d);
	s->program = s->fe ? fe_program(s->fe) : NULL;
	return s->program != NULL;
}

void session_build_free(SessionBuild *b)
{
	for (u32 i = 0; i < b->codes.n; i++) {
		program_free(b->codes.v[i].program);
		fe_close(b->codes.v[i].fe);
		free(b->codes.v[i].source);
		free(b->codes.v[i].target);
	}
	array_free(&b->codes);
}

static char *source_key(const Session *s)
{
	Buf key = {0};
	buf_printf(&key, "%s\n%s\n%s", s->path, s->build_options ? s->build_options : "", s->text ? s->text : "");
	return key.v;
}

static char *target_key(const Session *s)
{
	Buf key = {0};
	buf_printf(&key, "%s %d %s %s %s %u %u %u", s->launch.kernel ? s->launch.kernel : "", (int)s->device.codegen,
	           s->device.llvm_cpu ? s->device.llvm_cpu : "", s->device.r600_cpu ? s->device.r600_cpu : "",
	           s->o->builtins ? s->o->builtins : "", s->wave, session_largest_group(s),
	           s->device.unroll);
	return key.v;
}

/* A launch of the same program needs no new build, and one of the same source no new run of the
 * OpenCL compiler. */
static bool build_cached(Session *s)
{
	SessionBuild *b = s->cache;
	if (!b)
		return build_new(s, NULL);
	SessionCode code = {.source = source_key(s), .target = target_key(s)};
	const Fe *like = NULL;
	for (u32 i = 0; i < b->codes.n && !s->program; i++) {
		const SessionCode *c = &b->codes.v[i];
		if (strcmp(c->source, code.source) != 0)
			continue;
		like = c->fe;
		if (strcmp(c->target, code.target) != 0)
			continue;
		s->fe = c->fe;
		s->program = c->program;
	}
	bool ok = s->program != NULL;
	if (!ok && (ok = build_new(s, like))) {
		if (!b->all)
			session_build_free(b);
		code.fe = s->fe;
		code.program = s->program;
		array_push(&b->codes, code);
		b->compiled += !like;
		b->lowered++;
		return true;
	}
	if (!ok) {
		fe_close(s->fe);
		s->fe = NULL;
	}
	free(code.source);
	free(code.target);
	return ok;
}

bool session_build(Session *s)
{
	double start = seconds_now();
	if (!s->helper)
		s->helper = s->own_helper = helper_new(NULL);
	bool ok = open_input(s) && choose_machine(s) && build_cached(s);
	s->build_seconds = seconds_now() - start;
	return ok;
}
