/* The machine code beside the source: each line with its instructions and each instruction with its line, lit up
 * together under the mouse, kept by a click. Counts are those of an instruction's block. */

const listing = {
	code: null, /* report.listing */
	lines: new Map(), /* "file:line" -> {file, line, list: instructions, share} */
	rows: [], /* of instructions */
	lineRows: new Map(), /* "file:line" -> row */
	kept: null,
	shown: 0,
	most: 0
};

const LISTED = 3000; /* rows at first: a page with many more is slow */

/* Parts in which wavefronts wait; in the others they issue. */
const WAITS = ["dependency", "fetch", "lds_conflicts", "latency", "bandwidth", "barrier"];

function lineKey(x) {
	return x.line ? x.file + ":" + x.line : "";
}

function joinLines() {
	for (const [i, x] of listing.code.instructions.entries()) {
		const key = lineKey(x);
		if (!listing.lines.has(key))
			listing.lines.set(key, {file: x.file, line: x.line, list: [], share: 0});
		const l = listing.lines.get(key);
		l.list.push(i);
		l.share += x.share || 0;
		listing.most = Math.max(listing.most, x.share || 0);
	}
}

function waited(x) {
	return WAITS.reduce((sum, p) => sum + (x.parts[p] || 0), 0);
}

/* ---- cells ---- */

function partsBar(parts, share, most) {
	if (!share || !most)
		return null;
	return el("span", {class: "parts", style: `width:${(100 * share / most).toFixed(1)}%`, "aria-hidden": "true"},
		Object.entries(parts).map(([name, v]) =>
			el("i", {style: `--c:var(--part-${name});width:${(100 * v / share).toFixed(1)}%`})));
}

function timeTip(x) {
	const rows = Object.entries(x.parts).sort((a, b) => b[1] - a[1]).filter(([, v]) => v > 0);
	return [
		percent(x.share) + " % of the time of wavefronts" +
			(x.share > 0 ? `, of it ${percent(waited(x) / x.share)} % waiting` : ""),
		...rows.map(([name, v]) => `${percent(v)} % ${data.docs.parts[name]}`)
	];
}

function timeCell(x) {
	if (x.share === undefined)
		return null;
	const shown = x.share > 0.0005;
	const top = Object.entries(x.parts).sort((a, b) => b[1] - a[1])[0];
	return el("td", {class: "n time-cell", tip: x.share > 0 ? () => timeTip(x) : null},
		shown ? el("div", {class: "time-parts"}, el("span", {}, partsBar(x.parts, x.share, listing.most)),
					el("span", {}, percent(x.share)),
					el("small", {}, x.share > 0.005 ? top[0].replace("_", " ") : "")) :
				null);
}

function liveCell(x) {
	const all = listing.code.vgprs + listing.code.agprs, n = x.vgprs + (x.agprs || 0);
	return el("td", {
		"data-head": "VGPRs",
		class: "n heat cool" + (n === listing.code.top ? " top" : ""),
		style: all > 8 ? `--h:${(0.7 * n / all).toFixed(3)}` : "--h:0",
		title: x.agprs ? `${x.vgprs} VGPRs and ${x.agprs} AGPRs` : null
	},
		String(n));
}

function spillMark(x) {
	const said = x.spill ? data.docs.spills[x.spill].split(": ") : x.class === "scratch" ? ["private", data.docs.classes.scratch] : null;
	return said ? el("span", {class: x.spill ? "badge error" : "badge", title: said[1]}, said[0]) : null;
}

/* The text; where a jump leads is a link. */
function insText(x) {
	const jump = x.class === "branch" && /^(.*\s)(\.L\w+)$/.exec(x.text);
	const to = jump ? listing.code.blocks.findIndex(b => b.label === jump[2]) : -1;
	if (to < 0)
		return el("code", {}, x.text);
	return el("code", {}, jump[1],
		button(jump[2], e => {
			e.stopPropagation();
			insTo(listing.code.blocks[to].first);
		}, {class: "jump"}));
}

