/* Machine code in a report: see machine.h. */
#include "report/machine.h"

#include "report/style.h"

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
	const struct {
		const char *name;
		u64 count;
	} kinds[] = {{"vector", range(n, MC_valu, MC_matrix)},
	             {"scalar", range(n, MC_salu, MC_salu)},
	             {"memory", range(n, MC_smem, MC_scratch)},
	             {"LDS", range(n, MC_lds_read, MC_lds_move)},
	             {"other", range(n, MC_branch, MC_other)}};
	u64 all = machine_sum(n);
	put_grouped(out, all);
	buf_printf(out, " instructions of %s", m->code->cpu);
	for (u32 i = 0, shown = 0; i < COUNT(kinds); i++) {
		if (!kinds[i].count)
			continue;
		buf_printf(out, shown++ ? ", " : ": ");
		buf_printf(out, "%.0f %% %s", 100 * (double)kinds[i].count / (double)all, kinds[i].name);
	}
	if (m->code->left_out)
		buf_printf(out, "; without the calls of %s", m->code->left_out);
	if (m->run->nassumed)
		buf_printf(out, "; at least, where only the machine code has a branch");
	buf_printf(out, "\n");
}
