/* Programs, kernels, and the arguments set at them.
 *
 * Sources are kept as the program gives them; a build adds its options and the files that the
 * source includes. A linked program takes over the units of what it was linked from. A program without a
 * source is kept as the device's binary. */
#include "traces/capture/layer/layer.h"

void program_drop(LayerProgram *p)
{
	arena_free(p->arena);
}

static void free_args(LayerKernel *k)
{
	for (u32 i = 0; i < k->nargs; i++)
		free(k->args[i].bytes);
	free(k->args);
	free(k->svm);
}

void kernel_drop(LayerKernel *k)
{
	free_args(k);
	free(k->name);
	if (k->program)
		thing_release(&k->program->thing);
}

/* ---- programs ---- */

/* What is known of a new program, with the lock taken; NULL: the driver refused it, or nothing is recorded. */
static LayerProgram *program_begin(cl_program handle)
{
	if (!handle || !layer.recording)
		return NULL;
	layer_lock();
	LayerProgram *p = thing_add(THING_PROGRAM, handle, sizeof *p);
	p->arena = arena_new();
	return p;
}

LayerProgram *program_made(const char *call, cl_program handle, cl_int e)
{
	if (!handle)
		failed_call(call, NULL, e);
	return program_begin(handle);
}

cl_program layer_clCreateProgramWithSource(cl_context c, cl_uint n, const char **texts, const size_t *lengths,
                                           cl_int *e)
{
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	cl_program handle = layer.target->clCreateProgramWithSource(c, n, texts, lengths, e);
	LayerProgram *p = program_made("clCreateProgramWithSource", handle, *e);
	if (!p)
		return handle;
	Buf all = {0};
	for (cl_uint i = 0; i < n; i++)
		buf_printf(&all, "%.*s", lengths && lengths[i] ? (int)lengths[i] : (int)strlen(texts[i]), texts[i]);
	p->program.units = ARENA_NEW(p->arena, SrcUnit);
	p->program.nunits = 1;
	p->program.units[0].source = buf_keep(&all, p->arena);
	layer_unlock();
	return handle;
}

cl_program layer_clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *devices,
                                           const size_t *lengths, const unsigned char **binaries,
                                           cl_int *status, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	cl_program handle = layer.target->clCreateProgramWithBinary(c, n, devices, lengths, binaries, status, e);
	LayerProgram *p = program_made("clCreateProgramWithBinary", handle, *e);
	if (!p)
		return handle;
	u8 *copy = arena_alloc(p->arena, lengths[0] + 1);
	memcpy(copy, binaries[0], lengths[0]);
	p->program.binary = copy;
	p->program.nbinary = lengths[0];
	layer_unlock();
	return handle;
}

cl_program layer_clCreateProgramWithBuiltInKernels(cl_context c, cl_uint n, const cl_device_id *devices,
                                                   const char *names, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	cl_program handle = layer.target->clCreateProgramWithBuiltInKernels(c, n, devices, names, e);
	LayerProgram *p = program_made("clCreateProgramWithBuiltInKernels", handle, *e);
	if (!p)
		return handle;
	p->program.missing = "its kernels are built into the device";
	layer_unlock();
	return handle;
}

/* What is known of a build, which is undone when the driver refuses it. */
typedef struct LayerBuild {
	bool known;
	u32 record;
	SrcProgram program;
	SrcUnit unit; /* when it has one only */
} LayerBuild;

static bool has_one_unit(const LayerProgram *p) { return p->program.nunits == 1 && !p->program.linked; }

/* It is built with options now, which replaces an earlier build. Noted before the driver is
 * called, because that may call back, and because included files may go. */
