/* Any text as a saved report: read, and compared with itself and with a plain one. */
#include "report/compare.h"
#include "report/saved.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char plain[] =
	"{\"schema\":\"wavesim/1\",\"file\":\"a.cl\",\"kernel\":\"k\",\"device\":\"mi50\",\"wave\":64,\"banks\":32,"
	"\"launch\":{\"options\":\"--global 64\",\"global\":[64,1,1],\"local\":[64,1,1],\"groups\":1,\"groups_run\":1},"
	"\"estimate\":{\"cycles\":1000,\"time_us\":2,\"low_us\":1,\"high_us\":3,\"launch_us\":1,\"bound_by\":\"dram\"},"
	"\"lines\":[{\"file\":\"a.cl\",\"line\":3,\"cycles_share\":0.5,\"wave_instructions\":10}]}";

static void compare(const Result *a, const Result *b)
{
	static const char *const label[SIDES] = {"before", "after"};
	Arena *arena = arena_new();
	CompareResults results = saved_results(a, b, arena);
	Compare *c = compare_build(a, b, label, &results);
	SinkStyle style = {.width = 80};
	Buf out = {0};
	compare_text(c, &style, &out);
	compare_json(c, &style, &out);
	array_free(&out);
	compare_free(c);
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Result *other;
	char *text = xcalloc(1, size + 1);
	memcpy(text, data, size);
	Diag d;
	diag_init(&d);
	if (!other)
		other = saved_parse(plain, "plain.json", &d);
	Result *r = saved_parse(text, "saved.json", &d);
	if (r) {
		compare(r, r);
		compare(other, r);
		compare(r, other);
		result_free(r);
	} else if (!d.errors) {
		abort();
	}
	diag_free(&d);
	free(text);
	return 0;
}

static const char *word(u32 n)
{
	static const char *const words[] = {
	    "\"lines\"",   "\"line\"",
	    "\"file\"",    "\"estimate\"",
	    "\"time_us\"", "\"findings\"",
	    "\"launch\"",  "\"machine\"",
	    "\"classes\"", "\"global\"",
	    "[",           "]",
	    "{",           "}",
	    ":",           ",",
	    "null",        "true",
	    "\"a.cl\"",    "-1",
	    "4294967295",  "1e308",
	};
	return words[n % COUNT(words)];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, word);
}
