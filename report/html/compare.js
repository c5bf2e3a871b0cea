/* Two launches side by side: the verdict and its reasons, both times, what changed, the sources. */

const SIDE_NAMES = ["before", "after"];

heads.compare = () => {
	const c = data.compare, sides = [c.before, c.after];
	return {
		title: sides.map(s => s.label).join(" → "),
		sub: sides.map(s => `${s.file}: ${s.kernel} on ${s.device}`).join(" · "),
	};
};

/* ---- the verdict ---- */

const VERDICT_LEVEL = {
	different: "bad",
	faster: "good",
	slower: "bad"
};

/* Of ids that say more than the headline may: their band includes 1. */
const VERDICT_NAME = {likely_faster: "no clear difference", likely_slower: "no clear difference"};

/* The ratio of the times, and where it may lie. */
function ratioCard(v) {
	const clear = VERDICT_LEVEL[v.id];
	return card("Time", "×" + digits(v.time_ratio, 3),
		["of the time before", v.time_ratio_low > 0 ? `; band ×${digits(v.time_ratio_low, 3)} to ×${digits(v.time_ratio_high, 3)}` : ""],
		{level: !clear || v.time_ratio === 1 ? "" : v.time_ratio < 1 ? "good" : "warn"});
}

function resultsText(r) {
	if (r.equal === null)
		return ["not compared", r.why || ""];
	if (r.equal)
		return ["equal", `${count(r.compared, "element")} compared`];
	return ["different", `${grouped(r.different)} of ${count(r.compared, "element")} differ`];
}

/* Both times on one scale, in the colours of their parts, with their bands. */
function timePair() {
	const sides = [data.compare.before, data.compare.after];
	const most = Math.max(...sides.map(s => s.estimate ? s.estimate.high_us : 0));
	if (!(most > 0))
		return null;
	const at = us => 100 * us / most;
	return el("div", {class: "pair"}, sides.map((s, k) => {
		const e = s.estimate, parts = Object.entries(data.parts[k]).filter(p => p[1] > 0);
		return [
			el("span", {class: "pair-name"}, el("small", {}, SIDE_NAMES[k]), s.label),
			e ? el("div",
					{class: "time-bar tall", role: "img", "aria-label": `${s.label}: ${time(e.time_us)}`},
					parts.map(([name, us]) => el("span", {
						style: `width:${at(us)}%;--c:var(--part-${name})`,
						tip: [
							`${PART_NAMES[name]}: ${time(us)}`,
							`${percent(us / e.time_us)} % of ${time(e.time_us)}`
						],
					})),
					el("i", {style: `left:${at(e.low_us)}%;width:${at(e.high_us - e.low_us)}%`})) :
				el("span", {}, "no estimate"),
			el("span", {class: "pair-value"}, e ? el("b", {}, time(e.time_us)) : "",
				e ? ` ${time(e.low_us)} – ${time(e.high_us)}` : ""),
		];
	}));
}

/* ---- what changed ---- */

/* How much better: above 0 better, below 0 worse; null: neither. */
function improvement(m) {
	if (!m.better || m.before === null || m.after === null || m.before === m.after)
		return null;
	const ratio = Math.log2((m.after + 1e-12) / (m.before + 1e-12));
	return m.better === "lower" ? -ratio : ratio;
}

function metricText(m, v) {
	if (v === null)
		return "–";
	if (m.unit === "us")
		return time(v);
	if (m.unit === "%")
		return v.toFixed(1) + " %";
	return grouped(v) + (m.unit ? " " + m.unit : "");
}

function changeText(m) {
	if (m.before === null || m.after === null)
		return "";
	if (m.before === m.after)
		return "=";
	if (!m.before)
		return "new";
	return m.unit === "%" ? signed(m.after - m.before, 3) + " points" :
							signed(100 * (m.after / m.before - 1), 3) + " %";
}

