/* Requests in, answers and events out: see dap.h. */
#include "debug/dap_run.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* ---- out ---- */

static void send_message(Dap *d, cJSON *m)
{
	Buf json = {0}, all = {0};
	json_put(m, true, &json);
	while (json.n && json.v[json.n - 1] == '\n')
		json.n--;
	buf_printf(&all, "Content-Length: %u\r\n\r\n", json.n);
	buf_write(&all, json.v, json.n);
	if (!write_bytes(d->spec->out, all.v, all.n))
		d->gone = true;
	array_free(&json);
	array_free(&all);
}

static cJSON *message(Dap *d, const char *type)
{
	cJSON *m = cJSON_CreateObject();
	cJSON_AddNumberToObject(m, "seq", (double)++d->seq);
	cJSON_AddStringToObject(m, "type", type);
	return m;
}

void dap_event(Dap *d, const char *name, cJSON *body)
{
	cJSON *m = message(d, "event");
	cJSON_AddStringToObject(m, "event", name);
	if (body)
		cJSON_AddItemToObject(m, "body", body);
	send_message(d, m);
}

void dap_output(Dap *d, const char *category, const char *text)
{
	cJSON *body = cJSON_CreateObject();
	json_text(body, "category", category);
	json_text(body, "output", text);
	dap_event(d, "output", body);
}

static void respond(Dap *d, const cJSON *request, const char *command, cJSON *body, bool ok, const char *why)
{
	cJSON *m = message(d, "response");
	cJSON_AddNumberToObject(m, "request_seq", dap_number(request, "seq", 0));
	cJSON_AddBoolToObject(m, "success", ok);
	json_text(m, "command", command);
	if (!ok) {
		cJSON *error = cJSON_CreateObject();
		json_text(m, "message", why);
		cJSON_Delete(body);
		body = cJSON_CreateObject();
		cJSON_AddNumberToObject(error, "id", 1);
		json_text(error, "format", why);
		cJSON_AddBoolToObject(error, "showUser", true);
		cJSON_AddItemToObject(body, "error", error);
	}
	cJSON_AddItemToObject(m, "body", body);
	send_message(d, m);
}

/* ---- in ---- */

/* The next message that is complete; NULL: there is none yet. */
static cJSON *next_message(Dap *d)
{
	for (;;) {
		size_t used;
		cJSON *m;
		const char *why;
		DapFrame f = dap_frame(d->in.v ? d->in.v : "", d->in.n, &used, &m, &why);
		if (used) {
			memmove(d->in.v, d->in.v + used, d->in.n - used);
			d->in.n -= (u32)used;
		}
		if (f == DAP_MESSAGE)
			return m;
		if (f == DAP_MORE)
			return NULL;
		char *text = arena_printf(d->arena, "left out: %s\n", why);
		dap_output(d, "console", text);
	}
}

/* False: nobody is there any more. */
static bool read_more(Dap *d)
{
	char bytes[1 << 16];
	ssize_t n;
	while ((n = read(d->spec->in, bytes, sizeof bytes)) < 0 && errno == EINTR)
		;
	if (n > 0)
		buf_write(&d->in, bytes, (size_t)n);
	d->gone |= n <= 0;
	return n > 0;
}

/* While the launch runs: what else came waits, unless it ends the run. */
bool dap_asks_pause(void *dap)
{
	Dap *d = dap;
	struct pollfd p = {.fd = d->spec->in, .events = POLLIN};
	cJSON *m;
	bool stop = d->gone;
	while (!d->gone && poll(&p, 1, 0) > 0 && p.revents)
		read_more(d);
	while ((m = next_message(d))) {
		const char *command = dap_text(m, "command");
		array_push(&d->queue, m);
		stop |= command &&
		        (!strcmp(command, "pause") || !strcmp(command, "disconnect") || !strcmp(command, "terminate"));
	}
	return stop || d->gone;
}

/* ---- beginning and end ---- */

static bool initialize(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	static const char *const can[] = {
	    "supportsConfigurationDoneRequest",
	    "supportsFunctionBreakpoints",
	    "supportsConditionalBreakpoints",
	    "supportsDataBreakpoints",
	    "supportsEvaluateForHovers",
	    "supportsStepBack",
	    "supportsSteppingGranularity",
	    "supportsSingleThreadExecutionRequests",
	    "supportsExceptionInfoRequest",
	    "supportsTerminateRequest",
	    "supportTerminateDebuggee",
	};
	(void)why;
	d->lines_from_0 = !dap_flag(a, "linesStartAt1", true);
	d->columns_from_0 = !dap_flag(a, "columnsStartAt1", true);
	d->invalidates = dap_flag(a, "supportsInvalidatedEvent", false);
	for (u32 i = 0; i < COUNT(can); i++)
		cJSON_AddBoolToObject(body, can[i], true);
	cJSON *list = cJSON_AddArrayToObject(body, "exceptionBreakpointFilters");
	for (u32 i = 0; i < CATCHES; i++) {
		cJSON *f = json_row(list);
		json_text(f, "filter", catch_names[i].name);
		json_text(f, "label", catch_names[i].label);
		cJSON_AddBoolToObject(f, "default", catch_names[i].on);
	}
	return true;
}