static void note_build(cl_program handle, const char *options, cl_uint nheaders, const cl_program *headers,
                       const char **names, LayerBuild *before)
{
	layer_lock();
	LayerProgram *p = (LayerProgram *)thing_find(THING_PROGRAM, handle);
	if (p) {
		SrcUnit *u = has_one_unit(p) ? p->program.units : NULL;
		*before = (LayerBuild){true, p->record, p->program, u ? *u : (SrcUnit){0}};
		p->record = 0;
		p->program.options = arena_strdup(p->arena, options);
		if (u) {
			u->options = p->program.options;
			u->includes = ARENA_ARRAY(p->arena, SrcInclude, nheaders);
			u->nincludes = 0;
		}
		for (cl_uint i = 0; u && i < nheaders; i++) {
			const LayerProgram *h = (LayerProgram *)thing_find(THING_PROGRAM, headers[i]);
			if (h && h->program.nunits == 1)
				u->includes[u->nincludes++] = (SrcInclude){
					arena_strdup(p->arena, names[i]),
					arena_strdup(p->arena, h->program.units[0].source)};
		}
		if (u)
			includes_find(u, p->arena);
	}
	layer_unlock();
}

static void undo_build(cl_program handle, const LayerBuild *before)
{
	layer_lock();
	LayerProgram *p = (LayerProgram *)thing_find(THING_PROGRAM, handle);
	if (p && before->known) {
		p->record = before->record;
		p->program = before->program;
		if (has_one_unit(p))
			p->program.units[0] = before->unit;
	}
	layer_unlock();
}

static cl_int build(const char *call, cl_program handle, cl_uint n, const cl_device_id *devices, const char *options,
                    void (CL_CALLBACK *notify)(cl_program, void *), void *user)
{
	LayerBuild before = {0};
	note_build(handle, options, 0, NULL, NULL, &before);
	cl_int e = layer.target->clBuildProgram(handle, n, devices, options, notify, user);
	if (e != CL_SUCCESS)
		undo_build(handle, &before);
	return failed_build(call, handle, n, devices, e);
}

cl_int layer_clBuildProgram(cl_program handle, cl_uint n, const cl_device_id *devices, const char *options,
                            void (CL_CALLBACK *notify)(cl_program, void *), void *user)
{
	return build("clBuildProgram", handle, n, devices, options, notify, user);
}

cl_int layer_clCompileProgram(cl_program handle, cl_uint n, const cl_device_id *devices, const char *options,
                              cl_uint nheaders, const cl_program *headers, const char **names,
                              void (CL_CALLBACK *notify)(cl_program, void *), void *user)
{
	LayerBuild before = {0};
	if (!nheaders && il_is_translated(handle)) {
		if (notify)
			notify(handle, user);
		return CL_SUCCESS;
	}
	note_build(handle, options, nheaders, headers, names, &before);
	cl_int e = layer.target->clCompileProgram(handle, n, devices, options, nheaders, headers, names, notify, user);
	if (e != CL_SUCCESS)
		undo_build(handle, &before);
	return failed_build("clCompileProgram", handle, n, devices, e);
}

static SrcUnit copy_unit(const SrcUnit *u, Arena *a)
{
	SrcUnit c = {arena_strdup(a, u->source), arena_strdup(a, u->options),
	             ARENA_ARRAY(a, SrcInclude, u->nincludes), u->nincludes};
	for (u32 i = 0; i < u->nincludes; i++)
		c.includes[i] =
		    (SrcInclude){arena_strdup(a, u->includes[i].name), arena_strdup(a, u->includes[i].text)};
	return c;
}

