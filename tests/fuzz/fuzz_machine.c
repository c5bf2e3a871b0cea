/* Any text as a program that is run: what the verifier accepts must run, or be refused with
 * a message, and its report must print. The last byte chooses the wavefront's width and the
 * size of the launch, and the report's format. */
#include "engine/arguments.h"
#include "report/report.h"
#include "models/device/lds_rule.h"
#include "tests/fuzz/text_mutate.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INSTRUCTIONS = 2000, MAX_BYTES = 1 << 20 };

typedef struct Size {
	const char *global, *local;
	u32 wave;
} Size;

static const Size sizes[] = {
	{"96", "48", 64}, {"5", "5", 1}, {"128", "128", 128}, {"8,4,2", "8,4,2", 16}, {NULL, NULL, 32},
};

static void print_report(const Program *p, const Profile *profile, const Device *dev, const Launch *l,
                         const SimLaunch *sim, u32 format)
{
	Reference none = {.status = REF_unavailable, .why = "fuzz"};
	ResultInput in = {.program = p, .profile = profile, .device = dev, .file = "fuzz.wave",
	                  .dims = l->work_dim, .lds_bytes = sim_lds_bytes(p, sim), .options = "", .given = "",
	                  .guessed = "", .reference = &none,
	                  .sources = xcalloc(p->files.n + 1, sizeof(ResultSource))};
	memcpy(in.global, sim->global, sizeof in.global);
	memcpy(in.local, sim->local, sizeof in.local);
	launch_groups(l, in.groups);
	Result *r = result_build(&in);
	Buf out = {0};
	sinks[format % SINK_COUNT].write(r, &(SinkStyle){.max_findings = 10}, &out);
	array_free(&out);
	result_free(r);
	free((void *)in.sources);
}

static void run(const Program *p, const Launch *l, const Arguments *a, const Device *dev, u32 wave,
                u32 format, Diag *d)
{
	SimLaunch sim = {.dims = l->work_dim, .args = a->sim_args, .buffers = a->buffers,
	                 .nbuffers = a->nbuffers};
	SimConfig cfg = {.wave = wave, .line_bytes = dev->line_bytes, .threads = 1,
	                 .max_instructions = MAX_INSTRUCTIONS, .max_lds = dev->lds_per_group,
	                 .wave_prof_limit = 1u << 10};
	for (u32 i = 0; i < 3; i++) {
		sim.global[i] = l->global[i];
		sim.local[i] = l->local[i];
		sim.offset[i] = l->offset[i];
	}
	lds_rule(&cfg.lds, device_lds(dev), wave, dev->lds_banks);
	Profile *profile = sim_run(p, &sim, &cfg, d);
	if (!profile != (d->errors != 0))
		abort();
	if (profile)
		print_report(p, profile, dev, l, &sim, format);
	profile_free(profile);
}

static const Device *device(Diag *d)
{
	static Device dev;
	static Arena *texts; /* of dev: no leak */
	if (!texts && !device_load(&dev, "mi50", NO_LOC, texts = arena_new(), d))
		abort();
	return &dev;
}

static void launch(const Program *p, const Size *at, u32 format, Diag *d)
{
	const LaunchLimits limits = {.max_group = 1024, .max_bytes = MAX_BYTES};
	Launch l;
	Arguments a = {0};
	launch_init(&l);
	if (at->global && !(launch_option(&l, "--global", at->global, NO_LOC, d) &&
	                    launch_option(&l, "--local", at->local, NO_LOC, d)))
		abort(); /* our own options, whatever the input */
	bool ok = launch_set_kernel(&l, p->kernel, d) && launch_bind(&l, p->args.v, p->args.n, d);
	if (ok) {
		launch_guess(&l, &(LaunchHints){.dims = 1});
		ok = launch_check(&l, &limits, d) && arguments_build(&a, &l, p, &limits, false, d);
	}
	if (ok)
		run(p, &l, &a, device(d), at->wave, format, d);
	arguments_free(&a);
	launch_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	Diag d;
	Buf messages = {0};
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	diag_init(&d);
	Program *p = program_parse("fuzz.wave", text, &d);
	if (p && program_verify(p, &d))
		launch(p, &sizes[size ? data[size - 1] % COUNT(sizes) : 0], size ? data[size - 1] / COUNT(sizes) : 0,
		       &d);
	program_free(p);
	diag_print(&d, &messages);
	array_free(&messages);
	diag_free(&d);
	free(text);
	return 0;
}

static const char *op_word(u32 i) { return op_info[i % OP_COUNT].name; }

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, op_word);
}
