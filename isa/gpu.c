/* The records of gpu.h, behind their length. */
#include "isa/gpu.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static void code_variable(Codec *c, GpuVariable *v)
{
	CODE(c, v->symbol, v->size, v->align, v->address, v->set);
	codec_check(c, v->symbol != NULL);
}

static void code_param(Codec *c, GpuParam *p) { CODE(c, p->size, p->align, p->pointer); }

static void code_kernel(Codec *c, GpuKernel *k)
{
	CODE(c, k->symbol, k->name, k->max_group);
	codec_check(c, k->symbol && k->name);
	CODE_LIST(c, GpuParam, k->params, k->nparams, code_param);
}

static void code_value(Codec *c, GpuValue *v) { code_bytes(c, &v->bytes, &v->n); }

void gpu_talk_code(Codec *c, void *talk)
{
	GpuTalk *t = talk;
	CODE(c, t->kind, t->why, t->module);
	codec_check(c, t->kind < GPU_KINDS);
	code_bytes(c, &t->bitcode, &t->nbitcode);
	CODE_LIST(c, GpuVariable, t->variables, t->nvariables, code_variable);
	CODE_LIST(c, GpuKernel, t->kernels, t->nkernels, code_kernel);
	CODE(c, t->address, t->size, t->at, t->symbol, t->shared);
	for (u32 i = 0; i < 3; i++)
		CODE(c, t->grid[i], t->block[i]);
	CODE_LIST(c, GpuValue, t->values, t->nvalues, code_value);
	CODE(c, t->seconds, t->cut, t->launched, t->ns, t->rtc);
}

static void code_option(Codec *c, SrcInclude *o)
{
	CODE(c, o->name);
	codec_check(c, o->name);
}

static void code_name_of(Codec *c, GpuName *n)
{
	CODE(c, n->expression, n->symbol);
	codec_check(c, n->expression);
}

void gpu_source_code(Codec *c, void *source)
{
	GpuSource *s = source;
	CODE(c, s->text, s->name, s->cpu, s->chip, s->log);
	CODE_LIST(c, SrcInclude, s->headers, s->nheaders, source_code_include);
	CODE_LIST(c, SrcInclude, s->options, s->noptions, code_option);
	CODE_LIST(c, GpuName, s->names, s->nnames, code_name_of);
	code_bytes(c, &s->bitcode, &s->nbitcode);
	codec_check(c, s->text && s->name && s->cpu);
}

/* ---- frames ---- */

typedef void RecordCode(Codec *c, void *record);

/* Whole, and no signal when nobody reads. */
static bool write_all(int socket, const char *p, u64 n)
{
	while (n) {
		ssize_t k = send(socket, p, n, MSG_NOSIGNAL);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (u64)k;
	}
	return true;
}

static bool send_as(int socket, RecordCode *code, void *record)
{
	Buf b = {0};
	u64 n = 0;
	buf_write(&b, &n, sizeof n);
	code(&(Codec){.writing = true, .out = &b}, record);
	n = b.n - sizeof n;
	memcpy(b.v, &n, sizeof n);
	bool ok = write_all(socket, b.v, b.n);
	array_free(&b);
	return ok;
}

static bool read_all(int socket, void *to, u64 n)
{
	for (u8 *p = to; n;) {
		ssize_t k = read(socket, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (u64)k;
	}
	return true;
}

/* record: all zeros. False: there is nothing to read, whole. */
static bool receive_as(int socket, RecordCode *code, void *record, Arena *a)
{
	enum { MOST = 1 << 30 };
	u64 n;
	if (!read_all(socket, &n, sizeof n) || n > MOST)
		return false;
	u8 *bytes = arena_alloc(a, n + 1);
	if (!read_all(socket, bytes, n))
		return false;
	u64 room = CODEC_ROOM(n);
	Codec c = {.p = bytes, .end = bytes + n, .arena = a, .room = &room};
	code(&c, record);
	return !c.bad;
}

bool gpu_send(int socket, GpuTalk *t) { return send_as(socket, gpu_talk_code, t); }
bool gpu_send_source(int socket, GpuSource *s) { return send_as(socket, gpu_source_code, s); }

bool gpu_receive(int socket, GpuTalk *t, Arena *a)
{
	*t = (GpuTalk){0};
	return receive_as(socket, gpu_talk_code, t, a);
}

bool gpu_receive_source(int socket, GpuSource *s, Arena *a)
{
	*s = (GpuSource){0};
	return receive_as(socket, gpu_source_code, s, a);
}
