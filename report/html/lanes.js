/* Lanes over time: which lanes of a wavefront were active, instruction by instruction, and below it
 * which source line ran. Both pictures share the axis; a chosen line is marked in both. */

const lanes = {
	wave: 0,
	line: null,
	cursor: null,
	rows: []
};
const AXIS = 24, LINE_ROW = 18;

/* Left of the pictures: names, and source text or bars where there is room. */
function laneLeft(width) {
	return width >= 900 ? 300 : width >= 600 ? 160 : 46;
}

function laneHeight() {
	return WAVE <= 32 ? 8 : WAVE <= 64 ? 5 : 3;
}

function laneRuns() {
	return runsOf(detail.waves[lanes.wave]);
}

/* Per column of pixels and lane: the share of its instructions that had the lane active, and of those of
 * the chosen line. */
function laneColumns(r, w, columns) {
	const per = (w.to - w.from) / columns, on = new Float32Array(columns * WAVE),
		  chosen = new Float32Array(columns * WAVE);
	for (let i = runAt(r, w.from); i < r.n.length && r.start[i] < w.to; i++) {
		const a = (Math.max(r.start[i], w.from) - w.from) / per,
			  b = (Math.min(r.start[i] + r.n[i], w.to) - w.from) / per;
		const mine = r.line[i] === lanes.line, list = lanesOf(r.mask[i]);
		for (let x = Math.floor(a); x < Math.min(columns, Math.ceil(b)); x++) {
			const share = Math.min(b, x + 1) - Math.max(a, x);
			for (const l of list) {
				on[x * WAVE + l] += share;
				if (mine)
					chosen[x * WAVE + l] += share;
			}
		}
	}
	return {on, chosen};
}

function drawLanes(c, width) {
	const r = laneRuns(), w = lanes.window, left = laneLeft(width), right = width - 1, h = laneHeight();
	const columns = Math.max(1, Math.floor((right - left) * Math.min(2, window.devicePixelRatio || 1)));
	const {on, chosen} = laneColumns(r, w, columns);
	const image = new ImageData(columns, WAVE), idle = rgb("idle"), active = rgb("active"),
		  hot = rgb("chosen");
	for (let x = 0; x < columns; x++)
		for (let l = 0; l < WAVE; l++) {
			const o = Math.min(1, on[x * WAVE + l]), m = Math.min(o, chosen[x * WAVE + l]),
				  at = 4 * (l * columns + x);
			for (let k = 0; k < 3; k++)
				image.data[at + k] = idle[k] + (active[k] - idle[k]) * (o - m) + (hot[k] - idle[k]) * m;
			image.data[at + 3] = 255;
		}
	const off = document.createElement("canvas");
	off.width = columns;
	off.height = WAVE;
	off.getContext("2d").putImageData(image, 0, 0);
	c.imageSmoothingEnabled = false;
	c.drawImage(off, left, 0, right - left, WAVE * h);
	/* Thin rules between groups of eight lanes make lanes countable. */
	c.fillStyle = colour("surface");
	for (let l = 8; l < WAVE; l += 8)
		c.fillRect(left, l * h - 0.5, right - left, 1);
	c.fillStyle = colour("muted");
	c.font = "11px system-ui, sans-serif";
	c.textAlign = "right";
	c.textBaseline = "middle";
	for (let l = 0; l < WAVE; l += 8)
		c.fillText(l === 0 ? "lane 0" : String(l), 41, Math.max(6, (l + 0.5) * h));
	c.textAlign = "left";
	drawLaneBars(c, r, left, h);
	drawBarriers(c, r, w, left, right, WAVE * h);
	drawCursor(c, w, left, right, WAVE * h);
	drawAxis(c, w, left, right, WAVE * h + 2, v => grouped(v));
}

/* Text cut to so many pixels of a monospaced font. */
function fitText(c, text, pixels) {
	const n = Math.floor(pixels / c.measureText("0").width);
	return text.length > n ? text.slice(0, Math.max(1, n - 1)) + "…" : text;
}

/* A bar for each lane: the share of the instructions it took part in, all of them or the chosen line's. */
function drawLaneBars(c, r, left, h) {
	const share = new Array(WAVE).fill(0);
	let all = 0;
	for (let i = 0; i < r.n.length; i++) {
		if (lanes.line !== null && r.line[i] !== lanes.line)
			continue;
		all += r.n[i];
		for (const l of lanesOf(r.mask[i]))
			share[l] += r.n[i];
	}
	const width = left - 100;
	if (width < 40 || !all)
		return;
	share.forEach((v, l) => {
		c.fillStyle = colour("idle");
		c.fillRect(left - 8 - width, l * h, width, h - 1);
		c.fillStyle = colour(lanes.line === null ? "active" : "chosen");
		c.fillRect(left - 8 - width * v / all, l * h, width * v / all, h - 1);
	});
	c.fillStyle = colour("muted");
	c.textAlign = "right";
	c.textBaseline = "top";
	c.fillText(lanes.line === null ? "share of all instructions" : `share of line ${lineName(lanes.line)}`,
		left - 8, WAVE * h + 8);
	c.textAlign = "left";
}

