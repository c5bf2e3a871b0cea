/* A sweep: the ranking, a map of two axes, what did not run. */

heads.sweep = () => ({
	title: "Sweep of " + data.title,
	sub: `${count(data.ran, "point")} of ${grouped(data.product)} estimated` +
		(data.skipped ? `, ${grouped(data.skipped)} skipped` : "") +
		(data.stopped ? `, ${grouped(data.stopped)} stopped early as hopeless` : "") +
		` · ${data.devices.join(", ")}`
});

const PART_ORDER = [...Object.keys(data.docs.parts), "tail"];

/* Axes with a choice. */
function openAxes() {
	return (data.axes || []).map((a, i) => ({...a, index: i})).filter(a => a.values.length > 1);
}

/* Files without the folders that they have in common. */
function valueText(v, axis) {
	if (v === null || !axis || axis.name !== "file")
		return v === null ? "–" : v;
	let n = 0;
	for (let i = v.indexOf("/"); i >= 0 && axis.values.every(o => o.startsWith(v.slice(0, i + 1)));
		 i = v.indexOf("/", i + 1))
		n = i + 1;
	return v.slice(n);
}

/* The settings of a point that differ from point to point, "local 16x16, -D TILE 8". */
function settings(p) {
	const open = openAxes();
	return (open.length ? open : (data.axes || []).map((a, i) => ({...a, index: i})))
		.map(a => `${a.name} ${valueText(p.values[a.index], a)}`)
		.join(", ");
}

/* Mistakes, or results that are not PoCL's: no best while there are others. */
const isWrong = p => p.differs || p.findings > 0;

/* What else is to be known of a point, in the words of the terminal's table. */
function marks(p) {
	const bad = [p.differs ? "results differ" : p.findings && "findings", p.other_results && "other results"];
	return [p.usual && "usual", p.status === "stopped" && "stopped early", ...bad].filter(Boolean).map(
		text => el("span", {class: bad.includes(text) ? "bad" : ""}, text));
}

function pointParts(p) {
	const all = p.us[0] || 1;
	return [["launch", p.launch_us / all], ...PART_ORDER.map((name, i) => [name, p.parts[i] / all])].filter(
		x => x[1] > 0.0005);
}

/* The time on a scale that all share, in the colours of its parts; the band as a whisker. */
function timeBar(p, most) {
	const at = us => 100 * us / most;
	return el("div", {
		class: "time-bar",
		tip: [
			`${time(p.us[0])} (${time(p.us[1])} to ${time(p.us[2])})`,
			...pointParts(p).sort((a, b) => b[1] - a[1]).slice(0, 5).map(([n,
				v]) => `${percent(v)} % ${PART_NAMES[n]}`)
		]
	},
		pointParts(p).map(
			([name, v]) => el("span", {style: `width:${at(v * p.us[0])}%;--c:var(--part-${name})`})),
		el("i", {style: `left:${at(p.us[1])}%;width:${at(Math.min(p.us[2], most) - p.us[1])}%`}));
}

const RANK_COLUMNS = [
	{
		key: "rank",
		head: "rank",
		value: p => p.us[0],
		cell: p => (p.ties_best ? "= " : "") + p.rank,
		doc: "points share a rank when their ratio is within the band of such ratios; = may be the best of its device"
	},
	{key: "time", head: "time", value: p => p.us[0], cell: p => time(p.us[0]), doc: "estimated time"},
	{
		key: "times",
		head: "× best",
		value: p => p.times_best,
		cell: p => digits(p.times_best, 3),
		doc: "time over that of the best on its device"
	},
	{
		key: "bound",
		head: "bound by",
		value: p => p.bound_by,
		cell: p => p.bound_by.replace(/_/g, " "),
		text: true,
		doc: "what bounds the time"
	},
	{
		key: "waves",
		head: "waves/SIMD",
		value: p => p.waves,
		cell: p => `${digits(p.waves, 3)} / ${digits(p.max_waves, 3)}`,
		doc: "wavefronts on a SIMD, of those it can hold"
	},
	{
		key: "lanes",
		head: "lanes %",
		value: p => p.lanes,
		cell: p => percent(p.lanes),
		heat: p => 1 - p.lanes,
		doc: "lanes busy"
	},
	{
		key: "conflicts",
		head: "conflicts %",
		value: p => p.conflicts,
		cell: p => p.conflicts < 0 ? "" : percent(p.conflicts),
		heat: p => Math.max(0, p.conflicts),
		doc: "share of LDS cycles lost to bank conflicts"
	},
	{
		key: "coalescing",
		head: "coalescing %",
		value: p => p.coalescing,
		cell: p => p.coalescing < 0 ? "" : percent(p.coalescing),
		heat: p => p.coalescing < 0 ? 0 : 1 - p.coalescing,
		doc: "fewest cache lines over those touched"
	},
	{key: "vgprs", head: "VGPRs", value: p => p.vgprs, cell: p => String(p.vgprs), doc: "vector registers"},
	{
		key: "lds",
		head: "LDS bytes",
		value: p => p.lds_bytes,
		cell: p => short(p.lds_bytes),
		doc: "local memory of a work-group"
	},
];

