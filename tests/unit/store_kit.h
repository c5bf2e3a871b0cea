/* A store in a temporary folder, for the tests that need one. */
#ifndef WAVESIM_STORE_KIT_H
#define WAVESIM_STORE_KIT_H

#include "tests/unit/temp_kit.h"
#include "traces/store/store.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

typedef struct Kit {
	char dir[TEMP_PATH], path[KIT_PATH];
	Diag d;
	Store *s;
} Kit;

/* ---- test_store.c ---- */
void kit_open(Kit *k);
void kit_close(Kit *k); /* removes the folder */
/* A device, a kernel, a launch and a run; the run's number. */
i64 kit_run(Store *s, const char *options, Diag *d);
/* Rows of a table or any other number that a statement gives. */
i64 kit_count(const char *path, const char *sql);
/* The messages in d hold the text; d is emptied. */
bool kit_said(Diag *d, const char *text);

#endif
