/* A sample of a trial: the work-groups that the estimate would play, executed alone. It often tells already that the
 * trial is of no use, as most are not.
 *
 * It goes wrong: where work-groups read nothing that others write, each does alone what it does among all. (What it
 * leaves says nothing: others may store to the same places later.)
 *
 * It takes longer than what would be of use: what the estimate needs of all other work-groups it takes from the run:
 * which of them have most to do, the mean of them, the lines that they touch. That is the same where the wavefronts of
 * the trial do what those of the run do, and then so is the time, but for compare-and-swaps, whose contention with the
 * other work-groups is missing. Else the mean is the lesser of the run's and the
 * sample's, and the time rather too short: the whole is executed then, which decides wherever the trial may be of
 * use. */
#include "engine/trial.h"

#include "engine/run.h"

/* A sample is such a part of the launch at most: else all of it takes hardly longer. */
enum { SAMPLE_PART = 4 };
/* By so much its time may be above that of the whole (models/README.md). */
static const double sample_above = 0.005;

bool trial_has_problems(const Profile *p)
{
	for (u32 i = 0; i < p->findings.n; i++)
		if (strcmp(finding_severity[p->findings.v[i].kind], "note") != 0)
			return true;
	return false;
}

static double instructions_of(const Program *p, const Profile *prof)
{
	ProfileTotals t;
	profile_totals(p, prof, &t);
	return (double)t.wave_instructions;
}

/* ---- which work-groups ---- */

/* The work-group of a launch that has the first work-item of a wavefront of another, which has the same work-items. */
static u64 group_with(const SimLaunch *l, const SimLaunch *from, u32 wave, const WaveProf *w)
{
	u64 groups[3], item[3], id[3];
	for (u32 i = 0; i < 3; i++)
		groups[i] = (from->global[i] + from->local[i] - 1) / from->local[i];
	launch_ids(false, w->group, groups, id);
	launch_ids(false, (u64)w->wave * wave, from->local, item);
	for (u32 i = 0; i < 3; i++) {
		id[i] = (id[i] * from->local[i] + item[i]) / l->local[i];
		groups[i] = (l->global[i] + l->local[i] - 1) / l->local[i];
	}
	return (id[2] * groups[1] + id[1]) * groups[0] + id[0];
}

/* What the work-groups have to do if the wavefronts are those of the run. False: these are not known one by one. */
static bool work_of(const EngineRun *again, const EngineRun *r, Profile *out)
{
	const Profile *p = r->profile;
	bool known = p->wave_profs.n == p->waves && !r->sim.exchanged && !again->sim.exchanged;
	*out = *p;
	if (!known)
		return false;
	out->groups = out->nwork = again->plan.ngroups;
	out->work = ARENA_ARRAY(again->arena, GroupWork, out->nwork + 1);
	for (u32 i = 0; known && i < p->wave_profs.n; i++) {
		const WaveProf *w = &p->wave_profs.v[i];
		u64 g = group_with(&again->sim, &r->sim, r->wave, w);
		known = g < out->nwork && w->instructions <= UINT32_MAX - out->work[g].all;
		if (!known)
			break;
		u32 n = (u32)w->instructions;
		out->work[g].all += n;
		out->work[g].longest = n > out->work[g].longest ? n : out->work[g].longest;
	}
	return known;
}

/* Those of the units that would be played. False: they cannot be told, or are too many. */
static bool plan_sample(const EngineRun *again, const EngineRun *r, const Trial *t, EstimatePlan *p)
{
	Profile work;
	bool known = !t->text && work_of(again, r, &work);
	if (!known && r->again) /* some have more to do than others */
		return false;
	if (!known || !estimate_uneven(p, &again->plan, &r->device, &work, t->units, again->arena))
		*p = again->plan;
	p->run = p->groups;
	p->nrun = p->ngroups_recorded;
	return p->nrun * SAMPLE_PART <= p->ngroups;
}

/* ---- whether they go wrong ---- */

/* Does the program access global memory by loads and stores alone? */
static bool only_moves(const Program *p)
{
	bool only = true;
	for (u32 i = 0; i < p->ins.n && only; i++) {
		const Ins *x = &p->ins.v[i];
		bool other = x->op == OP_atomic || x->op == OP_cas || x->op == OP_copy || x->op == OP_fill;
		only = !(other && x->space != SPACE_LDS && x->space != SPACE_PRIVATE) && x->op != OP_image &&
		       x->op != OP_async_copy && x->sync == SYNC_NONE;
	}
	return only;
}

typedef struct BufferUse {
	bool read, written;
} BufferUse;

