/* Which description fits what a driver calls a card. */
#include "models/device/device_names.h"

#include <CUnit/CUnit.h>

static void names_of_drivers(void)
{
	static const struct {
		const char *board, *name, *model;
	} rows[] = {
		{"AMD Instinct MI50", "gfx906:sramecc+:xnack-", "mi50"},
		{"AMD Instinct MI210", "gfx90a:sramecc+:xnack-", "mi210"},
		{"AMD Instinct MI250X/MI250", "gfx90a:sramecc+:xnack-", "mi250x"},
		{"AMD Radeon RX 7900 XTX", "gfx1100", "rx7900xtx"},
		{"AMD Radeon PRO W7800", "gfx1100", "w7800"},
		{"AMD Radeon 780M Graphics", "gfx1103", "radeon780m"},
		{"AMD Instinct MI300A", "gfx942:sramecc+:xnack-", "mi300a"},
		{"AMD Radeon RX 6900 XT", "gfx1030", "rx6900xt"},
		{"Radeon RX 480 Graphics", "gfx803", "rx480"},
		{NULL, "NVIDIA H200", "h200"},
		{NULL, "NVIDIA H100 80GB HBM3", "h100"},
		{NULL, "gfx908:sramecc+:xnack-", "mi100"},
		{"AMD Instinct MI500", "gfx9999", NULL},
		{NULL, "NVIDIA GeForce RTX 4090", NULL},
		{NULL, "", NULL},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(rows); i++) {
		const char *found = device_name_match(rows[i].board, rows[i].name, a);
		bool equal = rows[i].model ? found && !strcmp(found, rows[i].model) : !found;
		if (!equal)
			CU_FAIL(rows[i].name);
		CU_ASSERT_TRUE(equal);
	}
	arena_free(a);
}

void suite_device_names(void)
{
	CU_pSuite s = CU_add_suite("names of devices", NULL, NULL);
	CU_add_test(s, "what drivers call a card", names_of_drivers);
}
