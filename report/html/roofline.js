/* Roofline: how many operations a launch does for each byte that a level of memory moves, and how fast, below what the
 * device can do; beside it what passes between the levels. */

const LEVEL_COLOURS = {
	lds: "part-lds", l1: "part-address", scalar: "part-scalar", l2: "part-vector", l3: "part-dependency", dram: "part-bandwidth"};

/* What is drawn: floating point, or integer operations where there is none of it. */
function roofData() {
	const r = report.roofline, o = r.operations, us = report.estimate.time_us;
	const float = ["f16", "f32", "f64"].filter(k => o[k].count > 0);
	const kinds = float.length ? float : ["integer"];
	const ops = kinds.reduce((n, k) => n + o[k].count, 0);
	const top = kinds.reduce((a, b) => o[b].count > o[a].count ? b : a);
	const levels = Object.entries(r.levels).filter(([, l]) => l.bytes > 0 && l.peak_gb_s).map(
		([id, l]) => ({id, name: data.docs.levels[id], bytes: l.bytes, peak: l.peak_gb_s, at: ops / l.bytes}));
	const unit = float.length ? "FLOP" : "operations";
	return {kinds, ops, top, levels, unit, gops: us > 0 ? ops / us / 1e3 : 0, peak: o[top].peak_gops,
		peaks: kinds.map(k => [k, o[k].peak_gops]),
		matrix: kinds.filter(k => o[k].matrix_peak_gops > 1.01 * o[k].peak_gops).map(k => [`${k}, matrix`, o[k].matrix_peak_gops])};
}

function gops(v, d) {
	const unit = d.unit === "FLOP" ? "FLOP/s" : "op/s";
	return v >= 1e3 ? digits(v / 1e3, 3) + " T" + unit : digits(v, 3) + " G" + unit;
}

function bytesText(v) {
	for (const [unit, letter] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]])
		if (v >= unit)
			return digits(v / unit, 3) + " " + letter;
	return grouped(v) + " B";
}

