/* Machine code in a report: see resources.h. */
#include "report/resources.h"

#include "report/style.h"

/* Instructions of either functional unit. */
static u64 of_units(const u64 *count, MachineUnit a, MachineUnit b)
{
	u64 sum = 0;
	for (u32 i = 0; i < MC_COUNT; i++)
		if (machine_class_unit[i] == a || machine_class_unit[i] == b)
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
	} kinds[] = {{"vector", of_units(n, MU_VECTOR, MU_TRANS)},
	             {"scalar", of_units(n, MU_SCALAR, MU_SCALAR)},
	             {"memory", of_units(n, MU_SMEM, MU_MEMORY)},
	             {"LDS", of_units(n, MU_LDS, MU_LDS)},
	             {"other", of_units(n, MU_BRANCH, MU_OTHER)}};
	u64 all = machine_sum(n);
	put_numbers(out, "# instruction~ of ", all);
	buf_printf(out, "%s", m->cpu);
	for (u32 i = 0, shown = 0; i < COUNT(kinds); i++) {
		if (!kinds[i].count)
			continue;
		buf_printf(out, shown++ ? ", " : ": ");
		buf_printf(out, "%.0f %% %s", 100 * (double)kinds[i].count / (double)all, kinds[i].name);
	}
	if (m->left_out)
		buf_printf(out, "; without the calls of %s", m->left_out);
	if (m->run->nassumed)
		buf_printf(out, " (a lower bound: some branches exist only in the machine code)");
	buf_printf(out, "\n");
}