function drawBarriers(c, r, w, left, right, height) {
	c.fillStyle = colour("text");
	for (const b of r.barriers)
		if (b >= w.from && b <= w.to)
			c.fillRect(left + (b - w.from) / (w.to - w.from) * (right - left) - 0.5, 0, 1, height);
}

function drawCursor(c, w, left, right, height) {
	if (lanes.cursor === null || lanes.cursor < w.from || lanes.cursor > w.to)
		return;
	const x = left + (lanes.cursor + 0.5 - w.from) / (w.to - w.from) * (right - left);
	c.strokeStyle = colour("text");
	c.setLineDash([3, 3]);
	c.beginPath();
	c.moveTo(x, 0);
	c.lineTo(x, height);
	c.stroke();
	c.setLineDash([]);
}

/* ---- lines over time ---- */

/* The lines that the wavefront ran, in the order of the source. */
function laneLines() {
	return [...new Set(laneRuns().line)].sort((a, b) => (a < 0) - (b < 0) || a - b);
}

function drawLines(c, width) {
	const r = laneRuns(), w = lanes.window, left = laneLeft(width), right = width - 1,
		  per = (w.to - w.from) / (right - left);
	const row = new Map(lanes.rows.map((l, k) => [l, k]));
	lanes.rows.forEach((l, k) => {
		c.fillStyle = colour(l === lanes.line ? "chosen-soft" : k % 2 ? "surface" : "stripe");
		c.fillRect(0, k * LINE_ROW, right, LINE_ROW);
	});
	for (let i = runAt(r, w.from); i < r.n.length && r.start[i] < w.to; i++) {
		const x = left + (Math.max(r.start[i], w.from) - w.from) / per;
		const n = Math.max(1, (Math.min(r.start[i] + r.n[i], w.to) - Math.max(r.start[i], w.from)) / per);
		const share = lanesOf(r.mask[i]).length / WAVE;
		c.fillStyle = colour(r.line[i] === lanes.line ? "chosen" : "active");
		const h = Math.max(2, (LINE_ROW - 4) * share);
		c.fillRect(x, (row.get(r.line[i]) + 1) * LINE_ROW - 2 - h, n, h);
	}
	c.font = "11px ui-monospace, monospace";
	c.textBaseline = "middle";
	c.textAlign = "right";
	lanes.rows.forEach((l, k) => {
		c.fillStyle = colour(l === lanes.line ? "text" : "muted");
		c.fillText(lineName(l).slice(-6), 41, (k + 0.5) * LINE_ROW + 1);
	});
	c.textAlign = "left";
	if (left > 100)
		lanes.rows.forEach((l, k) => {
			c.fillStyle = colour("text");
			c.fillText(fitText(c, lineText(l).trim(), left - 60), 52, (k + 0.5) * LINE_ROW + 1);
		});
	drawBarriers(c, r, w, left, right, lanes.rows.length * LINE_ROW);
	drawCursor(c, w, left, right, lanes.rows.length * LINE_ROW);
}

/* ---- what is there ---- */

function laneTip(x, lane) {
	const r = laneRuns(), i = runAt(r, x);
	if (i < 0 || x >= r.total)
		return null;
	const list = lanesOf(r.mask[i]);
	const out = [lineTitle(r.line[i]), `${list.length} of ${WAVE} lanes active: ${ranges(list) || "none"}`];
	if (lane !== null)
		out.push(`lane ${lane}: ${list.includes(lane) ? "active" : "idle"}`);
	out.push(`wave instruction ${grouped(r.start[i] + 1)} to ${grouped(r.start[i] + r.n[i])}`);
	return out;
}

function laneRedraw() {
	lanes.top.redraw();
	lanes.bottom.redraw();
	const r = laneRuns(), w = detail.waves[lanes.wave];
	let text = `${grouped(r.total)} wave instructions` + (w.cut ? " are shown; the wavefront ran more" : "") +
		(r.barriers.length ? `, ${count(r.barriers.length, "barrier")} (vertical rules)` : "") + ". ";
	if (lanes.line !== null) {
		let n = 0, active = 0;
		for (let i = 0; i < r.n.length; i++)
			if (r.line[i] === lanes.line) {
				n += r.n[i];
				active += r.n[i] * lanesOf(r.mask[i]).length;
			}
		text += n ? `Line ${lineName(lanes.line)}: ${count(n, "wave instruction")}, ${
						percent(active / n / WAVE)} % of lanes active.` :
					`This wavefront never ran line ${lineName(lanes.line)}.`;
	}
	if (report.divergence.lane_utilization < 0.995)
		text += mattersText("no_divergence");
	const link = lanes.line === null ? [] : [" ", goTo("source", lineName(lanes.line), "source")];
	lanes.note.replaceChildren(text, ...link);
}

