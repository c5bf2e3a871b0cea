/* Options as the engine takes them, and launches that options name. */
#ifndef WAVESIM_SPECS_H
#define WAVESIM_SPECS_H

#include "engine/engine.h"
#include "options/options.h"
#include "report/report.h"

/* Who runs it, as RunSpec has it; {0}: nobody is told how far it is. */
typedef struct SpecsHost {
	EngineProgress *progress;
	EnginePhase *phase;
	void *ctx;
	bool embedded; /* every format may be asked for after the run; nothing goes to standard error */
	const Stop *stop;
	const char *helper;
} SpecsHost;

/* The launch of these options, as it is until the file is read. It points into o. */
LaunchSpec specs_launch(const Options *o);
/* The machine and what is wanted. The device is o's. False: errors in d, which point into text where an option is
 * in the file of that path. */
bool specs_machine(const Options *o, const char *path, const char *text, MachineSpec *out, Diag *d);
SinkStyle specs_style(const Options *o); /* of reports into files */
bool specs_check_api(const Options *o); /* misuse of OpenCL is looked for */
RunSpec specs_run(const Options *o, SpecsHost host);

/* The same for a run that is open, with the options of its file, which o takes over. */
bool specs_file(Options *o, const EngineRun *run, MachineSpec *out, Diag *d);

/* Open and build: reads the file, and the options in it into o. Never NULL, as engine_open; *ok: it is built. */
EngineRun *specs_build(Options *o, const LaunchSpec *launch, BuildCache *cache, SpecsHost host, bool *ok, Diag *d);
/* The same, ready for engine_result. */
EngineRun *specs_execute(Options *o, const LaunchSpec *launch, BuildCache *cache, SpecsHost host, bool *ok, Diag *d);

#endif
