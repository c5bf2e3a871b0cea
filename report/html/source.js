/* The annotated source: a row for each source line, heat by its cost. Sorted by place it shows the source
 * with its context; sorted by a column only the lines that ran. */

const hitText = v => v === null ? "–" : percent(v);

function lineHits(l) {
	return typeof l.l1_hit_rate === "number" || typeof l.l2_hit_rate === "number";
}

/* Columns: key, heading, explanation, value for sorting, text, heat 0 … 1 and whose colour. */
const COLUMNS = [
	{
		key: "time",
		head: "time %",
		doc: "share of the time of wavefronts, from the timing model",
		value: l => l.cycles_share,
		text: l => l.cycles_share > 0 ? percent(l.cycles_share) : "",
		heat: (l, most) => most.time ? l.cycles_share / most.time : 0,
		tone: "cool",
		bar: true,
		title: l => stallReasons(l)
	},
	{
		key: "execs",
		head: "execs",
		doc: "how often a wavefront ran the line's most executed instruction",
		value: l => l.executions,
		text: l => short(l.executions),
		heat: () => 0
	},
	{
		key: "instrs",
		head: "instrs %",
		doc: "share of all wave instructions",
		value: l => l.wave_instructions,
		text: l =>
			l.wave_instructions ? percent(l.wave_instructions / report.divergence.wave_instructions) : "",
		heat: (l, most) => most.instrs ? 0.5 * l.wave_instructions / most.instrs : 0,
		tone: "cool"
	},
	{
		key: "lanes",
		head: "lanes %",
		doc: "active lanes of all lanes; the picture: each lane's share, lane 0 at the left",
		value: l => l.wave_instructions ? 1 - l.lane_utilization : -1,
		text: l => l.wave_instructions ? percent(l.lane_utilization) : "",
		heat: l => l.wave_instructions ? 1 - l.lane_utilization : 0,
		tone: "hot",
		barcode: true
	},
	{
		key: "branches",
		head: "diverged",
		doc: "how many of the executed branches diverged: their lanes took different paths",
		value: l => l.divergent_branches,
		text: l => l.branches ? `${short(l.divergent_branches)} / ${short(l.branches)}` : "",
		heat: l => l.branches ? l.divergent_branches / l.branches : 0,
		tone: "hot",
		when: l => l.branches
	},
	{
		key: "lost",
		head: "lost slots",
		doc: "lane slots lost here: idle lanes × instructions that others ran since they parted, until they met again",
		value: l => l.lost_lane_slots,
		text: l => l.lost_lane_slots ? short(l.lost_lane_slots) : "",
		heat: l => Math.min(1, 5 * l.lost_lane_slots / (report.divergence.wave_instructions * WAVE)),
		tone: "hot",
		when: l => l.lost_lane_slots
	},
	{
		key: "lds",
		head: "LDS cycles",
		doc: "bank cycles: without conflicts → actual",
		value: l => l.lds_conflict_cycles,
		text: l => l.lds_accesses ? `${short(l.lds_ideal_cycles)} → ${short(l.lds_actual_cycles)}` : "",
		heat: l => l.lds_actual_cycles ?
			Math.min(1, Math.log2(l.lds_actual_cycles / Math.max(1, l.lds_ideal_cycles)) / 4) :
			0,
		tone: "hot",
		when: l => l.lds_accesses
	},
	{
		key: "lines",
		head: "cache lines",
		doc: "fewest that could hold the bytes → touched",
		value: l => l.actual_lines - l.ideal_lines,
		text: l => l.accesses ? `${short(l.ideal_lines)} → ${short(l.actual_lines)}` : "",
		heat: l => l.ideal_lines ? Math.min(1, Math.log2(l.actual_lines / l.ideal_lines) / 4) : 0,
		tone: "hot",
		when: l => l.accesses
	},
	{
		key: "hits",
		head: "hits %",
		doc: "share of the line's requests that hit in L1 and in L2, estimated by the model; the column sorts by the bytes that DRAM moves for the line",
		value: l => l.dram_bytes,
		text: l => lineHits(l) ? ["l1", "l2"].map(c => hitText(l[c + "_hit_rate"])).join(" / ") : "",
		heat: (l, most) => most.hits ? 0.6 * l.dram_bytes / most.hits : 0,
		tone: "cool",
		when: lineHits
	},
	{
		key: "vgprs",
		head: "VGPRs",
		doc: "32-bit vector registers that hold a value here",
		value: l => l.live_vgprs,
		text: l => l.live_vgprs ? String(l.live_vgprs) : "",
		heat: (l, most) => most.vgprs > 8 ? 0.6 * l.live_vgprs / most.vgprs : 0,
		tone: "cool",
		when: l => l.live_vgprs
	},
];