/* Marks the buffers that recorded work-groups use; one more stands for all other memory. */
static void mark_buffers(const EngineRun *r, const Profile *prof, BufferUse *use)
{
	u64 first = sim_buffer_address(r->program, 0) >> SEG_SHIFT;
	for (u32 i = 0; i < prof->events->waves.n; i++)
		for (EventWord w = {0}; event_next(&prof->events->waves.v[i], &w);) {
			if (w.kind != EVENT_ACCESS || w.shape->lds)
				continue;
			u64 at = (w.address >> SEG_SHIFT) - first;
			BufferUse *of = &use[at < r->args.nbuffers ? at : r->args.nbuffers];
			of->written |= w.shape->write;
			of->read |= !w.shape->write;
		}
}

/* Does nothing that a work-group reads come from another, as far as the records of both show? Then each does alone what
 * it does among all. */
static bool are_apart(const EngineRun *sample, const EngineRun *r)
{
	u32 n = r->args.nbuffers;
	BufferUse *use = ARENA_ARRAY(sample->arena, BufferUse, n + 1);
	bool apart = true;
	if (!only_moves(sample->program) || sample->args.nbuffers != n || events_cut_off(sample->profile->events))
		return false;
	mark_buffers(r, r->profile, use);
	mark_buffers(r, sample->profile, use);
	for (u32 i = 0; i <= n; i++)
		apart &= !use[i].read || !use[i].written;
	return apart;
}

/* ---- how long they take ---- */

/* What the mean work-group executes, as a part of the mean of the sample's: 1 at most. Work-groups of another size do
 * together what those of the run do; of another text those of the sample do the part of it that they do in the run. */
static double more_work(const EngineRun *sample, const EngineRun *r, const Trial *t, double sampled)
{
	double all = instructions_of(r->program, r->profile), own = 0;
	for (u32 i = 0; i < sample->plan.nrun && t->text; i++)
		own += sample->plan.groups[i] < r->profile->nwork ? r->profile->work[sample->plan.groups[i]].all : 0;
	own = t->text ? own : sampled;
	double more = own > 0 ? all / (double)sample->plan.ngroups * (double)sample->plan.nrun / own : 0;
	return more < 1 ? more : 1;
}

/* Does the launch take longer than that? The sample's profile becomes that of the whole. */
static bool takes_longer(EngineRun *sample, EngineRun *r, const Trial *t)
{
	Profile *p = sample->profile;
	double sampled = instructions_of(sample->program, p), start = r->device.start_ns / 1e3, scale = 1;
	if (sample->plan.units && events_cut_off(p->events))
		return false;
	double more = more_work(sample, r, t, sampled);
	if (!t->text) { /* the program is the same */
		memcpy(p->blocks, r->profile->blocks, r->program->blocks.n * sizeof *p->blocks);
		memcpy(p->divisions, r->profile->divisions, r->program->ins.n * sizeof *p->divisions);
	}
	p->groups_run = p->groups;
	p->events->lines = r->profile->events->lines;
	if (!sample->plan.units) /* the estimate scales it to the mean work-group of that profile */
		scale = instructions_of(sample->program, p) / (double)sample->plan.ngroups * (double)sample->plan.nrun /
		        (sampled * more);
	ResultInput in = run_time_input(sample);
	in.most_us = start + ((1 + sample_above) * t->most_us - start) * scale;
	return result_time(&in) > in.most_us;
}

TrialOutcome trial_sample(EngineRun *again, EngineRun *r, const Trial *t, u64 *left)
{
	EngineRun sample = *again;
	if (!plan_sample(again, r, t, &sample.plan))
		return TRIAL_SAME;
	u64 own = (u64)instructions_of(r->program, r->profile);
	TrialOutcome out = TRIAL_SAME;
	/* Alone, a work-group may wait for others without an end. */
	sample.want.max_launch_instructions = own < *left ? own : *left;
	Profile *p = sample.profile = run_copy(&sample, &sample.plan, COPY_ALONE);
	trial_charge(p ? (u64)instructions_of(sample.program, p) : 0, left);
	u64 most = *left ? *left : 1; /* 0: as many as it likes */
	if (again->want.max_launch_instructions > most)
		again->want.max_launch_instructions = most;
	if (p && p->events && !p->stopped) {
		if (trial_has_problems(p))
			out = are_apart(&sample, r) ? TRIAL_WRONG : TRIAL_SAME;
		else if (takes_longer(&sample, r, t))
			out = TRIAL_LONG;
	}
	profile_free(p);
	arguments_free(&sample.args);
	return out;
}
