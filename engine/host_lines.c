/* See host_lines.h. libdw reads the files; each is opened once. */
#include "engine/host_lines.h"

#include <elfutils/libdwfl.h>

typedef struct HostFile {
	const char *path;
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: it cannot be read */
	u64 bias;
} HostFile;

struct HostLines {
	Arena *arena;
	ARRAY(HostFile) files;
};

HostLines *host_lines_new(void)
{
	HostLines *h = xcalloc(1, sizeof *h);
	h->arena = arena_new();
	return h;
}

void host_lines_free(HostLines *h)
{
	for (u32 i = 0; i < h->files.n; i++)
		dwfl_end(h->files.v[i].dwfl);
	array_free(&h->files);
	arena_free(h->arena);
	free(h);
}

static HostFile *open_file(HostLines *h, const char *path)
{
	static const Dwfl_Callbacks calls = {.find_elf = dwfl_build_id_find_elf,
	                                     .find_debuginfo = dwfl_standard_find_debuginfo,
	                                     .section_address = dwfl_offline_section_address};
	for (u32 i = 0; i < h->files.n; i++)
		if (!strcmp(h->files.v[i].path, path))
			return &h->files.v[i];
	HostFile f = {.path = arena_strdup(h->arena, path), .dwfl = dwfl_begin(&calls)};
	GElf_Addr bias;
	if (f.dwfl) {
		f.module = dwfl_report_offline(f.dwfl, path, path, -1);
		dwfl_report_end(f.dwfl, NULL, NULL);
	}
	if (f.module && dwfl_module_getelf(f.module, &bias))
		f.bias = bias;
	else
		f.module = NULL;
	array_push(&h->files, f);
	return &h->files.v[h->files.n - 1];
}

bool host_line(HostLines *h, const char *file, u64 address, const char **source, u32 *line)
{
	const HostFile *f = open_file(h, file);
	Dwfl_Line *at = f->module ? dwfl_module_getsrc(f->module, address + f->bias) : NULL;
	int number = 0;
	const char *name = at ? dwfl_lineinfo(at, NULL, &number, NULL, NULL, NULL) : NULL;
	if (!name || number <= 0)
		return false;
	*source = name;
	*line = (u32)number;
	return true;
}