/* Those that have columns of their own (isa/counters.def). */
function counterColumns() {
	return Object.entries(data.docs.counters).map(([key, doc]) => ({
		key,
		head: key.replaceAll("_", " "),
		doc,
		value: l => l.counters[key],
		text: l => l.counters[key] ? short(l.counters[key]) : "",
		heat: () => 0,
		when: l => l.counters[key]
	}));
}

function allColumns() {
	return COLUMNS.concat(counterColumns());
}

const source = {
	sort: null,
	down: true,
	rows: new Map(),
	body: null,
	selected: null,
	most: {}
};

function usedColumns() {
	return allColumns().filter(c => c.key === "time" ? report.estimate : !c.when || report.lines.some(c.when));
}

/* Lanes as a strip of bars: how much of the line's work each lane took part in. */
function barcode(i) {
	const share = laneShare(i);
	if (!share)
		return null;
	const c = el("canvas", {class: "barcode", width: WAVE, height: 1, "aria-hidden": "true"});
	const paint = () => {
		const g = c.getContext("2d"), image = g.createImageData(WAVE, 1), on = rgb("active"),
			  off = rgb("idle");
		share.forEach((v, l) => {
			for (let k = 0; k < 3; k++)
				image.data[4 * l + k] = off[k] + (on[k] - off[k]) * v;
			image.data[4 * l + 3] = 255;
		});
		g.putImageData(image, 0, 0);
	};
	paint();
	repaints.push(paint);
	return c;
}

function cell(c, l, i) {
	const heat = Math.max(0, Math.min(1, c.heat(l, source.most) || 0)), text = c.text(l);
	return el("td", {
		class: "n" + (heat > 0.02 && text ? " heat " + c.tone : "") + (c.bar ? " bar-cell" : ""),
		style: heat > 0.02 ? `--h:${heat.toFixed(3)}` : null,
		title: c.title ? c.title(l) : null
	},
		c.barcode ? [barcode(i), el("span", {class: "after"}, text)] : text);
}

function sourceRow(file, line, text, i) {
	const l = i >= 0 ? report.lines[i] : null;
	const row = el("tr", {
		class: l ? "counted" : "context",
		"data-line": line,
		tabindex: l ? 0 : null,
		"aria-label": l ? `line ${line}` : null,
		onclick: l ? () => select(i, true) : null,
		onkeydown: l ?
			e => {
				if (e.key === "Enter" || e.key === " ") {
					e.preventDefault();
					select(i, true);
				}
			} :
			null
	},
		el("td", {class: "ln"}, line ? String(line) : "–"),
		el("td", {class: "src", title: text.length > 50 ? text.trim() : null}, el("code", {}, text)),
		usedColumns().map(c => l ? cell(c, l, i) : el("td", {})));
	if (l)
		source.rows.set(i, row);
	return row;
}

