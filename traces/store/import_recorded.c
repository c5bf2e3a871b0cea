/* The device times of a launch file: what the host program's own run took, as its events said. Each
 * launch that has them becomes a launch of the store with one sample. */
#include "traces/store/import_impl.h"
#include "traces/store/store_impl.h"

#include "models/device/device_names.h"
#include "traces/capture/launch_recorded.h"
#include "traces/launch/launch.h"

static bool device_row(Import *in, const CapDevice *c, i64 *id)
{
	const ImportOptions *o = in->o;
	StoreDevice dev = {.name = o->device ? o->device : c->name, .vendor = c->vendor, .driver = c->driver};
	const u64 gpu = 1 << 2; /* CL_DEVICE_TYPE_GPU */
	dev.model = o->model ? o->model : c->type & gpu && c->name ? device_name_match(NULL, c->name, in->arena) : NULL;
	if (!dev.name)
		dev.name = "unnamed device";
	return store_device(in->s, &dev, id, in->d);
}

/* Rows of what the launches share, by the numbers of their records; 0: not there yet. */
typedef struct Rows {
	i64 *devices, *kernels;
} Rows;

static bool kernel_row(Import *in, const CapFile *f, u32 program, i64 *id)
{
	const SrcProgram *p = &f->programs.v[program];
	/* A program without a source is known by the file alone. */
	char key[STORE_KEY], number[40];
	snprintf(number, sizeof number, "%016llx %u", (unsigned long long)cap_hash(f), program);
	store_key(key, (const char *const[]){number}, 1);
	return store_kernel(in->s, f->path, p->nunits ? p->units[0].source : NULL, key, id, in->d);
}

static bool add_launch(Import *in, const CapFile *f, const CapLaunch *l, Rows *rows)
{
	i64 *device = &rows->devices[l->device - 1], *kernel = &rows->kernels[l->program - 1];
	if ((!*device && !device_row(in, &f->devices.v[l->device - 1], device)) ||
	    (!*kernel && !kernel_row(in, f, l->program - 1, kernel)))
		return false;
	Buf options = {0};
	recorded_options(in->s->path, f, l, &options);
	double ms = (double)(l->ended - l->started) / 1e6;
	in->device = *device;
	in->kernel = *kernel;
	in->name = l->kernel;
	bool ok = import_point(in, options.v, NULL, &ms, 1);
	array_free(&options);
	return ok;
}

static bool add_all(Import *in, const CapFile *f, u64 *without)
{
	Rows rows = {ARENA_ARRAY(in->arena, i64, f->devices.n + 1), ARENA_ARRAY(in->arena, i64, f->programs.n + 1)};
	for (u32 i = 0; i < f->launches.n; i++) {
		const CapLaunch *l = &f->launches.v[i];
		if (l->ended <= l->started)
			++*without;
		else if (!add_launch(in, f, l, &rows))
			return false;
	}
	return true;
}

bool import_recorded(Import *in)
{
	CapFile *f = cap_open(in->path, in->d);
	if (!f)
		return false;
	char hash[24];
	int n = snprintf(hash, sizeof hash, "%016llx", (unsigned long long)cap_hash(f));
	StoreImport row = {.path = in->path, .format = "launches", .source = in->o->source ? in->o->source :
	                   f->host.command, .licence = in->o->licence, .text = hash, .size = (u64)n};
	bool fresh = false;
	u64 without = 0;
	bool ok = store_begin(in->s, in->d) && store_import_row(in->s, &row, &in->import, &fresh, in->d);
	ok = store_finish(in->s, ok && (!fresh || (add_all(in, f, &without) && import_floor(in))), in->d);
	if (ok && !fresh)
		diag_note(in->d, (Loc){in->path, 0, 0}, "this file was imported before");
	else if (ok)
		diag_note(in->d, (Loc){in->path, 0, 0}, "%u launches; %llu without a time of the device", in->added,
		          (unsigned long long)without);
	cap_close(f);
	return ok;
}
