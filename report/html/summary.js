/* The head of the page; the cards; where the time goes; the lines that cost most. */

function buildHead(head) {
	const h = heads[data.page]();
	head.append(el("div", {class: "title"}, el("p", {class: "mark"}, "wavesim"), el("h1", {}, h.title),
					el("p", {class: "sub"}, h.sub)),
		themeButton());
}

function launchHead() {
	const l = report.launch;
	return {
		title: report.kernel,
		sub: [
			report.file, " · ", el("abbr", {title: data.device_title}, report.device),
			` · ${report.wave} lanes, ` +
				`${report.banks} LDS banks · ${grouped(l.work_items)} work-items in ${
					count(l.groups, "work-group")}, ` +
				count(l.waves, "wavefront")
		],
	};
}

heads.launch = launchHead;

/* One card: a headline number, what it is, a picture or a sentence. level: good, warn, bad or nothing. */
function card(name, value, note, more) {
	return el("article", {class: "card " + (more.level || "")}, el("h3", {}, name),
		el("p", {class: "value"}, value, more.unit ? el("span", {class: "unit"}, " " + more.unit) : null),
		more.picture || null, el("p", {class: "note"}, note), more.link || null);
}

/* Where a value lies in its band: a rule with a tick. */
function bandBar(e) {
	const at = x => 100 * (x - 0) / e.high_us;
	return el("div", {class: "band", "aria-hidden": "true"},
		el("span", {class: "range", style: `left:${at(e.low_us)}%;right:0`}),
		el("span", {class: "tick", style: `left:${at(e.time_us)}%`}));
}

function meter(share, label) {
	return el("div", {class: "meter", role: "img", "aria-label": label},
		el("span", {style: `width:${Math.min(100, 100 * share)}%`}));
}

/* One box for each place of a wavefront on a SIMD. */
function places(have, most) {
	const list = [];
	for (let i = 0; i < most; i++)
		list.push(el("span", {style: `--fill:${100 * Math.max(0, Math.min(1, have - i))}%`}));
	return el("div", {class: "places", "aria-hidden": "true"}, list);
}

function timeCards() {
	const e = report.estimate;
	if (!e)
		return [card("Time", "–", "not estimated", {})];
	const work = e.time_us - e.launch_us;
	return [
		card("Estimated time", time(e.time_us),
			`${time(e.low_us)} to ${time(e.high_us)}; ${time(e.launch_us)} of it ` +
				`starts the kernel, ${time(Math.max(0, work))} is work` +
				(e.caches === "warm" ? "; L2 and L3 are warm" : "") +
				e.doubts.map(d => `. Less sure: ${data.docs.doubts[d]}`).join(""),
			{picture: bandBar(e)}),
		card("Bound by", e.bound_by.replace(/_/g, " "), data.docs.bounds[e.bound_by],
			{link: goTo("time", undefined, "where the time goes")}),
	];
}

function occupancyCard() {
	const o = report.occupancy, next = o.next_step;
	const share = o.waves_per_simd / o.max_waves_per_simd;
	return card("Occupancy", digits(o.waves_per_simd, 3),
		[`limited by ${data.docs.limiters[o.limiter]}`, next ? "; " + next.text : ""], {
			unit: `of ${o.max_waves_per_simd} waves per SIMD`,
			level: share < 0.25 ? "warn" : "",
			picture: places(o.waves_per_simd, o.max_waves_per_simd),
			link: goTo("occupancy", undefined, "curves")
		});
}

/* What divergence cost: slots of idle lanes, where most of them, and instructions that ran only because of it. */
function lostText(d) {
	if (!d.lost_lane_slots)
		return "";
	const all = d.wave_instructions * WAVE;
	return `; idle lanes lost ${grouped(d.lost_lane_slots)} of ${grouped(all)} lane slots (${
			   percent(d.lost_lane_slots / all)} %)` +
		(d.most_lost_line === null ? "" : `, most at line ${lineName(d.most_lost_line)}`) +
		(d.serialized_wave_instructions ?
				`; ${grouped(d.serialized_wave_instructions)} instructions ran only because of it` :
				"");
}

