/* The records of gpu.h, behind their length. */
#include "isa/gpu.h"

#include <errno.h>
#include <unistd.h>

static void code_variable(Codec *c, GpuVariable *v)
{
	CODE(c, v->symbol, v->size, v->align, v->address, v->set);
	codec_check(c, v->symbol != NULL);
}

static void code_param(Codec *c, GpuParam *p) { CODE(c, p->size, p->align, p->pointer); }

static void code_kernel(Codec *c, GpuKernel *k)
{
	CODE(c, k->symbol, k->name);
	codec_check(c, k->symbol && k->name);
	CODE_LIST(c, GpuParam, k->params, k->nparams, code_param);
}

static void code_value(Codec *c, GpuValue *v) { code_bytes(c, &v->bytes, &v->n); }

static void code_talk(Codec *c, GpuTalk *t)
{
	CODE(c, t->kind, t->why, t->module);
	codec_check(c, t->kind < GPU_KINDS);
	code_bytes(c, &t->bitcode, &t->nbitcode);
	CODE_LIST(c, GpuVariable, t->variables, t->nvariables, code_variable);
	CODE_LIST(c, GpuKernel, t->kernels, t->nkernels, code_kernel);
	CODE(c, t->address, t->size, t->at, t->symbol, t->shared);
	for (u32 i = 0; i < 3; i++)
		CODE(c, t->grid[i], t->block[i]);
	CODE_LIST(c, GpuValue, t->values, t->nvalues, code_value);
	CODE(c, t->seconds, t->cut, t->launched, t->ns);
}

/* Whole, and no signal when nobody reads. */
bool gpu_send(int socket, GpuTalk *t)
{
	Buf b = {0};
	u64 n = 0;
	buf_write(&b, &n, sizeof n);
	code_talk(&(Codec){.writing = true, .out = &b}, t);
	n = b.n - sizeof n;
	memcpy(b.v, &n, sizeof n);
	bool ok = write_bytes(socket, b.v, b.n);
	array_free(&b);
	return ok;
}

static bool read_all(int fd, void *to, u64 n)
{
	for (u8 *p = to; n;) {
		ssize_t k = read(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (u64)k;
	}
	return true;
}

bool gpu_receive(int socket, GpuTalk *t, Arena *a)
{
	enum { MOST = 1 << 30 };
	u64 n, room;
	*t = (GpuTalk){0};
	if (!read_all(socket, &n, sizeof n) || n > MOST)
		return false;
	u8 *bytes = arena_alloc(a, n + 1);
	if (!read_all(socket, bytes, n))
		return false;
	room = CODEC_ROOM(n);
	Codec c = {.p = bytes, .end = bytes + n, .arena = a, .room = &room};
	code_talk(&c, t);
	return !c.bad;
}