function insRow(x, i) {
	const b = listing.code.blocks[x.block], ran = b.executions > 0;
	return el("tr", {
		class: ran ? "ins" : "ins never",
		"data-ins": i,
		tabindex: -1,
		onclick: () => keep(lineKey(x), i),
		onmouseenter: () => light(lineKey(x)),
		onmouseleave: () => light(null)
	},
		el("td", {class: "ln"}, x.line ? (manyFiles() ? x.file.replace(/.*\//, "") + ":" : "") + x.line : "–"),
		el("td", {class: "src"}, insText(x), spillMark(x)),
		el("td", {class: "n", "data-head": "execs", title: b.assumed && ran ? "at least: nothing counts this block" : null},
			(b.assumed && ran ? "≥" : "") + short(b.executions)),
		el("td", {"data-head": "lanes", class: "n" + (ran && b.lanes < 0.8 * WAVE ? " heat hot" : ""),
			style: ran && b.lanes !== null ? `--h:${(0.8 * (1 - b.lanes / WAVE)).toFixed(3)}` : null},
			ran && b.lanes !== null ? b.lanes.toFixed(1) : ""),
		x.cycles === undefined ? null :
								 el("td", {
									 class: "n",
									 "data-head": "cycles",
									 title: ran ? `${grouped(x.cycles * b.executions)} over all executions` : null
								 },
									 x.cycles ? String(x.cycles) : ""),
		timeCell(x), x.vgprs === undefined ? null : liveCell(x),
		x.sgprs === undefined ? null : el("td", {class: "n", "data-head": "SGPRs"}, String(x.sgprs)));
}

function blockRow(b, i) {
	const name = b.label || (i ? "" : "entry");
	const why = !b.executions ? "never ran" : "";
	if (!name && !why)
		return el("tr", {class: "block"}, el("td", {colspan: 9}));
	return el("tr", {class: "block"}, el("td", {class: "ln"}), el("td", {colspan: 8},
		name ? el("code", {}, name) : null, why ? el("small", {}, " " + why) : null));
}

/* Rows up to that number. */
function listUpTo(n) {
	const all = listing.code.instructions, from = listing.shown;
	listing.shown = Math.max(from, Math.min(all.length, n));
	const rows = [];
	for (let i = from; i < listing.shown; i++) {
		const x = all[i], b = listing.code.blocks[x.block];
		if (b.first === i)
			rows.push(blockRow(b, x.block));
		rows.push(listing.rows[i] = insRow(x, i));
	}
	listing.body.append(...rows);
	listing.more.hidden = listing.shown >= all.length;
	listing.more.firstChild.textContent = count(all.length - listing.shown, "more instruction");
}

/* ---- the source ---- */

function listedLine(file, line) {
	const key = file + ":" + line, l = listing.lines.get(key);
	const text = (sourceLine(file, line) || "").replace(/\t/g, "    ");
	const row = el("tr", {
		class: l ? "counted" : "context",
		tabindex: l ? 0 : null,
		"aria-label": l ? `line ${line}: ${count(l.list.length, "instruction")}` : null,
		onclick: l ? () => keep(key, null) : null,
		onmouseenter: l ? () => light(key) : null,
		onmouseleave: l ? () => light(null) : null,
		onkeydown: l ?
			e => {
				if (e.key === "Enter" || e.key === " ") {
					e.preventDefault();
					keep(key, null);
				}
			} :
			null
	},
		el("td", {class: "ln"}, String(line)),
		el("td", {class: "src", title: text.length > 40 ? text.trim() : null}, el("code", {}, text)),
		el("td", {class: "n"}, l ? String(l.list.length) : ""),
		el("td", {class: "n heat cool", style: l ? `--h:${Math.min(1, l.share * 2).toFixed(3)}` : null},
			l && l.share > 0.0005 ? percent(l.share) : ""));
	if (l)
		listing.lineRows.set(key, row);
	return row;
}

function listedLines() {
	const rows = [], files = [...new Set([...listing.lines.values()].filter(l => l.line).map(l => l.file))];
	for (const file of files) {
		const ran = [...listing.lines.values()].filter(l => l.line && l.file === file).map(l => l.line);
		if (files.length > 1)
			rows.push(el("tr", {class: "file"}, el("td", {colspan: 4}, file)));
		const first = Math.min(...ran), last = Math.max(...ran);
		const near = [...knownLines(file)].filter(n => n >= first - 6 && n <= last + 3);
		for (const n of [...new Set([...near, ...ran])].sort((a, b) => a - b))
			rows.push(listedLine(file, n));
	}
	return rows;
}

/* ---- both ways ---- */

function mark(key, name) {
	for (const box of [listing.body, listing.source])
		for (const r of box.querySelectorAll("." + name))
			r.classList.remove(name);
	const l = key ? listing.lines.get(key) : null;
	if (!l)
		return;
	for (const i of l.list)
		if (listing.rows[i])
			listing.rows[i].classList.add(name);
	const row = listing.lineRows.get(key);
	if (row)
		row.classList.add(name);
}

function light(key) {
	mark(key, "lit");
}

/* Scroll a row into its own box, not the page. */
function reveal(row) {
	const box = row && row.closest(".pane");
	if (!box)
		return;
	const r = row.getBoundingClientRect(), b = box.getBoundingClientRect();
	if (r.top < b.top + 40 || r.bottom > b.bottom - 10)
		box.scrollTop += r.top - b.top - box.clientHeight / 3;
}

/* Keep a line marked, again: none; i: the instruction that was clicked. */
function keep(key, i) {
	const l = listing.lines.get(key), same = listing.kept === key && i === null;
	listing.kept = same ? null : key;
	mark(listing.kept, "selected");
	if (same || !l)
		return;
	if (i === null)
		listUpTo(l.list[0] + 1);
	mark(listing.kept, "selected");
	reveal(i === null ? listing.rows[l.list[0]] : listing.lineRows.get(key));
	say(l.line ? `line ${l.line}: ${count(l.list.length, "instruction")}` : "no source line");
}

function insTo(i) {
	listUpTo(i + 1);
	reveal(listing.rows[i]);
	keep(lineKey(listing.code.instructions[i]), i);
	listing.rows[i].focus({preventScroll: true});
}

/* The next instruction that takes a thirtieth of the time, down or up. */
function nextCostly(step) {
	const all = listing.code.instructions, at = Number((document.activeElement.dataset || {}).ins ?? -1);
	const hot = all.map((x, i) => i).filter(i => all[i].share > 1 / 30);
	if (!hot.length)
		return;
	const to = step > 0 ? hot.find(i => i > at) : hot.filter(i => i < at).pop();
	insTo(to === undefined ? step > 0 ? hot[0] : hot[hot.length - 1] : to);
}

function listingKeys(e) {
	if (e.key === "n" || e.key === "p") {
		nextCostly(e.key === "n" ? 1 : -1);
		return true;
	}
	const step = {ArrowDown: 1, ArrowUp: -1}[e.key], at = Number((e.target.dataset || {}).ins ?? -1);
	const to = at + step;
	if (!step || at < 0 || !listing.code.instructions[to])
		return false;
	insTo(to);
	return true;
}

/* ---- the view ---- */

function listingLead() {
	const c = listing.code, marked = c.instructions.filter(x => x.spill);
	const spills = marked.filter(x => x.spill.endsWith("store")).length;
	const at = c.instructions[c.most], parts = [`${count(c.instructions.length, "instruction")} for ${c.cpu}`];
	if (c.stands_in_for)
		parts.push(` (in place of ${c.stands_in_for})`);
	if (at && at.vgprs !== undefined) {
		parts.push(`. At most ${c.top} of the ${c.vgprs + c.agprs} allocated vector registers are live at once, `);
		parts.push(button(at.line ? `at line ${at.line}` : "here", () => insTo(c.most), {class: "jump"}));
	}
	parts.push(marked.length ? `. ${count(spills, "spill")} and ${count(marked.length - spills, "reload")} are marked.` :
							   ". Nothing is spilled.");
	if (c.left_out)
		parts.push(` Calls of ${c.left_out} are not in it.`);
	return el("p", {class: "lead"}, parts);
}

function listingHint() {
	const timed = listing.code.instructions.some(x => x.share !== undefined);
	return el("p", {class: "hint"}, "Executions and mean lanes are those of an instruction's block. ",
		timed ? "Time is an instruction's share of the time of all wavefronts. Waiting for a result counts at the " +
				"instruction that produces it: at the load, not at its s_waitcnt. Waiting for a busy unit counts at the " +
				"instruction that needs it." :
				"There is no time estimate.");
}

function codeHead() {
	const x = listing.code.instructions[0] || {}, th = (name, tip) =>
		el("th", {scope: "col", class: "n plain-head", tip: [name, tip]}, name);
	return el("thead", {},
		el("tr", {}, el("th", {scope: "col", class: "ln plain-head"}, "line"),
			el("th", {scope: "col", class: "src"}, "instruction"), th("execs", "wavefronts that executed it"),
			th("lanes", "active lanes, on average"),
			x.cycles === undefined ? null : th("cycles", "that one execution holds its unit"),
			x.share === undefined ? null : th("time %", "of wavefronts, issuing and waiting"),
			x.vgprs === undefined ?
				null :
				th("VGPRs", "vector registers in use: they hold a value that is needed later, or are written here"),
			x.sgprs === undefined ? null : th("SGPRs", "the same of scalar registers, VCC included")));
}

views.push({
	id: "code",
	name: "Machine code",
	order: 25,
	pages: ["launch"],
	when: () => report.listing && report.listing.instructions.length,
	build(panel) {
		const c = listing.code = report.listing, at = c.instructions[c.most];
		c.top = at.vgprs === undefined ? 0 : at.vgprs + (at.agprs || 0);
		joinLines();
		listing.source = el("tbody");
		listing.body = el("tbody");
		listing.more = el("p", {hidden: true, class: "more-rows"}, button("", () => listUpTo(c.instructions.length)));
		listing.source.append(...listedLines());
		panel.append(listingLead(),
			el("div", {class: "tools"}, button("↓ next costly instruction", () => nextCostly(1), {title: "key n"}),
				button("↑ previous", () => nextCostly(-1), {title: "key p"}),
				el("span", {class: "hint"}, "Click a line for its instructions, an instruction for its line.")),
			el("div", {class: "panes"},
				el("div", {class: "pane lines", tabindex: 0, role: "region", "aria-label": "Source"},
					el("table", {class: "source"}, el("caption", {class: "unseen"}, "Source lines that have machine code"),
						el("thead", {},
							el("tr", {}, el("th", {scope: "col", class: "ln plain-head"}, "line"),
								el("th", {scope: "col", class: "src"}, "source"),
								el("th", {scope: "col", class: "n plain-head"}, "instrs"),
								el("th", {scope: "col", class: "n plain-head"}, "time %"))),
						listing.source)),
				el("div", {class: "pane code", tabindex: 0, role: "region", "aria-label": "Machine code"},
					el("table", {class: "source"}, el("caption", {class: "unseen"}, "Machine instructions in their order"),
						codeHead(), listing.body),
					listing.more)),
			listingHint());
		listUpTo(LISTED);
	},
	/* "18" or "file.cl:18" */
	go(name) {
		const i = lineByName(name), l = i >= 0 && report.lines[i];
		if (l && listing.lines.has(l.file + ":" + l.line)) {
			listing.kept = null;
			keep(l.file + ":" + l.line, null);
		}
	},
	key: listingKeys
});
