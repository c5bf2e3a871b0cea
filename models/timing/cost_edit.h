/* Issue costs of code that was changed, for the question what a change would bring: a copy of the costs with
 * further blocks behind those of the Program, which a rewritten record (isa/event.h) can enter. */
#ifndef WAVESIM_COST_EDIT_H
#define WAVESIM_COST_EDIT_H

#include "models/timing/cost.h"

typedef struct CostEdit {
	Costs costs;
	u32 nblocks, nins; /* of the Program, and the further ones */
} CostEdit;

void cost_edit_begin(CostEdit *e, const Costs *x, const Program *p);
void cost_edit_free(CostEdit *e);

/* Does the copy lack this instruction (an index of the original costs)? */
typedef bool CostDrop(void *ctx, const CostIns *x, u32 ins);
/* A block like another one without some of its instructions. Its number. */
u32 cost_edit_copy(CostEdit *e, u32 block, CostDrop *drop, void *ctx);
/* Changes an instruction, or says false: the copy goes without it. All of them, in the order of Costs.ins. */
typedef bool CostChange(void *ctx, CostIns *x);
void cost_edit_each(CostEdit *e, CostChange *change, void *ctx);
/* Accesses (by number) that go elsewhere: an instruction that does several of them becomes one for each. ADDRESS_INDEX:
 * the addresses are no longer a constant apart, and each takes arithmetic of its own. */
typedef enum { ADDRESS_KEPT, ADDRESS_MOVED, ADDRESS_INDEX } CostAddress;
void cost_edit_split(CostEdit *e, const Device *dev, const u8 *address);
/* A block of an access of vector memory (of that class) and the wait for it. *access: the instruction number for
 * EVENT_ACCESS. */
u32 cost_edit_access(CostEdit *e, const Device *dev, MachineClass cls, u32 *access);

#endif
