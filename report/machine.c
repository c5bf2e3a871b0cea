/* Machine code in a report: see machine.h. */
#include "report/machine.h"

#include <inttypes.h>

void machine_report_build(MachineReport *m, const MachineCode *code, const Program *p,
                          const Profile *prof, Arena *a)
{
	*m = (MachineReport){0};
	if (!code || code->missing) {
		m->missing = code ? code->missing : "the program is no OpenCL source";
		return;
	}
	m->code = code;
	m->run = machine_run(code, p, prof, a);
}

u64 machine_sum(const u64 count[MC_COUNT])
{
	u64 sum = 0;
	for (u32 i = 0; i < MC_COUNT; i++)
		sum += count[i];
	return sum;
}

const u64 *machine_report_line(const MachineReport *m, u32 file, u32 line)
{
	for (u32 i = 0; m->run && i < m->run->nlines; i++) {
		const MachineLine *l = &m->run->lines[i];
		if (l->line == line && (!line || l->file == file))
			return l->count;
	}
	return NULL;
}

static u64 range(const u64 *count, MachineClass first, MachineClass last)
{
	u64 sum = 0;
	for (u32 i = first; i <= (u32)last; i++)
		sum += count[i];
	return sum;
}

void machine_report_summary(const MachineReport *m, Buf *out)
{
	if (!m->run) {
		buf_printf(out, "not known: %s\n", m->missing);
		return;
	}
	const u64 *n = m->run->total;
	buf_printf(out, "%" PRIu64 " wave instructions of %s: %" PRIu64 " vector, %" PRIu64
	                " scalar, %" PRIu64 " memory, %" PRIu64 " LDS, %" PRIu64 " other",
	           machine_sum(n), m->code->cpu, range(n, MC_valu, MC_matrix),
	           range(n, MC_salu, MC_salu), range(n, MC_smem, MC_scratch),
	           range(n, MC_lds_read, MC_lds_move), range(n, MC_branch, MC_other));
	if (m->run->nassumed)
		buf_printf(out, "; at least, where only the machine code has a branch");
	buf_printf(out, "\n");
}
