/* Units and memory on one screen: what passes between the lanes and the levels of memory, how busy each unit is over
 * time, and what instructions were executed. */

/* Levels that are a unit of their own, whose time is known. */
const TIMED_LEVELS = ["lds", "l2", "l3", "dram"];

function levelUse(id) {
	return report.estimate.levels[id];
}

/* ---- the memory chart ---- */

/* A number of at most six characters. */
function amount(v) {
	return v < 1e5 ? grouped(v) : short(v);
}

/* What the lanes load from a level and store there: the lines of text above and below the arrows. */
function lanesAsk(id) {
	const lanes = report.estimate.lanes, extra = id === "l1" ? lanes.private : null;
	const asked = [id === "l1" ? lanes.global : lanes[id], extra].filter(x => x);
	const text = (what, n, bytes) => {
		const sum = key => asked.reduce((s, x) => s + x[key], 0), times = Math.round(sum(n));
		if (!times)
			return [];
		return [`${amount(times)} ${times === 1 ? what : what + "s"}`, bytesText(sum(bytes)),
			extra && extra[n] ? `(private ${bytesText(extra[bytes])})` : ""].filter(x => x);
	};
	return [text("load", "loads", "loaded_bytes"), text("store", "stores", "stored_bytes")];
}

/* What a box says below its name. Stores and atomics request nothing of L1. */
function levelFacts(id) {
	const u = levelUse(id) || {}, e = report.estimate, out = [];
	if (id === "lds")
		out.push(u.conflict_cycles ? short(Math.round(u.conflict_cycles)) + " conflict cycles" : "no conflicts");
	if (u.requests)
		out.push(short(Math.round(u.requests)) + " requests", percent(u.hit_rate) + " % hits");
	else if (id === "l1")
		out.push("no requests");
	if (TIMED_LEVELS.includes(id))
		out.push(percent(e.busy[id]) + " % busy");
	return out;
}

const BOX = {w: 132, h: 84};

function levelBox(id, x, y) {
	const facts = levelFacts(id);
	return [
		svg("rect", {x, y, width: BOX.w, height: BOX.h, rx: 8, class: "field",
			style: `stroke:var(--${LEVEL_COLOURS[id]});stroke-width:2`,
			tip: [data.docs.levels[id], ...facts]}),
		svg("text", {x: x + BOX.w / 2, y: y + 20, class: "mid here-text"}, data.docs.levels[id]),
		...facts.map((f, i) => svg("text", {x: x + BOX.w / 2, y: y + 38 + 16 * i, class: "mid"}, f))
	];
}

/* Two boxes joined; lines of text above for what goes to the left, below for what goes to the right. */
function flow(x0, x1, y, above, below) {
	const head = (x, to, at) => svg("path", {d: `M${x} ${at}l${-6 * to} -4v8z`, class: "flow-head"});
	const text = (t, at) => svg("text", {x: (x0 + x1) / 2, y: at, class: "mid"}, t), out = [];
	if (above.length)
		out.push(svg("line", {x1: x0 + 6, x2: x1, y1: y - 5, y2: y - 5, class: "flow"}), head(x0, -1, y - 5),
			...above.map((t, i) => text(t, y - 12 - 14 * (above.length - 1 - i))));
	if (below.length)
		out.push(svg("line", {x1: x0, x2: x1 - 6, y1: y + 5, y2: y + 5, class: "flow"}), head(x1, 1, y + 5),
			...below.map((t, i) => text(t, y + 20 + 14 * i)));
	return out;
}

function flowText(what, bytes) {
	return bytes > 0.5 ? [what + " " + bytesText(bytes)] : [];
}

/* What a level below gives and takes; `others`: of that, what goes to another cache. */
function readWritten(u, others) {
	return [flowText("reads", u.bytes - u.written_bytes - others), flowText("writes", u.written_bytes)];
}

/* Bytes that the scalar cache gets from L2: the lines that it does not have. */
function scalarMisses() {
	const u = levelUse("scalar");
	return u && u.requests ? u.bytes * (1 - u.hit_rate) : 0;
}

/* The scalar cache asks L2 too, from below L1: to the middle of L2's lower edge. */
function scalarFlow(x0, x1, y, end) {
	const text = flowText("reads", scalarMisses());
	return [
		svg("path", {d: `M${x0 + (text.length ? 6 : 0)} ${y}H${x1}V${end}`, class: "flow"}),
		...text.flatMap(t => [
			svg("path", {d: `M${x0} ${y}l6 -4v8z`, class: "flow-head"}),
			svg("text", {x: (x0 + x1 - BOX.w / 2) / 2, y: y - 7, class: "mid"}, t)])
	];
}

