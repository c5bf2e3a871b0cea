/* The formats of a sweep's result (engine/sweep_rank.h), and what a store keeps of one. */
#ifndef WAVESIM_REPORT_SWEEP_H
#define WAVESIM_REPORT_SWEEP_H

#include "engine/sweep_rank.h"
#include "report/report.h"

/* top: ranked points to show, 0: all. */
void sweep_text(const Sweep *s, const SinkStyle *style, u32 top, Buf *out);
void sweep_json(const Sweep *s, Buf *out);
/* Its key "axes", which the page has too. */
void sweep_axes(const SweepInput *in, struct cJSON *root);
void sweep_csv(const Sweep *s, Buf *out);
/* A page for a browser: ranking, map of two axes, where the time goes. html_sweep.c */
void sweep_html(const Sweep *s, Buf *out);
/* Kernel Tuner's results, schema T4: of one device. */
void sweep_tuner(const Sweep *s, Buf *out);

/* ---- sweep_stored.c: texts for a store, JSON ---- */
/* The sweep without its rows, and the settings of a row; free(). */
char *sweep_spec_json(const SweepInput *in);
char *sweep_settings_json(const SweepInput *in, const SweepRow *row);
/* Read them back; false: they are damaged. Memory is the arena's. */
bool sweep_spec_read(const char *json, Arena *a, SweepInput *out);
const char *const *sweep_settings_read(const char *json, const SweepInput *in, Arena *a);
/* The numbers of a report (schema wavesim/1); NULL: it is damaged, or has no estimate. */
const SweepNumbers *sweep_numbers_read(const char *json, Arena *a);

#endif