function laneWave(n) {
	lanes.wave = Number(n);
	lanes.cursor = null;
	lanes.rows = laneLines();
	lanes.window.reset(laneRuns().total);
}

function laneLine(i) {
	lanes.line = i < 0 ? null : i;
	lanes.lineSelect.value = String(i);
	laneRedraw();
}

/* The cursor goes from run to run. */
function laneKey(e) {
	const r = laneRuns();
	if (lanes.window.key(e))
		return true;
	if (e.key !== "ArrowRight" && e.key !== "ArrowLeft" || document.activeElement !== lanes.top)
		return false;
	const at = lanes.cursor === null ? -1 : runAt(r, lanes.cursor), step = e.key === "ArrowRight" ? 1 : -1;
	const i = Math.max(0, Math.min(r.n.length - 1, at + step));
	lanes.cursor = r.start[i];
	if (lanes.cursor < lanes.window.from || lanes.cursor >= lanes.window.to)
		lanes.window.set(lanes.cursor - (lanes.window.to - lanes.window.from) / 2,
			lanes.cursor + (lanes.window.to - lanes.window.from) / 2);
	laneRedraw();
	say(laneTip(lanes.cursor, null).join(". "));
	lanes.now.textContent = laneTip(lanes.cursor, null).join(" · ");
	return true;
}

views.push({
	id: "lanes",
	name: "Lanes",
	order: 30,
	pages: ["launch"],
	when: () => detail,
	key: laneKey,
	build(panel) {
		lanes.top = board(() => WAVE * laneHeight() + AXIS, "lanes of a wavefront over time", drawLanes);
		lanes.bottom = board(
			() => Math.max(1, lanes.rows.length) * LINE_ROW, "lines of a wavefront over time", drawLines);
		lanes.top.tabIndex = 0;
		lanes.top.setAttribute("role", "group");
		lanes.top.setAttribute(
			"aria-label", "lanes over time: left and right go from line to line, + and - zoom");
		lanes.note = el("p", {class: "lead"});
		lanes.now = el("p", {class: "now", "aria-hidden": "true"});
		lanes.window = axisWindow(1, 8, laneRedraw);
		lanes.rows = laneLines();
		const all =
			[...new Set(detail.waves.flatMap(w => runsOf(w).line))].filter(i => i >= 0).sort((a, b) => a - b);
		const lineSelect = choice("line",
			[[-1, "all"], ...all.map(i => [i, lineName(i) + ": " + lineText(i).trim().slice(0, 60)])], -1,
			v => laneLine(Number(v)));
		lanes.lineSelect = lineSelect.querySelector("select");
		panel.append(el("div", {class: "tools"},
			choice("wavefront", detail.waves.map((w, i) => [i, waveName(w)]), detail.worst, laneWave), lineSelect,
			lanes.window.tools));
		panel.append(el("ul", {class: "legend"}, key("active", "active"), key("idle", "idle"),
			key("chosen", "active on the chosen line")));
		panel.append(lanes.note, lanes.top, el("h3", {}, "Which line ran"),
			el("p", {class: "hint"},
				"A bar is as high as the share of lanes that were active. Click a row to choose its line."),
			lanes.bottom, lanes.now);
		axisMouse(lanes.top, lanes.window, () => laneLeft(lanes.top.clientWidth),
			(x, y) => y < WAVE * laneHeight() ? laneTip(x, Math.floor(y / laneHeight())) : null);
		axisMouse(lanes.bottom, lanes.window, () => laneLeft(lanes.top.clientWidth), x => laneTip(x, null));
		lanes.bottom.canvas.addEventListener("click", e => {
			const line = lanes.rows[Math.floor(
				(e.clientY - lanes.bottom.canvas.getBoundingClientRect().top) / LINE_ROW)];
			if (line !== undefined)
				laneLine(line === lanes.line ? -1 : line);
		});
		laneWave(detail.worst);
		const split = hottest(report.lines.length)
						  .map(x => x[0])
						  .find(i => report.lines[i].divergent_branches === 0 &&
								  report.lines[i].lane_utilization < 0.95 && all.includes(i));
		if (split !== undefined)
			laneLine(split);
	},
	go(name) {
		const i = lineByName(name);
		if (i < 0)
			return;
		if (!laneRuns().line.includes(i)) {
			const w = detail.waves.findIndex(x => runsOf(x).line.includes(i));
			if (w >= 0) {
				this.panel.querySelector("select").value = String(w);
				laneWave(w);
			}
		}
		laneLine(i);
	}
});

function key(name, text) {
	return el("li", {}, el("span", {class: "swatch", style: `--c:var(--${name})`}), text);
}