cl_program layer_clLinkProgram(cl_context c, cl_uint n, const cl_device_id *devices, const char *options,
                               cl_uint nparts, const cl_program *parts,
                               void (CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	cl_program handle;
	e = e ? e : &why;
	*e = CL_SUCCESS; /* not every driver sets it, and a program that failed to link is one, too */
	if (nparts == 1 && il_is_translated(*parts)) {
		handle = il_copy(c, *parts, e);
		if (handle && build("clLinkProgram", handle, n, devices, options, notify, user) != CL_SUCCESS)
			*e = CL_LINK_PROGRAM_FAILURE;
		return handle;
	}
	handle = layer.target->clLinkProgram(c, n, devices, options, nparts, parts, notify, user, e);
	failed_build("clLinkProgram", handle, n, devices, *e);
	LayerProgram *p = program_begin(handle);
	if (!p)
		return handle;
	u32 all = 0;
	bool sources = true;
	for (cl_uint i = 0; i < nparts; i++) {
		const LayerProgram *part = (LayerProgram *)thing_find(THING_PROGRAM, parts[i]);
		sources = sources && part && part->program.nunits;
		all += part ? part->program.nunits : 0;
	}
	p->program.options = arena_strdup(p->arena, options);
	p->program.linked = true;
	p->program.units = ARENA_ARRAY(p->arena, SrcUnit, all);
	for (cl_uint i = 0; sources && i < nparts; i++) {
		const LayerProgram *part = (LayerProgram *)thing_find(THING_PROGRAM, parts[i]);
		for (u32 k = 0; k < part->program.nunits; k++)
			p->program.units[p->program.nunits++] = copy_unit(&part->program.units[k], p->arena);
	}
	layer_unlock();
	return handle;
}

/* The binary that the driver has for the device, in the program's arena. */
static void fetch_binary(LayerProgram *p, cl_device_id device)
{
	const cl_icd_dispatch *t = layer.target;
	cl_program handle = p->thing.handle;
	cl_uint n = 0;
	t->clGetProgramInfo(handle, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL);
	cl_device_id *devices = xcalloc(n + 1, sizeof *devices);
	size_t *sizes = xcalloc(n + 1, sizeof *sizes);
	u8 **binaries = xcalloc(n + 1, sizeof *binaries);
	bool ok = t->clGetProgramInfo(handle, CL_PROGRAM_DEVICES, n * sizeof *devices, devices, NULL) == CL_SUCCESS &&
	          t->clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, n * sizeof *sizes, sizes, NULL) == CL_SUCCESS;
	for (cl_uint i = 0; ok && i < n; i++)
		binaries[i] = xcalloc(1, sizes[i] + 1);
	ok = ok && t->clGetProgramInfo(handle, CL_PROGRAM_BINARIES, n * sizeof *binaries, binaries, NULL) ==
	                   CL_SUCCESS;
	layer_lock();
	for (cl_uint i = 0; ok && i < n; i++) {
		if (devices[i] != device || !sizes[i])
			continue;
		u8 *copy = arena_alloc(p->arena, sizes[i]);
		memcpy(copy, binaries[i], sizes[i]);
		p->program.binary = copy;
		p->program.nbinary = sizes[i];
	}
	if (!p->program.nbinary)
		p->program.missing = "the driver has neither a source nor a binary of it";
	layer_unlock();
	for (cl_uint i = 0; i < n; i++)
		free(binaries[i]);
	free(binaries);
	free(sizes);
	free(devices);
}

u32 program_record(LayerProgram *p, cl_device_id device)
{
	if (!p->record && !p->program.nunits && !p->program.nbinary && !p->program.missing)
		fetch_binary(p, device);
	layer_lock();
	if (!p->record)
		p->record = cap_put_program(layer.file.writer, &p->program);
	u32 record = p->record;
	layer_unlock();
	return record;
}

/* ---- kernels ---- */

static cl_int set_failed(const char *call, cl_kernel handle, cl_uint i, cl_int e)
{
	char about[256];
	if (e == CL_SUCCESS)
		return e;
	layer_lock();
	const LayerKernel *k = (LayerKernel *)thing_find(THING_KERNEL, handle);
	snprintf(about, sizeof about, "argument %u of %s", i, k ? k->name : "a kernel");
	layer_unlock();
	return failed_call(call, about, e);
}

static cl_kernel note_kernel(cl_kernel handle, cl_program program)
{
	if (!handle || !layer.recording)
		return handle;
	cl_uint n = 0;
	size_t size = 0;
	layer.target->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
	layer.target->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size);
	char *name = xcalloc(1, size + 1);
	layer.target->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name, NULL);
	layer_lock();
	LayerKernel *k = thing_add(THING_KERNEL, handle, sizeof *k);
	k->name = name;
	k->nargs = n;
	k->args = xcalloc(n + 1, sizeof *k->args);
	for (u32 i = 0; i < n; i++)
		k->args[i].kind = CAP_UNSET;
	k->program = (LayerProgram *)thing_find(THING_PROGRAM, program);
	if (k->program)
		thing_retain(&k->program->thing);
	layer_unlock();
	return handle;
}

