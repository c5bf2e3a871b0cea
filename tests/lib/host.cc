// The same interface from C++, with the library inside the program.
#include <wavesim.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

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

// Eight threads: each says what one alone says.
static int threads()
{
	const std::string good = run("32"), bad = run("33");
	std::vector<std::string> said(16);
	std::vector<std::thread> all;
	for (size_t i = 0; i < 8; i++)
		all.emplace_back([&said, i] {
			said[2 * i] = run("32");
			said[2 * i + 1] = run("33");
		});
	for (std::thread &t : all)
		t.join();
	for (size_t i = 0; i < said.size(); i++)
		if (said[i] != (i % 2 ? bad : good)) {
			std::fprintf(stderr, "not so: %s\n", said[i].c_str());
			return 1;
		}
	std::puts("good");
	return 0;
}

int main(int argc, char **)
{
	if (argc > 1)
		return threads();
	std::puts(run("32").c_str());
	std::puts(run("33").c_str());
	return 0;
}