function signed(v, n) {
	return (v > 0 ? "+" : v < 0 ? "−" : "") + digits(Math.abs(v), n);
}

/* A bar to the right for better, to the left for worse; a factor of eight is full. */
function changeBar(m) {
	const x = improvement(m);
	if (x === null)
		return el("span", {class: "change"});
	const w = Math.min(50, Math.abs(x) / 3 * 50);
	return el("span", {class: "change", role: "img", "aria-label": x > 0 ? "better" : "worse"}, el("i", {
		class: x > 0 ? "better" : "worse",
		style: x > 0 ? `left:50%;width:${w}%` : `right:50%;width:${w}%`
	}));
}

function metricTable(list) {
	return el("table", {class: "plain metrics"},
		el("thead", {}, el("tr", {}, ["", "before", "after", "change",
			"worse | better"].map(t => el("th", {scope: "col"}, t)))),
		el("tbody", {},
			list.map(m => el("tr", {class: m.before === m.after ? "same" : ""},
						 el("th", {scope: "row"}, data.metric_words[m.id] || m.id),
						 el("td", {class: "n"}, metricText(m, m.before)),
						 el("td", {class: "n"}, metricText(m, m.after)),
						 el("td", {class: "n"}, changeText(m)), el("td", {}, changeBar(m))))));
}

views.push({
	id: "verdict",
	name: "Verdict",
	order: 10,
	pages: ["compare"],
	build(panel) {
		const c = data.compare, v = c.verdict, [what, note] = resultsText(c.results);
		panel.append(el("div", {class: "cards"},
			card("Verdict", VERDICT_NAME[v.id] || v.id, data.verdict, {level: VERDICT_LEVEL[v.id]}),
			v.time_ratio ? ratioCard(v) : null,
			card("Results", what, note, {
				level: what === "equal"  ? "good" :
					what === "different" ? "bad" :
										   "",
				link: what === "different" ? goTo("results", undefined, "which") : null
			})));
		panel.append(el("p", {class: "lead"}, el("b", {}, v.summary)));
		if (v.reasons.length)
			panel.append(el("ul", {class: "reasons"}, v.reasons.map(t => el("li", {}, t))));
		const pair = timePair();
		if (pair)
			panel.append(el("h3", {}, "Where the time goes"), pair,
				legend(["launch", ...PART_ORDER].filter(
					n => data.parts.some((p, k) => p[n] > 0.01 * p.launch ||
							p[n] > 0.005 * Object.values(p).reduce((a, b) => a + b, 0)))));
		const changed = c.metrics.filter(m => m.before !== m.after),
			  same = c.metrics.filter(m => m.before === m.after);
		panel.append(el("h3", {}, "What changed"),
			changed.length ? el("div", {class: "scroll"}, metricTable(changed)) :
							 el("p", {}, "Nothing that is counted."));
		if (same.length)
			panel.append(el("details", {}, el("summary", {}, `${count(same.length, "figure")} did not`),
				metricTable(same)));
	}
});

/* ---- the sources side by side ---- */

const pair = {
	sort: null,
	down: true
};

/* Columns over the counts of both sides: value of one side, change for sorting, heat. */
const PAIR_COLUMNS = [
	{key: "time", head: "time", at: c => c[0], text: v => time(v), doc: "its share of the estimated time"},
	{
		key: "lanes",
		head: "lanes %",
		at: c => c[2],
		text: v => percent(v),
		better: "higher",
		doc: "lanes busy"
	},
	{
		key: "diverged",
		head: "diverged",
		at: c => c[3] ? c[4] : null,
		text: v => short(v),
		doc: "divergent branches"
	},
	{
		key: "lds",
		head: "LDS conflicts",
		at: c => c[6] ? c[6] - c[5] : null,
		text: v => short(v),
		doc: "bank cycles lost to conflicts"
	},
	{
		key: "lines",
		head: "cache lines",
		at: c => c[8] || null,
		text: v => short(v),
		doc: "cache lines touched"
	},
	{key: "vgprs", head: "VGPRs", at: c => c[9] || null, text: v => String(v), doc: "registers live"},
];

