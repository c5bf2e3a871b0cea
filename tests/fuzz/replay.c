/* Runs a fuzz target on the files named: the corpus as a regression test, without libFuzzer. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "replay: no inputs\n");
		return 1;
	}
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		size_t n;
		char *data = read_file(argv[i], &n);
		if (!data) {
			fprintf(stderr, "replay: %s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		LLVMFuzzerTestOneInput((const uint8_t *)data, n);
		free(data);
	}
	printf("%d\n", argc - 1);
	return 0;
}
