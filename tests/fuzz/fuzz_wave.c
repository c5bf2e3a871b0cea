/* Any text: the parser must not crash, and a program it accepts must print to a text
 * that it accepts again and prints the same. */
#include "isa/isa.h"
#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	Diag d;
	Buf first = {0}, second = {0}, messages = {0};
	memcpy(text, data, size);
	text[size] = 0;
	diag_init(&d);
	Program *p = program_parse("fuzz.wave", text, &d);
	diag_print(&d, &messages);
	if (!p != (d.errors != 0))
		abort();
	if (p) {
		program_print(p, &first);
		Program *q = program_parse("again.wave", first.v, &d);
		if (!q)
			abort();
		program_print(q, &second);
		if (strcmp(first.v, second.v))
			abort();
		program_free(q);
	}
	program_free(p);
	diag_free(&d);
	array_free(&first);
	array_free(&second);
	array_free(&messages);
	free(text);
	return 0;
}

static const char *op_word(u32 i) { return op_info[i % OP_COUNT].name; }

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, op_word);
}
