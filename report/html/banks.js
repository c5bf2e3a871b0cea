/* Lanes and banks: one LDS access of a real wavefront, lane by lane, with the phases in which it is served
 * and the cycle in which each bank gives each dword. */

const banks = {
	site: 0,
	pattern: 0,
	part: 0,
	phase: -1
}; /* phase -1: all of the part */

/* Sites of LDS, or of global memory, with their patterns. */
function sitesOf(lds) {
	if (!detail)
		return [];
	return detail.sites.map((s, i) => ({...s, index: i, patterns: detail.patterns.filter(p => p.site === i)}))
		.filter(s => s.lds === lds && s.patterns.length);
}

function siteName(s) {
	const what = s.atomic ? "atomic" : s.write ? "write" : "read";
	return `line ${lineName(s.line)}: ${what} of ${s.bytes} bytes a lane`;
}

/* Where a pattern was first seen: wavefront, address. */
function firstUse(index) {
	for (const w of detail.waves)
		for (let i = 0; i < w.uses.length; i += 3)
			if (w.uses[i + 1] === index)
				return {wave: w, address: w.uses[i + 2]};
	return null;
}

/* The dearest access first. */
function bankSites() {
	if (!banks.sites) {
		banks.sites = sitesOf(true);
		for (const s of banks.sites) {
			s.served = s.patterns.map(p => serve(s, p));
			s.lost = s.served.reduce((sum, v, i) => sum + (v.actual - v.ideal) * s.patterns[i].seen, 0);
		}
		banks.sites.sort((a, b) => b.lost - a.lost || a.index - b.index);
	}
	return banks.sites;
}

function worst(site) {
	return site.served.reduce(
		(best, v, i) => v.actual - v.ideal > site.served[best].actual - site.served[best].ideal ? i : best,
		0);
}

/* ---- the picture ---- */

const BANK_LEFT = 66, BANK_TOP = 26, LANE_ROW = 10, HISTOGRAM = 64;

/* Lanes that are served in the first cycle of a phase do not wait; sixteen cycles are the hottest colour. */
function cycleColour(cycle) {
	return cycle === 0 ?
		"var(--active)" :
		`color-mix(in oklab, var(--late) ${Math.round(Math.min(100, 25 * Math.log2(cycle)))}%, var(--early))`;
}

function cycleLegend(way) {
	const marks = [[0, "served in its phase's first cycle"]];
	if (way > 1)
		marks.push([1, "in the second: waits"]);
	if (way > 2)
		marks.push([way - 1, `in cycle ${way}`]);
	return el("ul", {class: "legend"}, marks.map(([cycle,
		text]) => el("li", {}, el("span", {class: "swatch", style: `--c:${cycleColour(cycle)}`}), text)));
}

function shownPhases(v) {
	return banks.phase < 0 ? v.phases.filter(p => p.part === banks.part) : [v.phases[banks.phase]];
}

function bankPicture(v) {
	const shown = shownPhases(v);
	const room = banks.out.clientWidth || 720, half = room > 900 ? 0.6 * room : room;
	const width = Math.max(6, Math.min(20, Math.floor((half - BANK_LEFT - 8) / v.banks))),
		  w = BANK_LEFT + v.banks * width + 6;
	const h = BANK_TOP + WAVE * LANE_ROW + HISTOGRAM + 36, bottom = BANK_TOP + WAVE * LANE_ROW;
	const dim = new Set(shown.flatMap(p => p.lanes));
	const nodes = [svg("rect",
		{x: BANK_LEFT, y: BANK_TOP, width: v.banks * width, height: WAVE * LANE_ROW, class: "field"})];
	for (let b = 0; b <= v.banks; b += v.banks > 64 ? 16 : 4) {
		nodes.push(svg("line",
			{x1: BANK_LEFT + b * width, x2: BANK_LEFT + b * width, y1: BANK_TOP, y2: bottom, class: "grid"}));
		if (b < v.banks)
			nodes.push(
				svg("text", {x: BANK_LEFT + (b + 0.5) * width, y: BANK_TOP - 5, class: "mid"}, String(b)));
	}
	nodes.push(svg("text", {x: BANK_LEFT - 6, y: BANK_TOP - 5, class: "end"}, "bank"));
	for (let l = 0; l < WAVE; l += 4)
		nodes.push(svg("text", {
			x: BANK_LEFT - 24,
			y: BANK_TOP + (l + 0.5) * LANE_ROW + 3.5,
			class: "end" + (dim.has(l) ? "" : " faint")
		},
			l === 0 ? "lane 0" : String(l)));
	v.phases.forEach((p, k) => {
		for (const l of p.part === banks.part ? p.lanes : [])
			nodes.push(svg("rect", {
				x: BANK_LEFT - 14,
				y: BANK_TOP + l * LANE_ROW,
				width: 8,
				height: LANE_ROW,
				class: "phase phase" + k % 4,
				opacity: shown.includes(p) ? 1 : 0.25,
				tip: [`phase ${k}`, `lanes ${ranges(p.lanes)}`]
			}));
	});
	for (const p of shown)
		for (const x of p.cells)
			nodes.push(svg("rect", {
				x: BANK_LEFT + x.bank * width + 0.5,
				y: BANK_TOP + x.lane * LANE_ROW + 0.5,
				width: width - 1,
				height: LANE_ROW - 1,
				rx: 1.5,
				style: `fill:${cycleColour(x.cycle)}`,
				class: x.shared ? "shared" : "",
				tip: () => cellTip(x, p, v)
			}));
	nodes.push(...histogram(v, shown, width, bottom + 14));
	const label = `${WAVE} lanes by ${v.banks} banks: ${v.actual} bank cycles, ${v.ideal} without conflicts`;
	return picture(w, h, label, nodes);
}