function pairValues(column, row) {
	return [row[3], row[4]].map(c => c ? column.at(c) : null);
}

function pairChange(column, row) {
	const [a, b] = pairValues(column, row);
	return (b || 0) - (a || 0);
}

/* Between devices only the time has a better and a worse. */
function sameDevice() {
	return data.compare.metrics.some(m => m.better && m.id !== "time_us");
}

/* "1.2 → 0.8", the heat by how much it grew or shrank. Of a line of one side only the time adds up. */
function pairCell(column, row, most) {
	const [a, b] = pairValues(column, row), d = pairChange(column, row);
	if (a === null && b === null)
		return el("td", {class: "n"});
	const both = a !== null && b !== null, worse = column.better === "higher" ? d < 0 : d > 0;
	const judged = column.key === "time" || both && sameDevice();
	const h = most && judged ? Math.min(1, Math.abs(d) / most) : 0;
	return el("td", {
		class: "n" + (h > 0.02 ? " heat " + (worse ? "hot" : "well") : ""),
		style: h > 0.02 ? `--h:${h.toFixed(3)}` : null
	},
		both && a !== b ? `${column.text(a)} → ${column.text(b)}` : column.text(a === null ? b : a));
}

function pairRow(row, most) {
	const kind = row[0] && row[1] ? "" : row[0] ? "gone" : "new";
	return el("tr",
		{class: (row[3] || row[4] ? "counted " : "context ") + kind, "data-lines": `${row[0]} ${row[1]}`},
		el("td", {class: "ln"}, row[0] || ""), el("td", {class: "ln2"}, row[1] || ""),
		el("td", {class: "src"}, el("span", {class: "mark"}, {gone: "−", new: "+", "": " "}[kind]),
			el("code", {}, row[2].replace(/\t/g, "    "))),
		usedPairs().map((c, i) => pairCell(c, row, most[i])));
}

function usedPairs() {
	return PAIR_COLUMNS.filter(c => data.rows.some(r => pairValues(c, r).some(v => v !== null)));
}

function drawPair() {
	const column = PAIR_COLUMNS.find(c => c.key === pair.sort);
	const most = usedPairs().map(c => Math.max(0, ...data.rows.map(r => Math.abs(pairChange(c, r)))));
	let list = data.rows;
	if (column)
		list = list.filter(r => r[3] || r[4])
				   .map((r, i) => [r, i])
				   .sort((x, y) =>
							 (pair.down ? 1 : -1) * (pairChange(column, y[0]) - pairChange(column, x[0])) ||
						   x[1] - y[1])
				   .map(x => x[0]);
	pair.body.replaceChildren(...list.map(r => pairRow(r, most)));
	for (const th of pair.head.querySelectorAll("th[data-key]"))
		th.setAttribute("aria-sort",
			th.dataset.key === (pair.sort || "line") ? pair.sort && pair.down ? "descending" : "ascending" :
													   "none");
}

function pairBy(key) {
	pair.down = pair.sort === key ? !pair.down : true;
	pair.sort = key === "line" ? null : key;
	drawPair();
	say(key === "line" ? "in the order of the source" : `sorted by the change of ${key}`);
}

