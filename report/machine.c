/* Machine code in a report: see machine.h. */
#include "report/resources.h"

#include "report/style.h"

static u64 range(const u64 *count, MachineClass first, MachineClass last)
{
	u64 sum = 0;
	for (u32 i = first; i <= (u32)last; i++)
		sum += count[i];
	return sum;
}

void machine_summary(const MachineResult *m, Buf *out)
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
