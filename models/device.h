/* Device descriptions: what a chip looks like, each figure with its source.
 *
 * A description is a text file (models/devices/NAME.ini). The ones of this
 * project are part of the program; any other can be named by its path. */
#ifndef WAVESIM_DEVICE_H
#define WAVESIM_DEVICE_H

#include "isa/diag.h"
#include "models/lds.h"

typedef enum {
#define TEXT(key, doc) DEVICE_##key,
#define NUM(key, unit, min, max, doc) DEVICE_##key,
#define CHOICE(key, list, doc) DEVICE_##key,
#include "models/device.def"
	DEVICE_FIELDS
} DeviceField;

typedef struct Device {
	const char *name; /* of the file, without .ini */
#define TEXT(key, doc) const char *key;
#define NUM(key, unit, min, max, doc) u32 key;
#define CHOICE(key, list, doc) u32 key;
#include "models/device.def"
	/* Where each figure comes from: mark and source, "D GPUSPEC". NULL for texts. */
	const char *source[DEVICE_FIELDS];
} Device;

/* Read a description from its text; strings are the arena's. Adds every error. */
bool device_parse(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                  Diag *d);
/* The device of that name or alias, or the file when it ends in .ini. at: the place of the
 * name, for the message. */
bool device_load(Device *dev, const char *name, Loc at, Arena *a, Diag *d);
/* Names of the descriptions in the program, sorted. */
u32 device_count(void);
const char *device_name(u32 i);
/* Every field with unit, source and meaning. */
void device_print(const Device *dev, Buf *out);
/* What the marks of sources mean (the letters of the list in hardware tables). */
const char *device_mark(char mark);

/* The texts of models/devices, put into the program by the Makefile. */
typedef struct DeviceText {
	const char *name, *text;
} DeviceText;
extern const DeviceText device_texts[];
extern const u32 device_ntexts;

#endif