function laneCard() {
	const d = report.divergence, u = d.lane_utilization;
	return card("Lanes busy", percent(u),
		`${grouped(d.divergent_branches)} of ${count(d.branches, "branch")} diverged` + lostText(d),
		{
			unit: "%",
			level: u < 0.5 ? "bad" :
				u < 0.8    ? "warn" :
							 "good",
			picture: meter(u, percent(u) + " % of lanes busy"),
			link: hasView("lanes") && goTo("lanes", undefined, "lanes over time")
		});
}

function ldsCard() {
	const l = report.lds;
	if (!l.accesses)
		return null;
	const share = l.actual_cycles ? l.conflict_cycles / l.actual_cycles : 0;
	return card("LDS conflicts", grouped(l.conflict_cycles),
		`${grouped(l.actual_cycles)} bank cycles where ` +
			`${grouped(l.ideal_cycles)} would do` + (l.max_way > 1 ? `; up to ${l.max_way}-way` : ""),
		{
			unit: "bank cycles",
			level: share > 0.5 ? "bad" :
				share > 0.1    ? "warn" :
								 "good",
			picture: meter(share, percent(share) + " % of the bank cycles are conflicts"),
			link: hasView("banks") && goTo("banks", undefined, "lanes and banks")
		});
}

function lineCard() {
	const m = report.memory;
	if (!m.accesses)
		return null;
	const ratio = m.ideal_lines ? m.actual_lines / m.ideal_lines : 1;
	return card("Cache lines", grouped(m.actual_lines),
		`of ${m.line_bytes} bytes touched by ${count(m.accesses, "access")}; ` +
			`${grouped(m.ideal_lines)} could hold the bytes`,
		{
			unit: ratio >= 1.05 ? "×" + digits(ratio, 2) : "",
			level: ratio >= 4 ? "bad" :
				ratio >= 1.5  ? "warn" :
								"good",
			picture: meter(
				m.ideal_lines / Math.max(1, m.actual_lines), "share of the lines touched that was needed"),
			link: hasView("memory") && goTo("memory", undefined, "lanes and lines")
		});
}

/* What became of the comparison, in words. */
function referenceText(r) {
	return data.docs.reference[r.status] + (r.why ? ": " + r.why : "");
}

function referenceCard() {
	const r = report.reference;
	const good = r.status === "equal", bad = r.mismatches > 0 || r.printf_equal === false;
	const what = good ? "equal" : bad ? "different" : r.status === "nothing" ? "not compared" : r.status;
	const note = r.checked ?
		`${count(r.checked, "element")} compared with ${data.docs.reference_sources[r.source]}, ${grouped(r.mismatches)} differ` +
			(r.within_limits ? `, ${grouped(r.within_limits)} within ${good && r.repeated ? "rounding (equal " + r.repeated + ")" : "the limits of OpenCL"}` : "") +
			(r.open ? `, ${grouped(r.open)} left open by OpenCL (${r.open_what})` : "") :
							   referenceText(r);
	return card("Results", what, note, {level: good ? "good" : bad ? "bad" : ""});
}

/* What is wrong; what could be better is advice. */
function problems() {
	return report.findings.filter(f => f.severity === "error" || f.severity === "warning");
}

function findingCard() {
	const list = problems();
	if (!list.length)
		return null;
	return card("Findings", grouped(list.length), list[0].message, {
		level: list.some(f => f.severity === "error") ? "bad" : "warn",
		link: goTo("findings", undefined, "all of them")
	});
}

/* What to change, what gains most first. */
function adviceList(panel) {
	const list = report.findings.map((f, k) => [f, k]).filter(([f]) => f.severity === "advice");
	if (!list.length)
		return;
	panel.append(el("h3", {}, "What to change"));
	panel.append(el("ol", {class: "hot-list advice"},
		list.slice(0, 4).map(([f, k]) => el("li", {}, el("span", {class: "hot-share"}, gainText(f)),
								 el("span", {}, goTo("findings", k, f.message),
									 f.hint ? el("span", {class: "hint-line"}, f.hint) : null),
								 el("span", {class: "hot-why"}, f.line ? placeLink(f.file, f.line) : "")))));
	if (list.length > 4)
		panel.append(el("p", {class: "hint"}, goTo("findings", undefined, `all ${list.length}`)));
}