const ranking = {
	sort: "rank",
	down: false,
	open: null,
	shown: 200
};

function sortedPoints() {
	const column = RANK_COLUMNS.find(c => c.key === ranking.sort), axis = /^axis(\d+)$/.exec(ranking.sort);
	const value = axis ? p => sortValue(p.values[axis[1]]) : column.value;
	const list = data.points.map((p, i) => [p, i]);
	return list
		.sort((x, y) => {
			const a = value(x[0]), b = value(y[0]), d = a < b ? -1 : a > b ? 1 : 0;
			return (ranking.down ? -d : d) || x[1] - y[1];
		})
		.map(x => x[0]);
}

/* Numbers by size, others by name. */
function sortValue(v) {
	const n = Number(v);
	return v === null ? -Infinity : Number.isNaN(n) ? v : n;
}

function pointRow(p, most) {
	const row = el("tr", {
		class: "counted" + (p.best ? " best" : ""),
		tabindex: 0,
		"data-number": p.number,
		onclick: () => openPoint(p),
		onkeydown: e => {
			if (e.key === "Enter" || e.key === " ") {
				e.preventDefault();
				openPoint(p);
			}
		}
	},
		RANK_COLUMNS.slice(0, 1).map(c => el("td", {class: "n"}, c.cell(p))),
		openAxes().map(a => el("td", {class: "set"}, valueText(p.values[a.index], a))),
		data.devices.length > 1 && !openAxes().some(a => a.name === "device") ?
			el("td", {class: "set"}, p.device) :
			null,
		el("td", {class: "set marks"}, marks(p)), el("td", {class: "bar-cell"}, timeBar(p, most)), RANK_COLUMNS.slice(1).map(c => {
			const h = c.heat ? Math.min(1, c.heat(p)) : 0;
			return el("td", {
				class: (c.text ? "set" : "n") + (h > 0.02 ? " heat hot" : ""),
				style: h > 0.02 ? `--h:${h.toFixed(3)}` : null
			},
				c.cell(p));
		}));
	if (ranking.open === p)
		return [
			row,
			el("tr", {class: "more"},
				el("td", {colspan: 4 + openAxes().length + RANK_COLUMNS.length},
					el("div", {class: "details"},
						el("p", {}, el("b", {}, settings(p)), p.usual ? " (the launch as it is)" : "",
							`: ${data.docs.bounds[p.bound_by]}; occupancy limited by ${
								data.docs.limiters[p.limiter] || p.limiter}.`),
						p.why_best ? el("p", {}, p.why_best) : null,
						p.why_usual ? el("p", {}, p.why_usual) : null, p.note ? el("p", {}, p.note) : null,
						p.differs ? el("p", {class: "note-error"}, "Its results differ from those of the native run.") : null,
						p.other_results ? el("p", {class: "note-error"}, "Its results are not the usual launch's.") : null,
						p.findings ? el("p", {}, count(p.findings, "finding")) : null)))
		];
	return row;
}

function openPoint(p) {
	ranking.open = ranking.open === p ? null : p;
	drawRanking();
	const row = ranking.body.querySelector(`tr[data-number="${p.number}"]`);
	if (row)
		row.focus({preventScroll: true});
}