/* Files in the order of the report, every line of them that is known near those that ran. */
function sourceRows() {
	const rows = [], all = manyFiles();
	for (const file of new Set(report.lines.filter(l => l.line).map(l => l.file))) {
		const ran = new Map(
			report.lines.map((l, i) => [l, i]).filter(([l]) => l.file === file && l.line).map(([l,
				i]) => [l.line, i]));
		if (all)
			rows.push(el("tr", {class: "file"}, el("td", {colspan: 2 + usedColumns().length}, file)));
		const first = Math.min(...ran.keys()), last = Math.max(...ran.keys());
		const known = [...knownLines(file)].filter(n => n >= first - 12 && n <= last + 6);
		for (const n of [...new Set([...known, ...ran.keys()])].sort((a, b) => a - b))
			rows.push(sourceRow(
				file, n, (sourceLine(file, n) || "").replace(/\t/g, "    "), ran.has(n) ? ran.get(n) : -1));
	}
	report.lines.forEach((l, i) => {
		if (!l.line && l.wave_instructions)
			rows.push(sourceRow(null, 0, "(instructions without a source line)", i));
	});
	return rows;
}

function knownLines(file) {
	sourceLine(file, 0);
	return sourceTexts.get(file).keys();
}

function sortedRows() {
	const c = allColumns().find(x => x.key === source.sort);
	return report.lines.map((l, i) => [i, Number(c.value(l))])
		.filter(x => report.lines[x[0]].executions)
		.sort((a, b) => (source.down ? b[1] - a[1] : a[1] - b[1]) || a[0] - b[0])
		.map(([i]) => sourceRow(report.lines[i].file, report.lines[i].line, lineText(i), i));
}

function drawSource() {
	source.rows.clear();
	source.body.replaceChildren(...(source.sort ? sortedRows() : sourceRows()));
	for (const th of source.head.querySelectorAll("th[data-key]")) {
		const on = th.dataset.key === (source.sort || "line");
		th.setAttribute("aria-sort", on ? source.sort && source.down ? "descending" : "ascending" : "none");
	}
	if (source.selected !== null)
		select(source.selected, false);
}

function sortBy(key) {
	if (key === "line") {
		source.sort = null;
	} else if (source.sort === key) {
		source.down = !source.down;
	} else {
		source.sort = key;
		source.down = true;
	}
	drawSource();
	say(key === "line" ? "in the order of the source" :
						 `sorted by ${key}, ${source.down ? "most first" : "least first"}`);
}

/* Mark a line and open what there is to say about it. */
function select(i, toggle) {
	const old = source.body.querySelector("tr.more"), row = source.rows.get(i);
	const was = old && source.selected === i;
	if (old)
		old.remove();
	for (const r of source.body.querySelectorAll(".selected"))
		r.classList.remove("selected");
	source.selected = was && toggle ? null : i;
	if (!row || source.selected === null)
		return;
	row.classList.add("selected");
	row.after(el(
		"tr", {class: "more"}, el("td", {}), el("td", {colspan: 1 + usedColumns().length}, lineDetails(i))));
}