function gainText(f) {
	return f.gain_percent > 0 ? `−${digits(f.gain_percent, 2)} %` : "";
}

function hasView(id) {
	return views.some(v => v.id === id);
}

/* ---- where the time goes ---- */

const PART_NAMES = {
	vector: "vector arithmetic",
	scalar: "scalar, branches",
	dependency: "waiting for arithmetic",
	fetch: "waiting for instructions",
	lds: "LDS",
	lds_conflicts: "LDS bank conflicts",
	address: "issue of memory accesses",
	latency: "memory latency",
	bandwidth: "memory busy",
	barrier: "barriers",
	tail: "units without work",
	launch: "starting the kernel"
};

function partDoc(name) {
	const more = {
		tail: "compute units that have nothing to do",
		launch: "from the command to the first wavefront"
	};
	return data.docs.parts[name] || more[name];
}

/* Parts by size: [name, share]. */
function partShares(e) {
	return Object.entries(e.parts)
		.map(([name, v]) => [name, e.cycles ? v / e.cycles : 0])
		.filter(p => p[1] > 0.0005)
		.sort((a, b) => b[1] - a[1]);
}

function stack(shares) {
	return el("div", {
		class: "stack",
		role: "img",
		"aria-label": shares.map(([n, v]) => `${PART_NAMES[n]} ${percent(v)} %`).join(", ")
	},
		shares.map(([name, v]) => el("span", {
			style: `width:${100 * v}%;--c:var(--part-${name})`,
			tip: [`${PART_NAMES[name]}: ${percent(v)} %`, partDoc(name)]
		},
					   v > 0.08 ? el("b", {}, percent(v) + " %") : "")));
}

function bars(rows) {
	return el("div", {class: "bars"},
		rows.map(r => el("div", {class: "bar", tip: r.tip}, el("span", {class: "bar-name"}, r.name),
					 el("span", {class: "bar-track"},
						 el("span", {style: `width:${100 * Math.min(1, r.share)}%;--c:${r.colour}`})),
					 el("span", {class: "bar-value"}, r.value))));
}

function whereTime(panel) {
	const e = report.estimate;
	const shares = partShares(e);
	panel.append(el("p", {class: "lead"},
		`${grouped(e.cycles)} cycles of work, priced by ` +
			(e.source === "ir" ? "the operations of the optimised IR" : "LLVM's machine code") +
			`, ${count(e.groups_played, "work-group")} ` +
			"played instruction by instruction. Bound: ",
		data.docs.bounds[e.bound_by], "."));
	panel.append(stack(shares));
	const us = v => time(v * e.cycles / (e.cycles ? e.cycles / (e.time_us - e.launch_us) : 1));
	panel.append(bars(shares.map(([name, v]) => ({
		name: PART_NAMES[name],
		share: v,
		value: `${percent(v)} %, ${us(v)}`,
		colour: `var(--part-${name})`,
		tip: [PART_NAMES[name], partDoc(name)]
	}))));
	const busy = Object.entries(e.busy).filter(b => b[1] >= 0.005);
	panel.append(el("h3", {}, "How busy the units are"),
		el("p", {class: "lead"}, "Above 70 % a unit is what bounds the time."));
	panel.append(bars(busy.map(([name, v]) => ({
		name: data.docs.units[name],
		share: v,
		value: percent(v) + " %",
		colour: v >= 0.7 ? "var(--hot)" : "var(--cool)",
		tip: [data.docs.units[name], percent(v) + " % of the time"]
	}))));
	whatIf(panel, e);
}

/* Does it matter? What the launch would take without it, in one sentence. */
function mattersText(name) {
	const e = report.estimate, us = e && e.what_if_us ? e.what_if_us[name] : undefined;
	if (us === undefined)
		return "";
	const words = data.docs.what_if[name], gain = 1 - us / e.time_us;
	return gain < 0.005 ?
		` ${words[0].toUpperCase()}${
			words.slice(1)} the launch would take as long: it is hidden behind other work.` :
		` ${words[0].toUpperCase()}${words.slice(1)} the launch would take ${time(us)} instead of ${
			time(e.time_us)}, ${percent(gain)} % less.`;
}

