/* Device descriptions by name: those in the program, their aliases, files. */
#include "models/device/device.h"

#include <errno.h>

u32 device_count(void) { return device_ntexts; }
const char *device_name(u32 i) { return device_texts[i].name; }

static bool has_alias(const char *aliases, const char *name)
{
	size_t n = strlen(name);
	for (const char *s = aliases; *s;) {
		size_t len = strcspn(s, " \t");
		if (len == n && !memcmp(s, name, n) && strcmp(name, "-"))
			return true;
		s += len + strspn(s + len, " \t");
	}
	return false;
}

static bool load_file(Device *dev, const char *path, Loc at, Arena *a, u32 depth, Diag *d)
{
	size_t size;
	char *text = read_file(path, &size);
	if (!text)
		return diag_error(d, at, "cannot read the device file '%s': %s", path, strerror(errno));
	bool ok;
	if (memchr(text, 0, size)) {
		Loc file = {path, 0, 0};
		ok = diag_error(d, file, "this is no device description: it holds a zero byte");
	} else {
		const char *slash = strrchr(path, '/');
		const char *base = slash ? slash + 1 : path;
		char *name = arena_strndup(a, base, strlen(base) - strlen(".ini"));
		ok = device_parse_base(dev, name, path, text, a, depth, false, d);
	}
	free(text);
	return ok;
}

static bool load_text(Device *dev, const char *folder, const DeviceText *t, Arena *a, u32 depth, Diag *d)
{
	char *file = arena_printf(a, "models/device/%s/%s.ini", folder, t->name);
	return device_parse_base(dev, t->name, file, t->text, a, depth, true, d);
}

bool device_load(Device *dev, const char *name, Loc at, Arena *a, Diag *d)
{
	return device_load_base(dev, name, at, a, 0, d);
}

bool device_load_base(Device *dev, const char *name, Loc at, Arena *a, u32 depth, Diag *d)
{
	size_t n = strlen(name);
	if (n > 4 && !strcmp(name + n - 4, ".ini"))
		return load_file(dev, name, at, a, depth, d);
	for (u32 i = 0; i < device_ntexts; i++) {
		if (!strcmp(device_texts[i].name, name))
			return load_text(dev, "shipped", &device_texts[i], a, depth, d);
	}
	for (u32 i = 0; depth && i < device_nbases; i++) {
		if (!strcmp(device_bases[i].name, name))
			return load_text(dev, "generations", &device_bases[i], a, depth, d);
	}
	for (u32 i = 0; i < device_ntexts; i++) {
		if (!load_text(dev, "shipped", &device_texts[i], a, 0, d))
			return false;
		if (has_alias(dev->aliases, name))
			return true;
	}
	const char **names = arena_alloc(a, device_ntexts * sizeof *names);
	Buf known = {0};
	for (u32 i = 0; i < device_ntexts; i++) {
		names[i] = device_texts[i].name;
		buf_printf(&known, "%s%s", i ? ", " : "", names[i]);
	}
	diag_error(d, at, "no device is called '%s'", name);
	const char *near = nearest_word(name, names, device_ntexts);
	if (near)
		diag_hint(d, "did you mean '%s'? known: %s, or the path of an .ini file", near, known.v);
	else
		diag_hint(d, "known: %s, or the path of an .ini file", known.v);
	array_free(&known);
	return false;
}
