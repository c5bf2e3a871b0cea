/* Occupancy: what limits it, and how it changes with registers, local memory and the group's size. */

const CURVES = {
	vgprs: ["Vector registers", "VGPRs of a work-item", () => report.resources.vgprs],
	lds: ["Local memory", "bytes of LDS of a work-group", () => report.resources.lds_bytes],
	group_size:
		["Group size", "work-items of a work-group", () => report.launch.local.reduce((a, b) => a * b, 1)]
};

function curve(name, steps) {
	const [title, unit, now] = CURVES[name], W = 420, H = 202, L = 34, R = 10, T = 24, B = 34, at = now();
	const most = report.occupancy.max_waves_per_simd, end = Math.max(steps[steps.length - 1].to, at);
	const x = v => L + (v - steps[0].from) / Math.max(1, end - steps[0].from) * (W - L - R),
		  y = v => H - B - v / most * (H - T - B);
	const nodes = [];
	for (let v = 0; v <= most; v += most > 12 ? 4 : 2)
		nodes.push(svg("line", {x1: L, x2: W - R, y1: y(v), y2: y(v), class: "grid"}),
			svg("text", {x: L - 5, y: y(v) + 4, class: "end"}, String(v)));
	for (const v of ticks(steps[0].from, end, W - L))
		nodes.push(svg("text", {x: x(v), y: H - B + 15, class: "mid"}, short(v)));
	nodes.push(svg("text", {x: (L + W - R) / 2, y: H - 3, class: "mid"}, unit));
	let d = "";
	steps.forEach((s, i) => {
		d += `${i ? "L" : "M"}${x(s.from)} ${y(s.waves_per_simd)}L${
			x(i + 1 < steps.length ? steps[i + 1].from : s.to)} ${y(s.waves_per_simd)}`;
	});
	nodes.push(svg("path", {d: d + `L${x(end)} ${y(0)}L${x(steps[0].from)} ${y(0)}Z`, class: "area"}),
		svg("path", {d, class: "curve"}));
	steps.forEach((s, i) => nodes.push(svg("rect", {
		x: x(s.from),
		y: T,
		width: Math.max(1, x(i + 1 < steps.length ? steps[i + 1].from : s.to) - x(s.from)),
		height: H - T - B,
		class: "hit",
		tip: [
			`${digits(s.waves_per_simd, 3)} waves per SIMD`, `${grouped(s.from)} to ${grouped(s.to)} ${unit}`,
			`${digits(s.waves_per_cu, 3)} per compute unit`
		]
	})));
	const here = report.occupancy.waves_per_simd;
	nodes.push(svg("line", {x1: x(at), x2: x(at), y1: y(0), y2: y(here), class: "here"}),
		svg("circle", {cx: x(at), cy: y(here), r: 5, class: "here-dot"}),
		svg("text", {x: Math.min(x(at) + 8, W - 60), y: y(here) - 8, class: "here-text"},
			`now ${grouped(at)}`));
	const label = `${title}: ${digits(here, 3)} waves per SIMD at ${at}; ` +
		steps.map(s => `${s.from} to ${s.to}: ${digits(s.waves_per_simd, 3)}`).slice(0, 12).join(", ");
	return el("figure", {class: "curve-box"},
		el("figcaption", {}, title,
			report.occupancy.limiter === name ? el("span", {class: "badge warn"}, "the limit") : null),
		picture(W, H, label, nodes));
}

views.push({
	id: "occupancy",
	name: "Occupancy",
	order: 70,
	pages: ["launch"],
	build(panel) {
		const o = report.occupancy, r = report.resources;
		panel.append(el("p", {class: "lead"},
			el("b", {},
				`${digits(o.waves_per_simd, 3)} of ${o.max_waves_per_simd} wavefronts per SIMD, ${
					digits(o.waves_per_cu, 3)} of ${digits(o.max_waves_per_cu, 3)} per compute unit. `),
			`Limited by ${data.docs.limiters[o.limiter]}.`,
			o.next_step ? ` ${o.next_step.text[0].toUpperCase() + o.next_step.text.slice(1)}.` : "",
			o.waves_per_simd < o.max_waves_per_simd ? mattersText("full_occupancy") : ""));
		panel.append(el("div", {class: "curves"},
			Object.keys(CURVES).filter(k => (o.curves[k] || []).length).map(k => curve(k, o.curves[k]))));
		const rows = [
			["vector registers", r.vgprs], ["accumulation registers", r.agprs], ["scalar registers", r.sgprs],
			["LDS of a work-group", r.lds_bytes], ["private memory of a work-item", r.scratch_bytes],
			["wavefronts of a work-group", o.waves_per_group],
			["work-groups on a compute unit", digits(o.groups_per_cu, 3)],
			["wavefronts on the device", o.waves_on_device],
			["L1 of a compute unit, in bytes", o.l1_bytes]
		];
		panel.append(el("h3", {}, "What it takes"),
			el("table", {class: "plain"},
				el("tbody", {},
					rows.map(([name, v]) => el("tr", {}, el("th", {scope: "row"}, name),
								 el("td", {class: "n"}, typeof v === "number" ? grouped(v) : v))))));
		if (r.peak_live)
			panel.append(el("h3", {}, "What holds registers where most are needed"),
				el("p", {class: "lead"}, `${r.peak_live.vgprs} of the optimised IR at `,
					placeLink(r.peak_live.file, r.peak_live.line), "."),
				el("table", {class: "plain"},
					el("tbody", {},
						r.peak_live.values.map(
							v => el("tr", {},
								el("th", {scope: "row"}, v.name ? el("code", {}, v.name) : v.kind),
								el("td", {}, placeLink(v.file, v.line)),
								el("td", {class: "n"}, String(v.vgprs)))))));
	}
});

/* A link to a line when the source view has it. */
function placeLink(file, lineNumber) {
	const i = file ? placeIndex(file, lineNumber) : -1;
	return i >= 0 ? goTo("source", lineName(i), "line " + lineName(i)) :
		file      ? `line ${lineNumber}` :
					"an unknown line";
}