/* "args" is a list of words, or one text of them. */
static void options_of(Dap *d, const cJSON *args, DapLaunch *l)
{
	ARRAY(const char *) words = {0};
	const cJSON *one;
	char *rest = NULL;
	if (cJSON_IsString(args)) {
		char *text = arena_strdup(d->arena, args->valuestring);
		for (char *w = strtok_r(text, " \t\r\n", &rest); w; w = strtok_r(NULL, " \t\r\n", &rest))
			array_push(&words, w);
	}
	const cJSON *list = cJSON_IsArray(args) ? args : NULL;
	cJSON_ArrayForEach(one, list) if (cJSON_IsString(one))
	    array_push(&words, arena_strdup(d->arena, one->valuestring));
	l->nwords = words.n;
	l->words = array_keep(&words, d->arena);
}

static bool launch(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	DapLaunch l = {.program = dap_text(a, "program"),
	               .folder = dap_text(a, "cwd"),
	               .optimised = dap_flag(a, "optimised", false)};
	char *error = NULL;
	(void)body;
	*why = d->g ? "something is launched already" : "\"program\" names no kernel file";
	if (d->g || !l.program)
		return false;
	d->stop_on_entry = dap_flag(a, "stopOnEntry", false);
	d->stop_on_exit = dap_flag(a, "stopOnExit", false);
	const char *stepping = dap_text(a, "stepping");
	*why = "\"stepping\" is " SCOPE_NAMES;
	if (stepping && !scope_named(stepping, &d->stepping))
		return false;
	options_of(d, cJSON_GetObjectItemCaseSensitive(a, "args"), &l);
	d->g = d->spec->open(d->spec->ctx, &l, &error);
	d->terminal.g = d->g;
	*why = arena_strdup(d->arena, error ? error : "it cannot be launched");
	free(error);
	return d->g != NULL;
}

static void launched(Dap *d, const cJSON *a)
{
	(void)a;
	Buf text = {0};
	show_kernel(d->g, &text);
	dap_output(d, "console", text.v);
	array_free(&text);
	dap_event(d, "initialized", NULL);
}

static bool fine(Dap *d, const cJSON *a, cJSON *body, const char **why)
{
	(void)d;
	(void)a;
	(void)body;
	(void)why;
	return true;
}

static void leave(Dap *d, const cJSON *a)
{
	(void)a;
	d->gone = true;
}

static void terminate(Dap *d, const cJSON *a)
{
	(void)a;
	dap_event(d, "terminated", NULL);
}

static const Request requests[] = {
    {"initialize", initialize, NULL, false},
    {"launch", launch, launched, false},
    {"setBreakpoints", dap_breakpoints, NULL, true},
    {"setFunctionBreakpoints", dap_functions, NULL, true},
    {"dataBreakpointInfo", dap_data_info, NULL, true},
    {"setDataBreakpoints", dap_data, NULL, true},
    {"setExceptionBreakpoints", dap_exceptions, NULL, true},
    {"configurationDone", fine, dap_begin, true},
    {"threads", dap_threads, NULL, true},
    {"stackTrace", dap_stack, NULL, true},
    {"scopes", dap_scopes, NULL, true},
    {"variables", dap_variables, NULL, true},
    {"evaluate", dap_evaluate, dap_evaluated, true},
    {"source", dap_source, NULL, true},
    {"exceptionInfo", dap_exception, NULL, true},
    {"continue", dap_go, dap_continue, true},
    {"next", dap_go, dap_next, true},
    {"stepIn", dap_go, dap_step_in, true},
    {"stepOut", dap_go, dap_step_out, true},
    {"stepBack", dap_go, dap_step_back, true},
    {"reverseContinue", dap_go, dap_reverse_continue, true},
    {"pause", fine, dap_pause, true},
    {"terminate", fine, terminate, false},
    {"disconnect", fine, leave, false},
};

static void handle(Dap *d, const cJSON *m)
{
	const char *type = dap_text(m, "type"), *command = dap_text(m, "command"), *why = "this request is not known";
	const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(m, "arguments");
	if (!type || strcmp(type, "request") || !command)
		return;
	const Request *r = NULL;
	for (u32 i = 0; i < COUNT(requests) && !r; i++)
		r = strcmp(requests[i].name, command) ? NULL : &requests[i];
	cJSON *body = cJSON_CreateObject();
	bool ok = r;
	if (r && r->needs_launch && !d->g) {
		why = "nothing is launched";
		ok = false;
	}
	ok = ok && r->answer(d, arguments, body, &why);
	respond(d, m, command, body, ok, why);
	if (ok && r->after)
		r->after(d, arguments);
}

void debug_dap(const DapSpec *spec)
{
	Dap d = {.spec = spec, .arena = arena_new()};
	d.terminal.arena = d.arena;
	while (!d.gone) {
		cJSON *m = NULL;
		if (d.queue.n) {
			m = d.queue.v[0];
			memmove(d.queue.v, d.queue.v + 1, --d.queue.n * sizeof *d.queue.v);
		}
		m = m ? m : next_message(&d);
		if (m)
			handle(&d, m);
		else
			read_more(&d);
		cJSON_Delete(m);
	}
	if (d.g)
		spec->close(spec->ctx, d.g);
	for (u32 i = 0; i < d.queue.n; i++)
		cJSON_Delete(d.queue.v[i]);
	array_free(&d.queue);
	array_free(&d.refs);
	array_free(&d.in);
	array_free(&d.terminal.out);
	array_free(&d.terminal.displays);
	arena_free(d.arena);
}