function drawRanking() {
	const list = sortedPoints(), most = Math.max(...list.slice(0, ranking.shown).map(p => p.us[0])) * 1.05;
	ranking.body.replaceChildren(...list.slice(0, ranking.shown).flatMap(p => pointRow(p, most)));
	for (const th of ranking.head.querySelectorAll("th[data-key]"))
		th.setAttribute("aria-sort",
			th.dataset.key === ranking.sort ? ranking.down ? "descending" : "ascending" : "none");
	ranking.more.hidden = list.length <= ranking.shown;
	ranking.more.textContent = `show all ${grouped(list.length)}`;
}

function rankBy(key) {
	ranking.down = ranking.sort === key ? !ranking.down : false;
	ranking.sort = key;
	drawRanking();
	say(`sorted by ${key}`);
}

views.push({
	id: "ranking",
	name: "Ranking",
	order: 10,
	pages: ["sweep"],
	build(panel) {
		const head = (key, text, doc, cls) => el("th", {scope: "col", "data-key": key, class: cls},
			button(text, () => rankBy(key), {tip: [text, doc, "click to sort"]}));
		const [rank, ...rest] = RANK_COLUMNS.map(c => head(c.key, c.head, c.doc, c.text ? "set" : "n"));
		ranking.head = el("thead", {},
			el("tr", {}, rank, openAxes().map(a => head("axis" + a.index, a.name, "a setting", "set")),
				data.devices.length > 1 && !openAxes().some(a => a.name === "device") ?
					el("th", {scope: "col", class: "set"}, "device") :
					null,
				el("th", {scope: "col", class: "set"}, el("span", {class: "unseen"}, "remarks")),
				el("th", {scope: "col", class: "bar-cell"}, "where the time goes"), rest));
		ranking.body = el("tbody");
		ranking.more = button("", () => {
			ranking.shown = Infinity;
			drawRanking();
		});
		for (const d of data.devices) {
			const list = data.points.filter(p => p.device === d), best = list.find(p => p.best),
				  usual = list.find(p => p.usual);
			const ties = list.filter(p => p.ties_best).length,
				  faster = best && !isWrong(best) ? list.slice(0, list.indexOf(best)).filter(isWrong).length : 0;
			if (best)
				panel.append(el("p", {class: "lead"},
					el("b", {}, `Best on ${d}: ${settings(best)}, ${time(best.us[0])}. `),
					ties > 1 ?
						`${count(ties - 1, "other point")} may be as fast, by the band of such ratios. ` :
						"",
					faster ? `${count(faster, "point")} ${faster > 1 ? "are" : "is"} faster, but with findings or results that are not those of the native run. ` : "",
					best.other_results ? "Mind: its results are not those of the usual launch. " : "",
					usual && usual !== best ? `The launch as it is takes ${time(usual.us[0])}. ${
												  best.why_usual ? best.why_usual + "." : ""}` :
											  ""));
		}
		panel.append(legend(
			["launch", ...PART_ORDER.filter((n, i) => data.points.some(p => p.parts[i] > 0.01 * p.us[0]))]));
		panel.append(
			el("div", {class: "scroll"},
				el("table", {class: "source ranking"},
					el("caption", {class: "unseen"}, "points of the sweep"), ranking.head, ranking.body)),
			ranking.more, leftOut(data.left_out.points, "slower point") || "");
		drawRanking();
	},
	go(n) {
		const p = data.points.find(x => String(x.number) === n);
		if (!p)
			return;
		if (data.points.indexOf(p) >= ranking.shown)
			ranking.shown = Infinity;
		ranking.open = null;
		openPoint(p);
		ranking.body.querySelector(`tr[data-number="${p.number}"]`)?.scrollIntoView({block: "center"});
	}
});

/* ---- the map ---- */

const map = {
	x: 0,
	y: -1,
	device: null
};

/* The best point for each pair of values, the other settings free; a wrong one only where all are. */
function bestOf(match) {
	const list = data.points.filter(p => (map.device === null || p.device === map.device) && match(p));
	return list.find(p => !isWrong(p)) || list[0] || null;
}

