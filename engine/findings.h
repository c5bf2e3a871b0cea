/* What is found wrong with a launch, in its Result (private to engine/). */
#ifndef WAVESIM_FINDINGS_H
#define WAVESIM_FINDINGS_H

#include "engine/result.h"

/* Fills r->findings, the worst first. Requires sources, reference and checks of r. */
void findings_build(Result *r, const ResultInput *in);

/* What to do about one of that program's run (finding_hint.c); NULL: nothing is said. */
const char *finding_hint(const Result *r, const ResultInput *in, const Program *p, const Finding *f);
/* The variable of the source that was missed, in constant or program-wide memory; NULL: another memory, or a buffer. */
const Object *finding_variable(const ResultInput *in, const Program *p, const Finding *f);

/* ---- finding_flow.c ---- */
/* The if with which work-items return before an instruction that all must reach; NULL: it is a branch around it. */
const SrcLoc *finding_return(const ResultInput *in, const Program *p, const Profile *prof, u32 ins, Arena *a);
/* The branch at which work-items part that do not all reach an instruction; p->ins.n: there is none. */
u32 finding_parting(const Program *p, const Profile *prof, u32 ins, Arena *a);
/* Of the loop around an instruction: it computes nothing; it waits for what atomics return; another one. */
typedef enum { ENDLESS_empty, ENDLESS_waits, ENDLESS_other } EndlessLoop;
EndlessLoop finding_endless_loop(const Program *p, u32 ins, Arena *a);

/* Of a race: is one access the first guess of a loop around compare and swap, which may be any value? */
bool finding_first_guess(const Finding *f);
bool finding_one_reads(const Finding *f);

#endif