function cellTip(x, p, v) {
	const k = v.phases.indexOf(p), out = [
		`lane ${x.lane}, bank ${x.bank}`,
		`LDS byte ${x.address} (0x${x.address.toString(16)}), dword ${x.dword}`,
		`phase ${k}: served in cycle ${x.cycle + 1} of ${p.cycles}`
	];
	if (x.shared)
		out.push("the same dword as an earlier lane: one read serves both");
	return out;
}

/* Below each bank: how many dwords it has to give. */
function histogram(v, shown, width, top) {
	const load = new Array(v.banks).fill(0), late = new Array(v.banks).fill(0), nodes = [];
	for (const p of shown)
		for (const [bank, list] of p.given) {
			load[bank] += list.length;
			late[bank] += list.length - 1;
		}
	const most = Math.max(1, ...load);
	load.forEach((n, b) => {
		const h = HISTOGRAM * n / most, calm = HISTOGRAM * (n - late[b]) / most;
		if (!n)
			return;
		nodes.push(svg("rect", {
			x: BANK_LEFT + b * width + 1,
			y: top + HISTOGRAM - h,
			width: width - 2,
			height: h,
			class: "late",
			tip: [`bank ${b}`, `${count(n, "dword")} to give, one a cycle`]
		}));
		nodes.push(svg("rect", {
			x: BANK_LEFT + b * width + 1,
			y: top + HISTOGRAM - calm,
			width: width - 2,
			height: calm,
			class: "calm",
			tip: [`bank ${b}`, `${count(n, "dword")} to give, one a cycle`]
		}));
	});
	nodes.push(svg("text", {x: BANK_LEFT - 6, y: top + HISTOGRAM, class: "end"}, "dwords"));
	nodes.push(svg("text", {x: BANK_LEFT - 6, y: top + 9, class: "end"}, String(most)));
	return nodes;
}

/* ---- around it ---- */

function bankSentence(s, p, v) {
	const use = firstUse(detail.patterns.indexOf(p)), lost = v.actual - v.ideal, out = [];
	if (!lost)
		out.push(el("b", {}, "No conflicts. "), `${count(v.phases.length, "phase")}, one cycle each.`);
	else
		out.push(el("b", {}, `${grouped(v.actual)} bank cycles where ${grouped(v.ideal)} would do. `),
			`In the worst phase ${
				v.way} different dwords are wanted from one bank, which gives one a cycle: a ${
				v.way}-way conflict.`);
	if (p.step !== undefined && p.step !== 0 && lanesOf(p.mask).length > 1)
		out.push(` Neighbouring lanes are ${p.step} bytes (${digits(p.step / 4, 3)} dwords) apart.`);
	if (use)
		out.push(` First seen in ${waveName(use.wave)}, from LDS byte ${grouped(use.address)} on; ${
			count(p.seen, "time")} in the recorded wavefronts.`);
	if (s.ins && s.ins.length && (s.ins.length > 1 || s.ins[0][1] || s.ins[0][0] !== s.bytes))
		out.push(" The compiler does it with " +
			s.ins
				.map(([bytes, pair]) =>
						 pair ? `two addresses of ${bytes / 2} bytes at once` : `${bytes} bytes a lane`)
				.join(", then ") +
			".");
	return el("p", {class: "lead"}, out, lost ? mattersText("no_conflicts") : "");
}