/* Best: blue, and paler up to twice as long; from there to ten times: orange. */
function timeColour(times) {
	const t = Math.log2(Math.max(1, times));
	return t <= 1 ?
		`color-mix(in oklab, var(--cool) ${Math.round(75 - 65 * t)}%, var(--surface))` :
		`color-mix(in oklab, var(--hot) ${Math.round(Math.min(80, 10 + 30 * (t - 1)))}%, var(--surface))`;
}

function mapCell(p, best) {
	if (!p)
		return el("td", {class: "none", tip: ["nothing ran here"]}, "·");
	const times = p.us[0] / best.us[0], also = marks(p);
	return el("td", {
		class: p === best ? "best" : "",
		style: `background:${timeColour(times)}`,
		tip: [
			settings(p), `${time(p.us[0])}, ${digits(times, 3)} times the best`, data.docs.bounds[p.bound_by],
			p.why_best || ""
		].filter(Boolean)
	},
		button([el("b", {}, time(p.us[0])), el("small", {}, p.ties_best ? "= best" : `×${digits(times, 2)}`),
			also.length ? el("small", {class: "marks"}, also) : null],
			() => show("ranking", p.number),
			{"aria-label": [`${settings(p)}: ${time(p.us[0])}`, ...also.map(m => m.textContent)].join(", ")}));
}

function drawMap() {
	const axes = openAxes(), x = axes[map.x], y = map.y >= 0 ? axes[map.y] : null;
	const best = bestOf(() => true),
		  values = a => [...a.values, ...data.points.some(p => p.values[a.index] === null) ? [null] : []];
	if (!best) {
		map.out.replaceChildren("nothing ran");
		return;
	}
	map.out.replaceChildren(el("div", {class: "scroll"},
		el("table", {class: "map"},
			el("thead", {},
				el("tr", {}, el("th", {}, y ? `${y.name} ↓  ${x.name} →` : x.name),
					values(x).map(v => el("th", {scope: "col"}, valueText(v, x))))),
			el("tbody", {},
				(y ? values(y) : [undefined])
					.map(row => el("tr", {},
							 el("th", {scope: "row"}, row === undefined ? "best" : valueText(row, y)),
							 values(x).map(v => mapCell(bestOf(p => p.values[x.index] === v &&
																(!y || p.values[y.index] === row)),
											   best))))))));
}

views.push({
	id: "map",
	name: "Map",
	order: 20,
	pages: ["sweep"],
	when: () => openAxes().length && data.points.length,
	build(panel) {
		const axes = openAxes(), names = axes.map((a, i) => [i, a.name]);
		map.y = axes.length > 1 ? 1 : -1;
		map.device = data.devices.length > 1 ? data.devices[0] : null;
		map.out = el("div");
		panel.append(el("p", {class: "lead"},
			"Each cell is the best point with these two settings, the others free. Blue is fast, orange slow; a click opens the point in the ranking."));
		panel.append(el("div", {class: "tools"},
			choice("columns", names, map.x,
				v => {
					map.x = Number(v);
					drawMap();
				}),
			axes.length > 1 ? choice("rows", [...names, [-1, "none"]], map.y,
								  v => {
									  map.y = Number(v);
									  drawMap();
								  }) :
							  null,
			data.devices.length > 1 ? choice("device", data.devices.map(d => [d, d]), map.device, v => {
				map.device = v;
				drawMap();
			}) : null));
		panel.append(map.out, leftOut(data.left_out.points, "slower point") || "");
		drawMap();
	}
});

views.push({
	id: "skipped",
	name: "Skipped",
	order: 30,
	pages: ["sweep"],
	when: () => data.others && data.others.length,
	build(panel) {
		const reasons = new Map();
		for (const p of data.others)
			reasons.set(p.note, [...reasons.get(p.note) || [], p]);
		panel.append(el("ul", {class: "findings"},
			[...reasons].map(([note, list]) => el("li", {class: "finding"},
								 el("p", {}, el("b", {}, note || "there is no estimate"),
									 el("span", {class: "dim"}, ` ×${grouped(list.length)}`)),
								 el("p", {class: "dim"}, list.slice(0, 40).map(settings).join(" · "),
									 list.length > 40 ? " …" : "")))),
			leftOut(data.left_out.others, "skipped point") || "");
	}
});
