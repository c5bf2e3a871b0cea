/* Machine code in a report: what the device's compiler made of the kernel, and how often
 * its instructions ran. */
#ifndef WAVESIM_REPORT_MACHINE_H
#define WAVESIM_REPORT_MACHINE_H

#include "models/timing/machine.h"

typedef struct MachineReport {
	const MachineCode *code; /* NULL: nothing known */
	const MachineRun *run;   /* NULL: nothing known */
	const char *missing;     /* then the reason */
} MachineReport;

/* code may be NULL (no compiler was asked). */
void machine_report_build(MachineReport *m, const MachineCode *code, const Program *p,
                          const Profile *prof, Arena *a);
u64 machine_sum(const u64 count[MC_COUNT]);
/* The counts of a source line (line 0: of code without one), or NULL. */
const u64 *machine_report_line(const MachineReport *m, u32 file, u32 line);
/* One line of text for the summary, with its line feed. */
void machine_report_summary(const MachineReport *m, Buf *out);

/* ---- machine_json.c ---- */
struct cJSON *machine_report_object(const MachineReport *m);
/* Adds the keys of a line: machine_instructions and machine (null when not known). */
void machine_report_line_keys(struct cJSON *line, const MachineReport *m, const u64 *count);

#endif