/* Powers of ten around the values. */
function decades(values) {
	const logs = values.filter(v => v > 0).map(Math.log10);
	return [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
}

/* What bounds it at a level's intensity. */
function roofAt(l, d) {
	return Math.min(d.peak, l.peak * l.at);
}

function roofPicture(d, width) {
	const W = Math.max(320, Math.min(760, width)), H = W < 500 ? 300 : 400, L = 64, R = 14, T = 12, B = 46;
	const [x0, x1] = decades([...d.levels.map(l => l.at), ...d.levels.map(l => d.peak / l.peak), 1]);
	const [y0, y1] = decades([d.gops, d.peak * 1.2, ...d.matrix.map(([, peak]) => peak * 1.2), ...d.levels.map(l => roofAt(l, d))]);
	const x = v => L + (Math.log10(v) - x0) / (x1 - x0) * (W - L - R);
	const y = v => H - B - (Math.log10(v) - y0) / (y1 - y0) * (H - B - T);
	const clipY = v => Math.min(v, 10 ** y1);
	const parts = [svg("rect", {x: L, y: T, width: W - L - R, height: H - T - B, class: "field"})];
	for (let e = x0; e <= x1; e++)
		parts.push(svg("line", {x1: x(10 ** e), x2: x(10 ** e), y1: T, y2: H - B, class: "grid"}),
			svg("text", {x: x(10 ** e), y: H - B + 16, class: "mid"}, e < 0 ? digits(10 ** e, 1) : short(10 ** e)));
	for (let e = y0; e <= y1; e++)
		parts.push(svg("line", {x1: L, x2: W - R, y1: y(10 ** e), y2: y(10 ** e), class: "grid"}),
			svg("text", {x: L - 6, y: y(10 ** e) + 4, class: "end"}, short(10 ** e)));
	parts.push(svg("text", {x: (L + W - R) / 2, y: H - 8, class: "mid"}, d.unit + " for each byte that the level moves"),
		svg("text", {x: 12, y: T + 4, class: "end", transform: `rotate(-90 12 ${T + 4})`},
			d.unit === "FLOP" ? "GFLOP/s" : "10⁹ operations/s"));
	for (const [kind, peak] of [...d.peaks, ...d.matrix])
		parts.push(svg("line", {x1: x(Math.max(10 ** x0, 1e-9)), x2: W - R, y1: y(peak), y2: y(peak),
			class: d.matrix.some(m => m[0] === kind) ? "roof unused" : "roof"}),
			svg("text", {x: W - R - 4, y: y(peak) - 5, class: "end"}, `${kind}: ${gops(peak, d)}`));
	for (const l of d.levels) {
		const from = Math.max(10 ** x0, 10 ** y0 / l.peak), to = Math.min(10 ** x1, clipY(d.peak) / l.peak);
		const style = `stroke:var(--${LEVEL_COLOURS[l.id]})`;
		if (to > from)
			parts.push(svg("line", {x1: x(from), y1: y(from * l.peak), x2: x(to), y2: y(to * l.peak), class: "ceiling", style}));
		if (d.gops > 0)
			parts.push(svg("line", {x1: x(l.at), x2: x(l.at), y1: y(d.gops), y2: y(roofAt(l, d)), class: "room", style}));
	}
	if (d.gops > 0)
		parts.push(roofMarks(d, x, y(d.gops), {left: L, right: W - R, top: T, bottom: H - B}));
	return picture(W, H, `Roofline: ${gops(d.gops, d)} of ${gops(d.peak, d)}`, parts);
}

/* The launch at each level's intensity, in `box`. Marks that lie on each other are rings, and have one label; labels avoid
 * each other: below, above, and farther away. */
function roofMarks(d, x, y, box) {
	const groups = [], ends = new Map(), out = [];
	for (const l of [...d.levels].sort((a, b) => a.at - b.at)) {
		const last = groups[groups.length - 1];
		if (last && x(l.at) - x(last[0].at) < 8)
			last.push(l);
		else
			groups.push([l]);
	}
	const rows = [20, -12, 36, -28].filter(dy => y + dy < box.bottom && y + dy - 12 > box.top);
	for (const g of groups) {
		g.forEach((l, i) => out.push(svg("circle", {cx: x(l.at), cy: y, r: 6 + 4 * (g.length - 1 - i), class: "mark",
			style: `fill:var(--${LEVEL_COLOURS[l.id]})`, tip: roofTip(l, d)})));
		const name = d.levels.filter(l => g.includes(l)).map(l => l.name).join(", "), half = 4 * name.length;
		const at = Math.min(Math.max(x(g[0].at), box.left + half), box.right - half), far = 4 * (g.length - 1);
		const dy = rows.find(r => !(ends.get(r) > at - half)) || rows[0];
		ends.set(dy, at + half);
		out.push(svg("text", {x: at, y: y + dy + (dy > 0 ? far : -far), class: "mid here-text"}, name));
	}
	return out;
}

function roofTip(l, d) {
	return [
		`${l.name}: ${digits(l.at, 3)} ${d.unit} for each byte`,
		`${gops(d.gops, d)}, of ${gops(roofAt(l, d), d)} that ${l.peak * l.at < d.peak ? "its bandwidth" : "the units"} would allow`
	];
}

function roofTable(d) {
	const us = report.estimate.time_us, use = id => levelUse(id) || {};
	const row = ([id, l]) => el("tr", {},
		el("th", {scope: "row"}, el("span", {class: "swatch", style: `--c:var(--${LEVEL_COLOURS[id]});display:inline-block`}),
			" ", data.docs.levels[id]),
		el("td", {class: "n"}, bytesText(l.bytes)), el("td", {class: "n"}, digits(l.bytes / us / 1e3, 3)),
		el("td", {class: "n"}, l.peak_gb_s ? grouped(l.peak_gb_s) : ""),
		el("td", {class: "n"}, l.peak_gb_s ? percent(l.bytes / us / 1e3 / l.peak_gb_s) : ""),
		el("td", {class: "n"}, use(id).requests ? short(Math.round(use(id).requests)) : ""),
		el("td", {class: "n"}, use(id).requests ? percent(use(id).hit_rate) : ""),
		el("td", {class: "n"}, l.bytes ? digits(d.ops / l.bytes, 3) : ""));
	const th = (text, tip) => el("th", {scope: "col", class: "n", tip: [text, tip]}, text);
	return el("div", {class: "scroll levels"},
		el("table", {class: "plain"}, el("caption", {class: "unseen"}, "What the levels of memory move"),
			el("thead", {},
				el("tr", {}, el("th", {scope: "col"}, "level"), th("moves", "in the whole launch, by the model"),
					th("GB/s", "over the launch's time"), th("peak", "GB/s that the device can do; of DRAM what streaming reaches"),
					th("%", "of the peak"), th("requests", "of L1 and the scalar cache: lines that loads look up; below, parts of lines, of stores too"),
					th("hits %", "share of the requests that the level can answer"), th(d.unit + "/byte", "arithmetic intensity"))),
			el("tbody", {}, Object.entries(report.roofline.levels).map(row))));
}

function roofLead(d) {
	if (!d.ops)
		return el("p", {class: "lead"}, "The kernel does no vector arithmetic.");
	const near = d.levels.map(l => [l, d.gops / roofAt(l, d)]).sort((a, b) => b[1] - a[1])[0];
	return el("p", {class: "lead"}, `${gops(d.gops, d)} of ${gops(d.peak, d)} (${percent(d.gops / d.peak)} %). `,
		near ? `${near[0].name} is nearest to its ceiling: ${percent(near[1])} % of what is possible at ` +
				`${digits(near[0].at, 3)} ${d.unit} for each byte.` :
			   "No level of memory moves any bytes.",
		d.unit === "FLOP" ? "" : " There is no floating-point arithmetic, so these are integer operations, comparisons and moves.");
}

views.push({
	id: "roofline",
	name: "Roofline",
	order: 17,
	pages: ["launch"],
	when: () => report.roofline && report.estimate,
	build(panel) {
		const d = roofData(), r = report.roofline;
		panel.append(roofLead(d),
			d.ops > 0 && d.levels.length ? el("div", {class: "curve-box roofline"}, roofPicture(d, panel.clientWidth - 30)) : "",
			roofTable(d),
			el("p", {class: "hint"}, "Operations count active lanes: an addition is one, a fused multiply-add two. Bytes of L1 are whole lines, those of " +
					"LDS what its banks move in cycles without conflicts. The time is the estimate, with the launch.",
				d.matrix.length ? " The dashed line is the peak rate of matrix instructions (MFMA)." : "",
				r.matrix_left_out ? " Matrix instructions are not counted." : "",
				report.machine.classes && report.machine.classes.vmem_atomic ? " Atomics keep L2 busy longer than their bytes take, so L2 may be the limit below its ceiling." : ""));
	}
});