function phaseTable(v) {
	return el("table", {class: "plain phases"},
		el("thead",
			{}, el("tr", {}, ["phase", ...v.parts > 1 ? ["ins."] : [], "lanes", "cycles",
				"busiest bank"].map(t => el("th", {scope: "col"}, t)))),
		el("tbody", {}, v.phases.map((p, k) => {
			const top = [...p.given].sort((a, b) => b[1].length - a[1].length || a[0] - b[0])[0];
			return el("tr", {
				class: k === banks.phase ? "selected" : "",
				onclick: () => bankPhase(k === banks.phase ? -1 : k)
			},
				el("th", {scope: "row"},
					button(String(k),
						e => {
							e.stopPropagation();
							bankPhase(k === banks.phase ? -1 : k);
						},
						{
							class: "phase-button phase" + k % 4,
							"aria-pressed": k === banks.phase,
							"aria-label": `phase ${k} alone`
						})),
				v.parts > 1 ? el("td", {class: "n"}, String(p.part + 1)) : null,
				el("td", {}, ranges(p.lanes)),
				el("td", {class: "n" + (p.cycles > 1 ? " warn" : "")}, String(p.cycles)),
				el("td", {},
					top ?
						`${top[0]}: dwords ${top[1].slice(0, 6).join(", ")}${top[1].length > 6 ? " …" : ""}` :
						""));
		})));
}

/* Several instructions do the access: one is shown at a time. */
function partChips(v) {
	if (v.parts < 2)
		return null;
	const sum = part => v.phases.filter(p => p.part === part).reduce((n, p) => n + p.cycles, 0);
	const item = (_, part) => ({
		text: `instruction ${part + 1}: ${count(sum(part), "cycle")}`,
		on: part === banks.part,
		pick: () => bankShow(banks.pattern, part)
	});
	return [
		chips("instructions", Array.from({length: v.parts}, item)),
		el("p", {class: "hint"},
			"Each is drawn from the access's own address: an offset in the instruction turns all banks alike.")
	];
}

/* One pattern and one of its instructions, all phases. */
function bankShow(pattern, part) {
	banks.pattern = pattern;
	banks.part = part;
	banks.phase = -1;
	drawBanks();
}

function bankPhase(k) {
	banks.phase = k;
	if (k >= 0)
		banks.part = bankSites()[banks.site].served[banks.pattern].phases[k].part;
	drawBanks();
	say(k < 0 ? "all phases" : `phase ${k}`);
}

function bankChips(s) {
	const order = s.patterns.map((p, i) => i);
	order.sort((a, b) => s.served[b].actual - s.served[a].actual || a - b);
	return chips("different executions", order.map(i => ({
		text: [
			el("b", {}, count(s.served[i].actual, "cycle")),
			s.served[i].way > 1 ? ` ${s.served[i].way}-way` : "",
			el("span", {class: "dim"}, ` ×${short(s.patterns[i].seen)}`)
		],
		on: i === banks.pattern,
		bad: s.served[i].way > 1,
		pick: () => bankShow(i, 0)
	})));
}

function drawBanks() {
	const s = bankSites()[banks.site], p = s.patterns[banks.pattern], v = s.served[banks.pattern];
	const focus = document.activeElement && banks.out.contains(document.activeElement) ?
		document.activeElement.textContent :
		null;
	banks.out.replaceChildren(
		el("p", {class: "line-text"}, goTo("source", lineName(s.line), "line " + lineName(s.line)), " ",
			el("code", {}, lineText(s.line).trim())),
		s.patterns.length > 1 ? bankChips(s) : "",
		v.phases.length ?
			bankSentence(s, p, v) :
			el("p", {class: "lead"},
				"The compiler does this access together with another one: its cycles are counted there."),
		el("div", {class: "side"}, el("div", {class: "scroll picture"}, bankPicture(v)),
			el("div", {class: "beside"}, cycleLegend(v.way), partChips(v), phaseTable(v))));
	if (focus)
		[...banks.out.querySelectorAll("button")].find(b => b.textContent === focus)?.focus();
}

function bankSite(i) {
	banks.site = Number(i);
	bankShow(worst(bankSites()[banks.site]), 0);
}

function bankKey(e) {
	const n = bankSites()[banks.site].served[banks.pattern].phases.length;
	if (e.key !== "[" && e.key !== "]" || !n)
		return false;
	bankPhase((banks.phase + 1 + (e.key === "]" ? 1 : n)) % (n + 1) - 1);
	return true;
}

views.push({
	id: "banks",
	name: "LDS banks",
	order: 40,
	pages: ["launch"],
	when: () => sitesOf(true).length,
	key: bankKey,
	build(panel) {
		const pick = choice("access",
			bankSites().map((s, i) => [i, siteName(s) + (s.lost ? ` – ${grouped(s.lost)} cycles lost` : "")]),
			0, bankSite);
		banks.select = pick.querySelector("select");
		panel.append(el("div", {class: "tools"}, pick,
			el("span", {class: "hint"}, "Keys [ and ] go through the phases.")));
		banks.out = el("div");
		panel.append(banks.out);
		let width = 0;
		new ResizeObserver(() => {
			if (banks.out.clientWidth && banks.out.clientWidth !== width && width)
				drawBanks();
			width = banks.out.clientWidth;
		}).observe(banks.out);
		bankSite(0);
	},
	go(name) {
		const i = bankSites().findIndex(s => s.line === lineByName(name));
		if (i >= 0) {
			banks.select.value = String(i);
			bankSite(i);
		}
	}
});