function whatIf(panel, e) {
	const rows = Object.entries(e.what_if_us).sort((a, b) => a[1] - b[1]);
	if (!rows.length)
		return;
	panel.append(el("h3", {}, "What if one thing were ideal"));
	panel.append(bars([
		{name: "as it is", share: 1, value: time(e.time_us), colour: "var(--muted)"},
		...rows.map(([name, us]) => ({
			name: data.docs.what_if[name],
			share: us / e.time_us,
			value: us < 0.995 * e.time_us ? `${time(us)}, ${digits(e.time_us / us, 3)} times as fast` :
											"no faster",
			colour: us < 0.995 * e.time_us ? "var(--good)" : "var(--part-dependency)"
		}))
	]));
}

/* ---- the lines that cost most ---- */

function cost(l) {
	return l.cycles_share === null || l.cycles_share === undefined ?
		l.wave_instructions / Math.max(1, report.divergence.wave_instructions) :
		l.cycles_share;
}

/* What a line's time goes to, most first: [name, share of the line's time]. */
function lineParts(l) {
	return Object.keys(data.docs.parts).map(k => [k, l["part_" + k] / l.cycles_share])
		.filter(p => l.cycles_share > 0 && p[1] >= 0.01)
		.sort((a, b) => b[1] - a[1]);
}

function stallReasons(l) {
	return lineParts(l).map(p => `${percent(p[1])} % ${data.docs.parts[p[0]]}`).join("\n") || null;
}

function hottest(n) {
	return report.lines.map((l, i) => [i, cost(l)])
		.filter(x => x[1] > 0 && report.lines[x[0]].line)
		.sort((a, b) => b[1] - a[1])
		.slice(0, n);
}

function hotLines(panel) {
	const rows = hottest(6);
	if (!rows.length)
		return;
	panel.append(el("h3", {}, "Lines that take most time"));
	panel.append(el("ol", {class: "hot-list"},
		rows.map(([i, share]) => el("li", {}, el("span", {class: "hot-share"}, percent(share) + " %"),
					 goTo("source", lineName(i), el("span", {class: "num"}, lineName(i)), " ",
						 el("code", {}, lineText(i).trim())),
					 el("span", {class: "hot-why"}, whyHot(report.lines[i]))))));
}

function whyHot(l) {
	const why = lineParts(l).slice(0, 1).map(p => `${percent(p[1])} % ${data.docs.parts[p[0]]}`);
	if (l.divergent_branches)
		why.push(`${percent(l.divergent_branches / l.branches)} % of branches diverge`);
	if (l.lost_lane_slots * 50 > report.divergence.wave_instructions * WAVE)
		why.push(`${percent(l.lost_lane_slots / (report.divergence.wave_instructions * WAVE))} % of lane slots lost`);
	else if (l.lane_utilization < 0.9 && l.wave_instructions)
		why.push(`${percent(l.lane_utilization)} % of lanes`);
	if (l.lds_conflict_cycles)
		why.push(`${l.lds_max_way}-way bank conflict`);
	if (l.actual_lines >= 1.5 * l.ideal_lines && l.actual_lines)
		why.push(`${digits(l.actual_lines / l.ideal_lines, 2)}× the cache lines`);
	return why.join(" · ");
}

views.push({
	id: "summary",
	name: "Summary",
	order: 10,
	pages: ["launch"],
	build(panel) {
		panel.append(el("div", {class: "cards"}, ...timeCards(), laneCard(), ldsCard(), lineCard(),
			occupancyCard(), referenceCard(), findingCard()));
		if (report.estimate)
			panel.append(el("h3", {}, "Where the time goes"), stack(partShares(report.estimate)),
				legend(partShares(report.estimate).map(p => p[0])));
		adviceList(panel);
		hotLines(panel);
	}
});

function legend(names) {
	return el("ul", {class: "legend"},
		names.map(n => el("li", {tip: [PART_NAMES[n], partDoc(n)]},
					  el("span", {class: "swatch", style: `--c:var(--part-${n})`}), PART_NAMES[n])));
}

views.push(
	{id: "time", name: "Time", order: 15, pages: ["launch"], when: () => report.estimate, build: whereTime});
