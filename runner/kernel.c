/* A kernel of a program that is built on the device (program.c): find out what its arguments are.
 *
 * OpenCL tells their types by name. What is no name of the language is a typedef or a struct of
 * the program: the device is asked, by a little kernel that is built behind the same source. */
#include "runner/runner.h"

#include "isa/arg_type.h"

/* ---- the types of the program ---- */

/* Ask the device: an expression of T, computed there. 0: it does not compile or run. */
static i32 ask_unit(const ClDev *dev, const SrcProgram *src, u32 unit, const char *type, const char *expression)
{
	Buf text = {0};
	cl_int e = CL_SUCCESS;
	i32 answer = 0;
	buf_printf(&text, "kernel void wavesim_ask(global int *out) { typedef %s wavesim_t; out[0] = (int)(%s); }\n",
	           type, expression);
	cl_program p = program_build(dev, "", src, &(ProgramMore){unit, text.v}, NULL);
	array_free(&text);
	cl_kernel k = p ? clCreateKernel(p, "wavesim_ask", &e) : NULL;
	cl_mem out = k ? clCreateBuffer(dev->context, CL_MEM_READ_WRITE, sizeof answer, NULL, &e) : NULL;
	size_t one = 1;
	if (out && clSetKernelArg(k, 0, sizeof out, &out) == CL_SUCCESS &&
	    clEnqueueNDRangeKernel(dev->queue, k, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS &&
	    clEnqueueReadBuffer(dev->queue, out, CL_TRUE, 0, sizeof answer, &answer, 0, NULL, NULL) !=
	            CL_SUCCESS)
		answer = 0;
	if (out)
		clReleaseMemObject(out);
	if (k)
		clReleaseKernel(k);
	if (p)
		clReleaseProgram(p);
	return answer;
}

/* Behind the translation unit that knows the type. */
static i32 ask(const ClDev *dev, const SrcProgram *src, const char *type, const char *expression)
{
	i32 answer = 0;
	for (u32 i = 0; !answer && i < src->nunits; i++)
		answer = ask_unit(dev, src, i, type, expression);
	return answer;
}

/* 1: a float, 2: unsigned, 3: signed; %s picks a component of a vector. */
#define CLASS_OF "((wavesim_t)(1))%s / (char)2 != 0 ? 1 : ((wavesim_t)(0))%s - 1 < 0 ? 3 : 2"

static void own_type(const ClDev *dev, const SrcProgram *src, const char *type, KernelArg *k)
{
	char scalar[160], vector[160];
	snprintf(scalar, sizeof scalar, CLASS_OF, "", "");
	snprintf(vector, sizeof vector, CLASS_OF, ".s0", ".s0");
	i32 size = ask(dev, src, type, "sizeof(wavesim_t)");
	i32 class = ask(dev, src, type, scalar), width = 1;
	if (!class && (class = ask(dev, src, type, vector)))
		width = ask(dev, src, type, "vec_step(wavesim_t)");
	k->size = size > 0 ? (u32)size : 0;
	k->elem_class = class == 1 ? ELEM_FLOAT : class == 2 ? ELEM_UINT : class == 3 ? ELEM_INT
	                                                                              : ELEM_OTHER;
	k->width = (u8)(class && width > 0 ? width : 1);
	k->elem_bytes = (u8)(class ? k->size / (k->width == 3 ? 4u : k->width) : 0);
}

/* ---- arguments ---- */

static char *arg_text(cl_kernel kernel, cl_uint i, cl_kernel_arg_info what, Arena *a)
{
	size_t n = 0;
	if (clGetKernelArgInfo(kernel, i, what, 0, NULL, &n) != CL_SUCCESS)
		return NULL;
	char *text = arena_alloc(a, n + 1);
	return clGetKernelArgInfo(kernel, i, what, n, text, NULL) == CL_SUCCESS ? text : NULL;
}

/* An image or a sampler. */
static bool image_arg(const DeviceKernel *k, cl_uint i, KernelArg *out, Diag *d)
{
	static const char *const known[] = {"sampler_t", "image1d_t", "image2d_t", "image3d_t", "image1d_array_t",
	                                    "image2d_array_t"};
	cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
	u32 which = 0;
	while (which < COUNT(known) && strcmp(known[which], out->type_name))
		which++;
	if (which == COUNT(known)) {
		diag_error(d, NO_LOC, "argument '%s' is of type '%s'", out->name, out->type_name);
		return diag_hint(d, "wavesim-runner knows images of one to three dimensions and arrays of them");
	}
	clGetKernelArgInfo(k->kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
	out->kind = which ? ARG_IMAGE : ARG_SAMPLER;
	out->size = which ? 0 : 4;
	out->image_dims = which ? (u8)(out->type_name[5] - '0') : 0;
	out->writes = access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY || access == CL_KERNEL_ARG_ACCESS_READ_WRITE;
	out->is_const = !out->writes;
	return true;
}

static bool read_arg(const DeviceKernel *k, const ClDev *dev, cl_uint i, const SrcProgram *src, KernelArg *out,
                     Arena *a, Diag *d)
{
	cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
	cl_kernel_arg_type_qualifier quals = 0;
	char *type = arg_text(k->kernel, i, CL_KERNEL_ARG_TYPE_NAME, a);
	out->name = arg_text(k->kernel, i, CL_KERNEL_ARG_NAME, a);
	if (!type || !out->name)
		return diag_error(d, NO_LOC, "this OpenCL driver does not tell the types of arguments "
		                  "(-cl-kernel-arg-info)");
	clGetKernelArgInfo(k->kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
	clGetKernelArgInfo(k->kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof quals, &quals, NULL);
	out->type_name = type;
	if (quals & CL_KERNEL_ARG_TYPE_PIPE)
		return diag_error(d, NO_LOC, "argument '%s' is a pipe, and wavesim-runner has none", out->name);
	if (!strncmp(type, "image", 5) || !strcmp(type, "sampler_t"))
		return image_arg(k, i, out, d);
	out->is_const = (quals & CL_KERNEL_ARG_TYPE_CONST) || space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
	out->kind = space == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? ARG_GLOBAL
	            : space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? ARG_CONSTANT
	            : space == CL_KERNEL_ARG_ADDRESS_LOCAL    ? ARG_LOCAL
	                                                      : ARG_VALUE;
	size_t n = strlen(type);
	if (out->kind != ARG_VALUE && n && type[n - 1] == '*')
		n--;
	while (n && type[n - 1] == ' ')
		n--;
	out->width = 1;
	if (!arg_type_parse(type, n, out))
		own_type(dev, src, arena_strndup(a, type, n), out);
	return true;
}

const char *kernel_name(const DeviceKernel *k, Arena *a)
{
	size_t n = 0;
	clGetKernelInfo(k->kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &n);
	char *name = arena_alloc(a, n + 1);
	clGetKernelInfo(k->kernel, CL_KERNEL_FUNCTION_NAME, n, name, NULL);
	return name;
}

static bool choose(DeviceKernel *k, const char *path, const char *name, Diag *d)
{
	cl_int e;
	if (name) {
		k->kernel = clCreateKernel(k->program, name, &e);
		if (e != CL_INVALID_KERNEL_NAME)
			return cl_good(e, "clCreateKernel", d);
		return diag_error(d, (Loc){path, 0, 0}, "there is no kernel '%s' in this file", name);
	}
	cl_kernel all[2];
	cl_uint n = 0;
	if (!cl_good(clCreateKernelsInProgram(k->program, 0, NULL, &n), "clCreateKernelsInProgram", d))
		return false;
	if (n != 1) {
		diag_error(d, (Loc){path, 0, 0}, "there are %u kernels in this file", n);
		return diag_hint(d, "choose one with --kernel NAME");
	}
	e = clCreateKernelsInProgram(k->program, 1, all, NULL);
	k->kernel = e == CL_SUCCESS ? all[0] : NULL;
	return cl_good(e, "clCreateKernelsInProgram", d);
}

bool kernel_build(DeviceKernel *k, const ClDev *dev, const char *path, const SrcProgram *src, const char *name,
                  Arena *a, Diag *d)
{
	*k = (DeviceKernel){0};
	k->program = program_build(dev, path, src, NULL, d);
	if (!k->program || !choose(k, path, name, d))
		return false;
	cl_uint n = 0;
	clGetKernelInfo(k->kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
	k->nargs = n;
	k->args = ARENA_ARRAY(a, KernelArg, n + 1);
	bool ok = true;
	for (cl_uint i = 0; i < n; i++)
		ok &= read_arg(k, dev, i, src, &k->args[i], a, d);
	size_t required[3] = {0};
	clGetKernelWorkGroupInfo(k->kernel, dev->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
	                         required, NULL);
	for (u32 i = 0; i < 3; i++)
		k->hints.reqd_local[i] = (u32)required[i];
	return ok;
}

void kernel_free(DeviceKernel *k)
{
	if (k->kernel)
		clReleaseKernel(k->kernel);
	if (k->program)
		clReleaseProgram(k->program);
	*k = (DeviceKernel){0};
}
