/* Units and memory on one screen: what passes between the lanes and the levels of memory, how busy each unit is over
 * time, and what instructions were executed. */

const UNIT_OF_LEVEL = {lds: "lds", l2: "l2", l3: "l3", dram: "dram", l1: "address"};

function levelUse(id) {
	return report.estimate.levels[id];
}

/* ---- the memory chart ---- */

/* What the lanes asked of a level: [what, how much of it]. */
function lanesAsk(id) {
	const l = report.lds, m = report.memory;
	return {
		lds: [count(l.accesses, "access").replace(/accesss$/, "accesses"), bytesText(4 * report.banks * l.ideal_cycles)],
		scalar: [count(m.scalar_loads, "load"), levelUse("scalar") ? bytesText(levelUse("scalar").bytes) : ""],
		l1: [count(m.accesses, "access").replace(/accesss$/, "accesses"), bytesText(m.bytes)]
	}[id];
}

/* What a box says below its name. */
function levelFacts(id) {
	const u = levelUse(id), e = report.estimate, out = [];
	if (id === "lds")
		out.push(report.lds.conflict_cycles ? short(report.lds.conflict_cycles) + " conflict cycles" : "no conflicts");
	if (u && u.requests)
		out.push(short(Math.round(u.requests)) + " requests", percent(u.hit_rate) + " % hits");
	if (id !== "l1" && UNIT_OF_LEVEL[id])
		out.push(percent(e.busy[UNIT_OF_LEVEL[id]]) + " % busy");
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

/* Two boxes joined; above what goes to the left, below what goes to the right. */
function flow(x0, x1, y, above, below) {
	const head = (x, to, at) => svg("path", {d: `M${x} ${at}l${-6 * to} -4v8z`, class: "flow-head"});
	const middle = (x0 + x1) / 2, out = [];
	if (above)
		out.push(svg("line", {x1: x0 + 6, x2: x1, y1: y - 5, y2: y - 5, class: "flow"}), head(x0, -1, y - 5),
			svg("text", {x: middle, y: y - 12, class: "mid"}, above));
	if (below)
		out.push(svg("line", {x1: x0, x2: x1 - 6, y1: y + 5, y2: y + 5, class: "flow"}), head(x1, 1, y + 5),
			svg("text", {x: middle, y: y + 20, class: "mid"}, below));
	return out;
}

function readWritten(u) {
	const read = u.bytes - u.written_bytes;
	return [
		read > 0.5 ? "reads " + bytesText(read) : "", u.written_bytes > 0.5 ? "writes " + bytesText(u.written_bytes) : ""
	];
}

function memoryChart() {
	const rows = ["lds", "l1", "scalar"].filter(id => levelUse(id) || (id === "lds" && report.lds.accesses));
	const below = ["l2", "l3", "dram"].filter(levelUse);
	const gap = 116, x1 = BOX.w + 10 + gap, step = BOX.h + 26, H = Math.max(1, rows.length) * step + 4;
	const W = x1 + BOX.w + below.length * (gap + BOX.w) + 10;
	const y = id => 12 + step * rows.indexOf(id), out = [];
	const caches = rows.filter(id => id !== "lds");
	out.push(svg("rect", {x: 10, y: 12, width: BOX.w, height: H - 30, rx: 8, class: "field"}),
		svg("text", {x: 10 + BOX.w / 2, y: 34, class: "mid here-text"}, "lanes"),
		svg("text", {x: 10 + BOX.w / 2, y: 52, class: "mid"}, count(report.launch.waves, "wavefront")));
	for (const id of rows) {
		const middle = y(id) + BOX.h / 2, ask = lanesAsk(id);
		out.push(...levelBox(id, x1, y(id)),
			...(id === "scalar" ? flow(BOX.w + 10, x1, middle, ask.join(": "), null) : flow(BOX.w + 10, x1, middle, ...ask)));
	}
	/* L1 and the scalar cache both ask L2. */
	const at = caches.length ? y(caches[0]) : 12;
	below.forEach((id, i) => {
		const x = x1 + (i + 1) * (gap + BOX.w);
		out.push(...levelBox(id, x, at), ...flow(x - gap, x, at + BOX.h / 2, ...readWritten(levelUse(id))));
		if (i === 0 && caches.length > 1)
			out.push(svg("path",
				{d: `M${x1 + BOX.w} ${y("scalar") + BOX.h / 2}H${x + BOX.w / 2}V${at + BOX.h}`, class: "flow"}));
	});
	return el("div", {class: "scroll"},
		el("div", {class: "curve-box chart", style: `min-width:${Math.round(W * 0.8)}px;max-width:${Math.round(W * 1.15)}px`},
			picture(W, H, "Memory chart: what passes between the lanes and the levels of memory", out)));
}

/* ---- units over time ---- */

function useCurve(name, values, slot) {
	const W = 360, H = 80, L = 42, B = 16, T = 6, n = values.length;
	const x = i => L + i / n * (W - L - 4), y = v => H - B - v / 1000 * (H - B - T);
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
			svg("text", {x: W - 4, y: H - 3, class: "end"}, grouped(n * slot) + " cycles"),
			...values.map((v, i) => svg("rect", {x: x(i), y: T, width: (W - L - 4) / n, height: H - B - T, class: "hit",
				tip: () => [`${percent(v / 1000)} % busy`, `cycles ${grouped(i * slot)} to ${grouped((i + 1) * slot)}`]}))]));
}

function unitsOverTime(panel) {
	const use = data.timeline && data.timeline.use;
	if (!use || !Object.keys(use.units).length)
		return;
	panel.append(el("h3", {}, "Units over time"),
		el("p", {class: "hint"}, "Of the compute units that were played in detail, and of their share of L2, L3 and DRAM."),
		el("div", {class: "curves"}, Object.entries(use.units).map(([name, v]) => useCurve(name, v, use.slot))));
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
			panel.append(el("p", {class: "lead"},
							 "What passes between the lanes and each level of memory in the whole launch, by the model."),
				memoryChart());
		unitsOverTime(panel);
		machineCode(panel);
	}
});
