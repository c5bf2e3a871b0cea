/* Lanes and cache lines: one access of global memory by a real wavefront. A row is a cache line,
 * a box four of its bytes; boxes that a lane asked for are filled, the others were fetched without use. */

const memory = {
	site: 0,
	pattern: 0
};
const MOST_LINES_SHOWN = 128;

/* The lines that a pattern touches, in the order of their addresses: {line, lanes: per dword a list}. */
function touched(s, p) {
	const size = report.memory.line_bytes, rows = new Map(), distinct = new Set();
	for (const [lane, address] of addressesOf(p)) {
		for (let at = address; at < address + s.bytes; at++)
			distinct.add(at);
		for (let at = Math.floor(address / 4) * 4; at < address + s.bytes; at += 4) {
			const line = Math.floor(at / size);
			if (!rows.has(line))
				rows.set(line, {line, lanes: Array.from({length: size / 4}, () => [])});
			rows.get(line).lanes[at / 4 - line * size / 4].push(lane);
		}
	}
	const list = [...rows.values()].sort((a, b) => a.line - b.line);
	const bytes = lanesOf(p.mask).length * s.bytes;
	return {
		rows: list,
		bytes,
		used: distinct.size,
		ideal: Math.max(1, Math.min(list.length, Math.ceil(bytes / size)))
	};
}

function memorySites() {
	if (!memory.sites) {
		memory.sites = sitesOf(false);
		for (const s of memory.sites) {
			s.seen = s.patterns.map(p => touched(s, p));
			s.lost = s.seen.reduce((sum, v, i) => sum + (v.rows.length - v.ideal) * s.patterns[i].seen, 0);
		}
		memory.sites.sort((a, b) => b.lost - a.lost || a.index - b.index);
	}
	return memory.sites;
}

function laneColour(lane) {
	return `color-mix(in oklab, var(--active) ${
		Math.round(35 + 65 * lane / Math.max(1, WAVE - 1))}%, var(--surface))`;
}

function linePicture(v, first) {
	const size = report.memory.line_bytes / 4, box = size > 16 ? 14 : 24, left = 84, row = 16,
		  shown = v.rows.slice(0, MOST_LINES_SHOWN);
	const nodes = [svg("text", {x: left - 6, y: 14, class: "end"}, "byte")];
	for (let i = 0; i < size; i += 4)
		nodes.push(svg("text", {x: left + (i + 0.5) * box, y: 14, class: "mid"}, String(4 * i)));
	shown.forEach((r, k) => {
		const y = 22 + k * row, gap = k && r.line !== shown[k - 1].line + 1;
		nodes.push(svg("text", {x: left - 6, y: y + 11, class: "end"}, "line " + (r.line - first)));
		if (gap)
			nodes.push(
				svg("line", {x1: left - 60, x2: left + size * box, y1: y - 1, y2: y - 1, class: "gap"}));
		r.lanes.forEach((list, i) => nodes.push(svg("rect", {
			x: left + i * box + 0.5,
			y: y + 0.5,
			width: box - 1,
			height: row - 3,
			rx: 1.5,
			class: list.length ? "" : "unused",
			style: list.length ? `fill:${laneColour(list[0])}` : null,
			tip: [
				`bytes ${4 * i} to ${4 * i + 3} of line ${r.line - first}`,
				list.length ? `asked for by lane ${ranges([...new Set(list)])}` : "fetched, and not asked for"
			]
		})));
	});
	return picture(
		left + size * box + 6, 26 + shown.length * row, `${v.rows.length} cache lines touched`, nodes);
}

function memoryShow(pattern) {
	memory.pattern = pattern;
	drawMemory();
}

function memoryChips(s) {
	const order = s.patterns.map((p, i) => i);
	order.sort((a, b) => s.seen[b].rows.length - s.seen[a].rows.length || a - b);
	return chips("different executions", order.map(i => ({
		text: [
			el("b", {}, count(s.seen[i].rows.length, "line")),
			el("span", {class: "dim"}, ` ×${short(s.patterns[i].seen)}`)
		],
		on: i === memory.pattern,
		bad: s.seen[i].rows.length > s.seen[i].ideal,
		pick: () => memoryShow(i)
	})));
}

/* Of lanes that ask for the same bytes. */
function sharing(p, v) {
	return v.used * lanesOf(p.mask).length === v.bytes ? "all the same" : `${grouped(v.bytes)} with those that several ask for`;
}

function memorySentence(p, v) {
	const fetched = v.rows.length * report.memory.line_bytes, use = firstUse(detail.patterns.indexOf(p));
	const lines = count(v.rows.length, "cache line"), hold = `${grouped(v.ideal)} would hold them. `;
	const head = v.used === v.bytes ? `${lines} for ${grouped(v.bytes)} bytes; ${hold}` :
									  `${lines}; the lanes ask for ${count(v.used, "byte")} of ${
			v.rows.length > 1 ? "them" : "it"} (${sharing(p, v)})${v.rows.length > v.ideal ? "; " + hold : ". "}`;
	let text = `${grouped(fetched)} bytes are fetched, ${percent(v.used / fetched)} % of them asked for.`;
	if (p.step)
		text += ` Neighbouring lanes are ${p.step} bytes apart.`;
	if (use)
		text += ` First seen in ${waveName(use.wave)}, from byte ${grouped(use.address)} of its buffer on; ` +
			`${count(p.seen, "time")} in the recorded wavefronts.`;
	if (v.rows.length > MOST_LINES_SHOWN)
		text += ` The first ${MOST_LINES_SHOWN} lines are shown.`;
	if (v.rows.length > v.ideal)
		text += mattersText("ideal_coalescing");
	return el("p", {class: "lead"}, el("b", {}, head), text);
}

function drawMemory() {
	const s = memorySites()[memory.site], p = s.patterns[memory.pattern], v = s.seen[memory.pattern];
	memory.out.replaceChildren(
		el("p", {class: "line-text"}, goTo("source", lineName(s.line), "line " + lineName(s.line)), " ",
			el("code", {}, lineText(s.line).trim())),
		s.patterns.length > 1 ? memoryChips(s) : "", memorySentence(p, v),
		el("ul", {class: "legend"}, el("li", {}, el("span", {class: "swatch ramp"}), `lane 0 … ${WAVE - 1}`),
			el("li", {}, el("span", {class: "swatch unused"}), "fetched for nothing")),
		el("div", {class: "scroll picture"}, linePicture(v, v.rows.length ? v.rows[0].line : 0)));
}

function memorySite(i) {
	memory.site = Number(i);
	const seen = memorySites()[memory.site].seen;
	memoryShow(seen.reduce(
		(best, v, k) => v.rows.length - v.ideal > seen[best].rows.length - seen[best].ideal ? k : best, 0));
}

views.push({
	id: "memory",
	name: "Cache lines",
	order: 50,
	pages: ["launch"],
	when: () => sitesOf(false).length,
	build(panel) {
		const pick = choice("access",
			memorySites().map(
				(s, i) => [i, siteName(s) + (s.lost ? ` – ${grouped(s.lost)} lines too many` : "")]),
			0, memorySite);
		memory.select = pick.querySelector("select");
		panel.append(el("div", {class: "tools"}, pick));
		memory.out = el("div");
		panel.append(memory.out);
		memorySite(0);
	},
	go(name) {
		const i = memorySites().findIndex(s => s.line === lineByName(name));
		if (i >= 0) {
			memory.select.value = String(i);
			memorySite(i);
		}
	}
});
