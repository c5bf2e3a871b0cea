/* The recorded wavefronts in a form for drawing. */

const report = data.report;
const detail = data.detail || null;
const WAVE = report ? report.wave : 64;

/* ---- source lines ---- */

/* "18", or "file.cl:18" when there are several files. */
function lineName(i) {
	const l = i >= 0 && report.lines[i];
	if (!l || !l.line)
		return "–";
	return manyFiles() ? l.file.replace(/.*\//, "") + ":" + l.line : String(l.line);
}

function manyFiles() {
	return new Set(report.lines.filter(l => l.line).map(l => l.file)).size > 1;
}

const sourceTexts = new Map(); /* file -> lines, or Map of some lines */

function sourceLine(file, line) {
	if (!sourceTexts.has(file)) {
		const s = (data.sources || []).find(x => x.name === file);
		const all =
			s && s.text ? new Map(s.text.split(/\r?\n/).map((t, i) => [i + 1, t])) : new Map(s ? s.near : []);
		sourceTexts.set(file, all);
	}
	return sourceTexts.get(file).get(line);
}

function lineText(i) {
	const l = i >= 0 && report.lines[i];
	if (!l || !l.line)
		return "(no source line)";
	return (sourceLine(l.file, l.line) || "").replace(/\t/g, "    ");
}

/* "line 18: value = pool[…];", for tooltips. */
function lineTitle(i) {
	return i >= 0 && report.lines[i].line ? "line " + lineName(i) + ": " + lineText(i).trim() :
											"no source line";
}

function placeIndex(file, line) {
	return report.lines.findIndex(l => l.line === line && l.file === file);
}

/* ---- masks ---- */

const laneLists = [];

/* The active lanes of a mask, ascending. */
function lanesOf(mask) {
	if (!laneLists[mask]) {
		const hex = detail.masks[mask], list = [];
		for (let i = 0; i < hex.length; i++) {
			const nibble = parseInt(hex[hex.length - 1 - i], 16);
			for (let b = 0; b < 4; b++)
				if (nibble >> b & 1)
					list.push(4 * i + b);
		}
		laneLists[mask] = list;
	}
	return laneLists[mask];
}

/* ---- wavefronts ---- */

function waveName(w) {
	return "group " + w.group + ", wavefront " + w.wave;
}

/* What a wavefront ran, in order: {start[], n[], line[], mask[], step[]}, total instructions, and the
 * instructions before which it stood at a barrier. */
function runsOf(w) {
	if (w.runs)
		return w.runs;
	const r = {start: [], n: [], line: [], mask: [], step: [], total: 0, barriers: []};
	for (let s = 0; s < w.steps.length; s += 2) {
		const block = w.steps[s], mask = w.steps[s + 1];
		if (block < 0) {
			r.barriers.push(r.total);
			continue;
		}
		const runs = detail.blocks[block];
		for (let k = 0; k < runs.length; k += 2) {
			r.start.push(r.total);
			r.n.push(runs[k + 1]);
			r.line.push(runs[k]);
			r.mask.push(mask);
			r.step.push(s / 2);
			r.total += runs[k + 1];
		}
	}
	return w.runs = r;
}

/* The run that instruction x of a wavefront belongs to. */
function runAt(r, x) {
	let low = 0, high = r.start.length - 1;
	while (low < high) {
		const mid = (low + high + 1) >> 1;
		if (r.start[mid] <= x)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

let laneShares = null;

/* Of each line: the share of its wave instructions that each lane took part in, over all recorded
 * wavefronts; null where none of them ran it. */
function laneShare(line) {
	if (!detail)
		return null;
	if (!laneShares) {
		laneShares = new Map();
		for (const w of detail.waves)
			addShares(runsOf(w));
		for (const s of laneShares.values())
			s.lane = s.lane.map(v => v / s.all);
	}
	const s = laneShares.get(line);
	return s ? s.lane : null;
}

function addShares(r) {
	for (let i = 0; i < r.n.length; i++) {
		let s = laneShares.get(r.line[i]);
		if (!s)
			laneShares.set(r.line[i], s = {all: 0, lane: new Array(WAVE).fill(0)});
		s.all += r.n[i];
		for (const l of lanesOf(r.mask[i]))
			s.lane[l] += r.n[i];
	}
}

/* ---- accesses ---- */

/* Address of each active lane of a pattern: [lane, address]. */
function addressesOf(p, first) {
	const from = first === undefined ? p.address : first;
	return lanesOf(p.mask).map((lane, i) => [lane, from + (p.offsets ? p.offsets[i] : p.step * i)]);
}

/* How the banks serve an access, as the report says: phases in order, each {part, lanes, cycles, cells,
 * given}: part is the number of its pass; a cell is a dword that a lane asks for, with the cycle of its phase
 * in which the bank gives it; given has the dwords of each bank by cycle. */
function serve(site, pattern) {
	const addresses = new Map(addressesOf(pattern));
	const phases = pattern.phases.map(([part, mask, cycles, ...served]) => {
		const lanes = lanesOf(mask), given = new Map(), at = site.passes[part];
		const cells = lanes.flatMap((lane, i) => at.map((offset, k) => {
			const bank = served[2 * (i * at.length + k)], cycle = served[2 * (i * at.length + k) + 1];
			const address = addresses.get(lane) + offset, shared = cycle < 0;
			return {lane, address, dword: Math.floor(address / 4), bank, cycle: shared ? -1 - cycle : cycle, shared};
		}));
		for (const x of cells.filter(x => !x.shared)) {
			if (!given.has(x.bank))
				given.set(x.bank, []);
			given.get(x.bank)[x.cycle] = x.dword;
		}
		return {part, lanes, cycles, cells, given};
	});
	return {
		phases,
		banks: detail.banks,
		parts: site.passes.length,
		ideal: phases.length,
		actual: phases.reduce((sum, p) => sum + p.cycles, 0),
		way: phases.reduce((most, p) => Math.max(most, p.cycles), 0)
	};
}