cl_kernel layer_clCreateKernel(cl_program program, const char *name, cl_int *e)
{
	cl_int why = CL_SUCCESS;
	e = e ? e : &why;
	cl_kernel handle = layer.target->clCreateKernel(program, name, e);
	if (!handle)
		failed_call("clCreateKernel", name, *e);
	return note_kernel(handle, program);
}

cl_int layer_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *n)
{
	cl_uint made = 0;
	cl_int e = layer.target->clCreateKernelsInProgram(program, room, kernels, &made);
	if (n)
		*n = made;
	for (cl_uint i = 0; e == CL_SUCCESS && kernels && i < made && i < room; i++)
		note_kernel(kernels[i], program);
	return failed_call("clCreateKernelsInProgram", NULL, e);
}

cl_kernel layer_clCloneKernel(cl_kernel original, cl_int *e)
{
	cl_kernel handle = layer.target->clCloneKernel(original, e);
	cl_program program = NULL;
	if (!handle || !layer.recording)
		return handle;
	layer.target->clGetKernelInfo(handle, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
	note_kernel(handle, program);
	layer_lock();
	const LayerKernel *from = (LayerKernel *)thing_find(THING_KERNEL, original);
	LayerKernel *k = (LayerKernel *)thing_find(THING_KERNEL, handle);
	for (u32 i = 0; from && k && i < k->nargs && i < from->nargs; i++) {
		k->args[i] = from->args[i];
		if (!from->args[i].bytes)
			continue;
		k->args[i].bytes = xmalloc(from->args[i].size);
		memcpy(k->args[i].bytes, from->args[i].bytes, from->args[i].size);
	}
	if (from && k && from->nsvm) {
		k->svm = xmalloc(from->nsvm * sizeof *k->svm);
		memcpy(k->svm, from->svm, from->nsvm * sizeof *k->svm);
		k->nsvm = from->nsvm;
	}
	layer_unlock();
	return handle;
}

static void set_argument(cl_kernel handle, cl_uint i, LayerArgument a, const void *value)
{
	layer_lock();
	LayerKernel *k = (LayerKernel *)thing_find(THING_KERNEL, handle);
	if (k && i < k->nargs) {
		LayerArgument *at = &k->args[i];
		a.bytes = at->bytes;
		if (value && a.size) {
			a.bytes = xrealloc(a.bytes, a.size);
			memcpy(a.bytes, value, a.size);
		}
		*at = a;
	}
	layer_unlock();
}

cl_int layer_clSetKernelArg(cl_kernel handle, cl_uint i, size_t size, const void *value)
{
	cl_int e = layer.target->clSetKernelArg(handle, i, size, value);
	if (e == CL_SUCCESS && layer.recording)
		set_argument(handle, i, (LayerArgument){.kind = value ? CAP_BYTES : CAP_NOTHING, .size = size}, value);
	return set_failed("clSetKernelArg", handle, i, e);
}

cl_int layer_clSetKernelArgSVMPointer(cl_kernel handle, cl_uint i, const void *value)
{
	cl_int e = layer.target->clSetKernelArgSVMPointer(handle, i, value);
	if (e == CL_SUCCESS && layer.recording)
		set_argument(handle, i, (LayerArgument){.kind = CAP_BYTES, .svm = true, .size = sizeof value}, &value);
	return set_failed("clSetKernelArgSVMPointer", handle, i, e);
}

cl_int layer_clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info what, size_t size, const void *value)
{
	cl_int e = layer.target->clSetKernelExecInfo(handle, what, size, value);
	if (e != CL_SUCCESS || what != CL_KERNEL_EXEC_INFO_SVM_PTRS)
		return e;
	layer_lock();
	LayerKernel *k = (LayerKernel *)thing_find(THING_KERNEL, handle);
	if (k) {
		k->svm = xrealloc(k->svm, size + 1);
		memcpy(k->svm, value, size);
		k->nsvm = (u32)(size / sizeof *k->svm);
	}
	layer_unlock();
	return e;
}