function lineDetails(i) {
	const l = report.lines[i], parts = [];
	parts.push(`${count(l.wave_instructions, "wave instruction")}, ${
		percent(l.lane_utilization)} % of their lanes busy.`);
	if (l.branches)
		parts.push(`${grouped(l.divergent_branches)} of ${count(l.branches, "branch")} diverged` +
			(l.lost_lane_slots ? ` and lost ${grouped(l.lost_lane_slots)} lane slots.` : "."));
	if (l.lds_accesses)
		parts.push(`LDS: ${count(l.lds_accesses, "access")}, ${grouped(l.lds_actual_cycles)} bank cycles, ` +
			`${grouped(l.lds_conflict_cycles)} of them conflicts, up to ${l.lds_max_way}-way.`);
	if (l.accesses)
		parts.push(`Memory: ${count(l.accesses, "access")} touch ${count(l.actual_lines, "cache line")}; ${
			grouped(l.ideal_lines)} could hold the bytes.`);
	if (lineHits(l)) {
		const rates = ["l1", "scalar", "l2", "l3"].filter(c => l[c + "_hit_rate"] !== null);
		parts.push("Hits: " + rates.map(c => `${data.docs.levels[c]} ${percent(l[c + "_hit_rate"])} %`).join(", ") +
			`; DRAM moves ${bytesText(l.dram_bytes)} for it.`);
	}
	const links = [];
	if (report.listing && report.listing.instructions.some(x => x.line === l.line && x.file === l.file && l.line))
		links.push(goTo("code", lineName(i), "its machine code"));
	if (laneShare(i))
		links.push(goTo("lanes", lineName(i), "its lanes over time"));
	if (sitesOf(true).some(s => s.line === i))
		links.push(goTo("banks", lineName(i), "its lanes and banks"));
	if (sitesOf(false).some(s => s.line === i))
		links.push(goTo("memory", lineName(i), "its lanes and cache lines"));
	const notes = report.findings.map((f, k) => [f, k]).filter(([
		f
	]) => f.line === l.line && f.file === l.file && l.line);
	return el("div", {class: "details"}, el("p", {}, parts.join(" ")),
		links.length ? el("p", {class: "links"}, links) : null, notes.map(([f,
			k]) => el("p", {class: "note-" + f.severity}, goTo("findings", k, f.severity), " ", f.message)));
}

/* "18" or "file.cl:18" -> index of report.lines. */
function lineByName(name) {
	return report.lines.findIndex((l, i) => l.line && lineName(i) === name);
}

function jumpTo(i) {
	if (!source.rows.has(i)) {
		source.sort = null;
		drawSource();
	}
	source.selected = null;
	select(i, false);
	const row = source.rows.get(i);
	if (row) {
		row.scrollIntoView({block: "center"});
		row.focus({preventScroll: true});
	}
}

/* The next line that takes a twentieth of the time, down or up. */
function nextHot(step) {
	const hot = hottest(12).map(x => x[0]).sort((a, b) => a - b);
	if (!hot.length)
		return;
	const at = source.selected === null ? -1 : source.selected;
	const i = step > 0 ? hot.find(x => x > at) : hot.filter(x => x < at).pop();
	const to = i === undefined ? step > 0 ? hot[0] : hot[hot.length - 1] : i;
	show("source", lineName(to));
	say(lineTitle(to));
}

views.push({
	id: "source",
	name: "Source",
	order: 20,
	pages: ["launch"],
	when: () => report.lines.length,
	build(panel) {
		for (const c of allColumns())
			source.most[c.key] = Math.max(0, ...report.lines.map(l => Number(c.value(l)) || 0));
		const heads = usedColumns().map(
			c => el("th", {scope: "col", "data-key": c.key, class: "n"},
				button(c.head, () => sortBy(c.key), {tip: [c.head, c.doc, "click to sort"]})));
		source.head = el("thead", {},
			el("tr", {},
				el("th", {scope: "col", "data-key": "line", class: "ln"},
					button("line", () => sortBy("line"), {"aria-label": "line: in the order of the source"})),
				el("th", {scope: "col", class: "src"}, "source"), heads));
		source.body = el("tbody");
		panel.append(
			el("div", {class: "tools"}, button("↓ next costly line", () => nextHot(1), {title: "key n"}),
				button("↑ previous", () => nextHot(-1), {title: "key p"}),
				el("span", {class: "hint"}, "Click a heading to sort, a line for more about it.")));
		panel.append(el("div", {class: "scroll"},
			el("table", {class: "source"},
				el("caption", {class: "unseen"}, "Source lines with what wavefronts did there"), source.head,
				source.body)));
		drawSource();
	},
	go(name) {
		const i = lineByName(name);
		if (i >= 0)
			jumpTo(i);
	},
	key(e) {
		if (e.key === "n" || e.key === "p")
			nextHot(e.key === "n" ? 1 : -1);
		return e.key === "n" || e.key === "p";
	}
});
