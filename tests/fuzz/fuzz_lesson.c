/* Any text as a lesson's page: read, filled in from runs that have every value, and shown. */
#include "cli/lesson.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static LessonAnswer answer(void *ctx, const char *run, const char *path, ResultValue *out)
{
	(void)ctx;
	*out = (ResultValue){.number = (double)strlen(path) * 1234.5678};
	switch (strlen(run) % 4) {
	case 1: return LESSON_NO_VALUE;
	case 3: return LESSON_FAILED;
	case 2: out->text = path; return LESSON_GOOD;
	default: return LESSON_GOOD;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(1, size + 1);
	memcpy(text, data, size);
	Diag d;
	diag_init(&d);
	LessonPage p;
	Buf out = {0};
	if (lesson_page_parse(&p, "lesson/README.md", text, &d)) {
		for (u32 strict = 0; strict < 2; strict++) {
			LessonFill f = {.ask = answer, .strict = strict};
			out.n = 0;
			if (!lesson_fill(&p, &f, &out, &d) && !d.errors)
				abort();
		}
		Buf shown = {0};
		SinkStyle style = {.width = 20 + (u32)(size % 90), .colour = size & 1};
		buf_write(&out, "", 1);
		lesson_show(out.v, "lessons/", "compared\n", &style, &shown);
		array_free(&shown);
	} else if (!d.errors) {
		abort();
	}
	lesson_page_free(&p);
	out.n = 0;
	diag_print(&d, &out);
	array_free(&out);
	diag_free(&d);
	free(text);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
