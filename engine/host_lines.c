/* See host_lines.h. libdw reads the files; each is opened once. */
#include "engine/host_lines.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>

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

/* The checksum of a debug link. */
static u32 crc32_of(const u8 *p, size_t n)
{
	u32 table[256], crc = ~0u;
	for (u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (u32 k = 0; k < 8; k++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ p[i]) & 255];
	return ~crc;
}

/* The file, if it is the one that a debug link means. */
static int open_linked(const char *path, u32 crc)
{
	size_t n;
	char *bytes = read_file(path, &n);
	bool it = bytes && crc32_of((const u8 *)bytes, n) == crc;
	free(bytes);
	return it ? open(path, O_RDONLY | O_CLOEXEC) : -1;
}

/* Looks where dwfl_standard_find_debuginfo does, but on this machine alone: that one asks servers (DEBUGINFOD_URLS,
 * which many systems set), so that a report would depend on them, wait for them, and tell them what is run. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                          const char *link, GElf_Word crc, char **found)
{
	const unsigned char *id;
	GElf_Addr at;
	dwfl_module_build_id(module, &id, &at); /* which makes it known to … */
	int fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
	if (fd >= 0 || !file || !link || *link == '/')
		return fd;
	static const char *const where[][2] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
	int folder = (int)(path_name(file) - file);
	for (u32 i = 0; i < COUNT(where) && fd < 0; i++) {
		Buf path = {0};
		buf_printf(&path, "%s%.*s%s%s", where[i][0], folder, file, where[i][1], link);
		fd = open_linked(path.v, crc);
		array_free(&path);
	}
	return fd;
}

static HostFile *open_file(HostLines *h, const char *path)
{
	static const Dwfl_Callbacks calls = {.find_elf = dwfl_build_id_find_elf,
	                                     .find_debuginfo = find_debuginfo,
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

/* clang writes no table of which unit an address is in, and the library looks nowhere else: each unit is asked. */
static const char *line_of_unit(Dwfl_Module *module, u64 address, int *line)
{
	Dwarf_Addr bias;
	for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));) {
		Dwarf_Line *at = dwarf_haspc(unit, address - bias) > 0 ? dwarf_getsrc_die(unit, address - bias) : NULL;
		if (at && !dwarf_lineno(at, line))
			return dwarf_linesrc(at, NULL, NULL);
	}
	return NULL;
}

bool host_line(HostLines *h, const char *file, u64 address, const char **source, u32 *line)
{
	const HostFile *f = open_file(h, file);
	if (!f->module)
		return false;
	int number = 0;
	Dwfl_Line *at = dwfl_module_getsrc(f->module, address + f->bias);
	const char *name = at ? dwfl_lineinfo(at, NULL, &number, NULL, NULL, NULL) : NULL;
	name = name ? name : line_of_unit(f->module, address + f->bias, &number);
	if (!name || number <= 0)
		return false;
	*source = name;
	*line = (u32)number;
	return true;
}