function memoryChart() {
	const lanes = report.estimate.lanes, below = ["l2", "l3", "dram"].filter(levelUse);
	const rows = ["lds", "l1", "scalar"].filter(id => levelUse(id) || (id === "l1" && (lanes.global || lanes.private)));
	const gap = 116, x1 = BOX.w + 10 + 128, step = BOX.h + 26, H = rows.length * step + 4;
	const W = x1 + BOX.w + below.length * (gap + BOX.w) + 10;
	const y = id => 12 + step * rows.indexOf(id), out = [];
	const caches = rows.filter(id => id !== "lds"), both = caches.length > 1;
	out.push(svg("rect", {x: 10, y: 12, width: BOX.w, height: H - 30, rx: 8, class: "field"}),
		svg("text", {x: 10 + BOX.w / 2, y: 34, class: "mid here-text"}, "lanes"),
		svg("text", {x: 10 + BOX.w / 2, y: 52, class: "mid"}, count(report.launch.waves, "wavefront")));
	for (const id of rows)
		out.push(...levelBox(id, x1, y(id)), ...flow(BOX.w + 10, x1, y(id) + BOX.h / 2, ...lanesAsk(id)));
	const at = caches.length ? y(caches[0]) : 12;
	below.forEach((id, i) => {
		const x = x1 + (i + 1) * (gap + BOX.w), others = i === 0 && both ? scalarMisses() : 0;
		out.push(...levelBox(id, x, at), ...flow(x - gap, x, at + BOX.h / 2, ...readWritten(levelUse(id), others)));
		if (i === 0 && both)
			out.push(...scalarFlow(x1 + BOX.w, x + BOX.w / 2, y("scalar") + BOX.h / 2 - 5, at + BOX.h));
	});
	return el("div", {class: "scroll"},
		el("div", {class: "curve-box chart", style: `min-width:${Math.round(W * 0.8)}px;max-width:${Math.round(W * 1.15)}px`},
			picture(W, H, "Memory chart: bytes that move between the lanes and the levels of memory", out)));
}

function memoryPart(panel) {
	const p = report.estimate.lanes.private;
	if (!Object.keys(report.estimate.lanes).length) {
		panel.append(el("p", {class: "lead"}, "The kernel accesses no memory."));
		return;
	}
	panel.append(el("p", {class: "lead"}, "What lanes load and store, as counted, and the requests, hits and bytes of each level of " +
			"memory, as the timing model simulates it; all in the whole launch."),
		memoryChart());
	if (p)
		panel.append(el("p", {class: "hint"}, "Private memory (arrays and spilled registers) is, of what lanes and L1 exchange, " +
				`${count(Math.round(p.loads), "load")} of ${bytesText(p.loaded_bytes)} and ` +
				`${count(Math.round(p.stores), "store")} of ${bytesText(p.stored_bytes)}.`));
}

/* ---- units over time ---- */

function useCurve(name, values, slot, end) {
	const W = 360, H = 80, L = 42, B = 16, T = 6, n = values.length;
	const x = i => L + Math.min(i * slot, end) / end * (W - L - 4), y = v => H - B - v / 1000 * (H - B - T);
	let line = `M${x(0)} ${y(0)}`;
	values.forEach((v, i) => line += `V${y(v).toFixed(1)}H${x(i + 1).toFixed(1)}`);
	line += `V${y(0)}`;
	const mean = report.estimate.busy[name];
	return el("figure", {class: "curve-box"},
		el("figcaption", {}, data.docs.units[name], el("small", {class: "dim"}, percent(mean) + " % busy")),
		picture(W, H, `${data.docs.units[name]}: busy ${percent(mean)} % of the time`, [
			...[0, 0.5, 1].flatMap(v => [
				svg("line", {x1: L, x2: W - 4, y1: y(1000 * v), y2: y(1000 * v), class: "grid"}),
				svg("text", {x: L - 4, y: y(1000 * v) + 4, class: "end"}, 100 * v + " %")]),
			svg("path", {d: line, class: "area"}), svg("path", {d: line, class: "curve"}),
			svg("text", {x: W - 4, y: H - 3, class: "end"}, grouped(end) + " cycles"),
			...values.map((v, i) => svg("rect", {x: x(i), y: T, width: x(i + 1) - x(i), height: H - B - T, class: "hit",
				tip: () => [`${percent(v / 1000)} % busy`,
					`cycles ${grouped(i * slot)} to ${grouped(Math.min((i + 1) * slot, end))}`]}))]));
}

function unitsOverTime(panel) {
	const use = data.timeline && data.timeline.use;
	if (!use || !Object.keys(use.units).length)
		return;
	panel.append(el("h3", {}, "Units over time"),
		el("p", {class: "hint"}, "Of the compute units that were played in detail, and of their share of L2, L3 and DRAM."),
		el("div", {class: "curves"}, Object.entries(use.units).map(([name, v]) => useCurve(name, v, use.slot, use.end))));
}

/* ---- instructions ---- */

/* The device's own instructions, by class. */
function machineCode(panel) {
	const m = report.machine;
	if (!m || !m.classes)
		return;
	const list = Object.entries(m.classes).sort((a, b) => b[1] - a[1]);
	panel.append(el("h3", {}, `Instructions of ${m.cpu}`),
		m.stands_in_for ? el("p", {}, `LLVM's code for ${m.cpu}, which stands in for ${m.stands_in_for}.`) : "",
		el("p", {class: "lead"},
			`${grouped(m.instructions)} wave instructions were executed of ` +
				`${count(m.code_instructions, "instruction")} of code (${grouped(m.code_bytes)} bytes).`),
		bars(list.map(([name, n]) => ({
			name: name.replace(/_/g, " "),
			share: n / m.instructions,
			value: `${grouped(n)}, ${percent(n / m.instructions)} %`,
			colour: "var(--cool)",
			tip: [name, data.docs.classes[name]],
		}))));
}

views.push({
	id: "units",
	name: "Units & memory",
	order: 16,
	pages: ["launch"],
	when: () => report.estimate || report.machine && report.machine.classes,
	build(panel) {
		if (report.estimate)
			memoryPart(panel);
		unitsOverTime(panel);
		machineCode(panel);
	}
});