views.push({
	id: "sources",
	name: "Sources",
	order: 20,
	pages: ["compare"],
	when: () => data.rows.length,
	build(panel) {
		pair.head = el("thead", {},
			el("tr", {},
				el("th", {scope: "col", class: "ln", "data-key": "line"},
					button("before", () => pairBy("line"))),
				el("th", {scope: "col", class: "ln2 plain-head"}, "after"),
				el("th", {scope: "col", class: "src"}, "source"),
				usedPairs().map(
					c => el("th", {scope: "col", class: "n", "data-key": c.key},
						button(c.head, () => pairBy(c.key),
							{tip: [c.head, c.doc + ", before → after", "click to sort by the change"]})))));
		pair.body = el("tbody");
		panel.append(el("ul", {class: "legend"}, key("hot", "worse"), key("good", "better"),
						 el("li", {}, "− only before, + only after")),
			el("div", {class: "scroll"},
				el("table", {class: "source pair-source"},
					el("caption", {class: "unseen"}, "sources side by side"), pair.head, pair.body)),
			leftOut(data.left_out.rows, "line") || "");
		drawPair();
	}
});

/* ---- results that differ, findings ---- */

function writerText(w) {
	if (!w)
		return "";
	const read = (w.inputs || [])
					 .map(i => `${i.name}${i.index === undefined ? "" : `[${i.index}]`} = ${i.value}`)
					 .join(", ");
	return `work-item (${w.global_id.join(", ")})` + (w.line ? `, line ${w.line}` : "") +
		(read ? `, from ${read}` : "");
}

function elementRow(b, e) {
	return el("tr", {}, el("th", {scope: "row"}, el("code", {}, `${b.name}[${e.index}]`)),
		el("td", {class: "n"}, e.before), el("td", {class: "n warn"}, e.after),
		el("td", {}, writerText(e.written_before)), el("td", {}, writerText(e.written_after)));
}

views.push({
	id: "results",
	name: "Results",
	order: 30,
	pages: ["compare"],
	build(panel) {
		const r = data.compare.results, list = r.buffers || [];
		panel.append(el("p", {class: "lead"}, el("b", {}, resultsText(r)[0] + ". "), resultsText(r)[1]));
		for (const t of r.notes || [])
			panel.append(el("p", {class: "hint"}, t));
		for (const b of list.filter(x => x.first.length))
			panel.append(el("h3", {}, el("code", {}, `${b.type} ${b.name}`),
							 `: ${count(b.different, "element")} differ`),
				el("div", {class: "scroll"},
					el("table", {class: "plain"},
						el("thead", {},
							el("tr", {},
								["element", "before", "after", "written before by", "written after by"].map(
									t => el("th", {scope: "col"}, t)))),
						el("tbody", {}, b.first.map(e => elementRow(b, e))))));
		if (list.length)
			panel.append(el("h3", {}, "Buffers"),
				el("div", {class: "scroll"},
					el("table", {class: "plain"},
						el("thead", {}, el("tr", {}, ["buffer", "elements", "differ", "within --max-ulp",
							""].map(t => el("th", {scope: "col"}, t)))),
						el("tbody", {},
							list.map(b => el("tr", {},
										 el("th", {scope: "row"}, el("code", {}, `${b.type} ${b.name}`)),
										 el("td", {class: "n"}, grouped(b.elements_before)),
										 el("td", {class: "n" + (b.different ? " warn" : "")},
											 grouped(b.different)),
										 el("td", {class: "n"}, grouped(b.within_max_ulp)),
										 el("td", {}, b.note || "")))))));
	}
});

views.push({
	id: "advice",
	name: "Findings",
	order: 40,
	pages: ["compare"],
	when: () => [data.compare.before, data.compare.after].some(s => s.findings.length),
	build(panel) {
		for (const [k, s] of [data.compare.before, data.compare.after].entries())
			panel.append(el("h3", {}, `${SIDE_NAMES[k]}: ${s.label}`),
				s.findings.length ?
					el("ol", {class: "findings"},
						s.findings.map(f => el("li", {class: "finding " + f.severity},
										   el("p", {}, el("span", {class: "badge " + f.severity}, f.severity),
											   " ", el("b", {}, f.message),
											   f.line ? el("span", {class: "dim"}, ` line ${f.line}`) : null),
										   f.hint ? el("p", {class: "hint"}, f.hint) : null))) :
					el("p", {class: "dim"}, "none"));
	}
});
