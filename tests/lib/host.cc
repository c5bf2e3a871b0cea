// The same interface from C++, with the library inside the program.
#include <wavesim.h>

#include <cstdio>
#include <string>

static std::string run(const char *local)
{
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r = NULL;
	double groups = 0;
	std::string said;
	wavesim_source(w, "one.cl", "kernel void one(global int *a) { a[get_global_id(0)] = 1; }");
	wavesim_option(w, "--global", "128");
	wavesim_option(w, "--local", local);
	if (wavesim_run(w, &r) == WAVESIM_OK && wavesim_number(r, "launch.groups", &groups) == WAVESIM_OK)
		said = std::to_string(static_cast<int>(groups)) + " groups, " + wavesim_text(r, "reference.status");
	else
		said = wavesim_error(w);
	wavesim_result_free(r);
	wavesim_free(w);
	return said;
}

int main()
{
	std::puts(run("32").c_str());
	std::puts(run("33").c_str());
	return 0;
}
