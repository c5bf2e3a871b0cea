/* The timeline: compute units, their SIMDs and the wavefronts on them, coloured by what each was doing; above
 * it how many wavefronts were there. From the timing model, in cycles. */

const PARTS = report ? Object.keys(data.docs.parts) : [];
const line = {
	row: 12,
	left: 92,
	rows: null
};
const LOAD = 44;

/* Rows: each wavefront takes the first free place of its SIMD. Laid out once. */
function timeRows() {
	if (line.rows)
		return line.rows;
	const t = data.timeline, simds = new Map();
	t.lives.forEach((l, i) => {
		if (!simds.has(l[4]))
			simds.set(l[4], {cu: l[3], simd: l[4], places: []});
		const s = simds.get(l[4]);
		let place = s.places.find(p => t.lives[p[p.length - 1]][6] <= l[5] + 1e-6);
		if (!place)
			s.places.push(place = []);
		place.push(i);
	});
	line.rows = [];
	line.simds = [...simds.values()].sort((a, b) => a.simd - b.simd);
	for (const s of line.simds) {
		s.first = line.rows.length;
		s.places.forEach((lives, k) => line.rows.push({lives, simd: s, place: k}));
	}
	line.row = line.rows.length <= 16 ? 22 : line.rows.length <= 48 ? 13 : line.rows.length <= 120 ? 8 : 5;
	return line.rows;
}

function rowTop(k) {
	const s = timeRows()[k].simd;
	return LOAD + k * line.row + line.simds.indexOf(s) * 4;
}

function timeHeight() {
	timeRows();
	return LOAD + line.rows.length * line.row + line.simds.length * 4 + AXIS;
}

/* Spans of a life as absolute cycles: from, to, part, line, flat; unpacked once. */
const unpacked = [];

function spansOf(i) {
	if (unpacked[i])
		return unpacked[i];
	const t = data.timeline, raw = t.spans[i], out = [], begin = t.lives[i][5];
	let at = 0;
	for (let k = 0; k < raw.length; k += 4) {
		at += raw[k];
		out.push(begin + at * t.quantum, begin + (at + raw[k + 1]) * t.quantum, raw[k + 2], raw[k + 3]);
		at += raw[k + 1];
	}
	return unpacked[i] = out;
}

function drawTimeline(c, width) {
	const w = line.window, right = width - 1, left = line.left,
		  x = v => left + (v - w.from) / (w.to - w.from) * (right - left);
	const fills = PARTS.map(p => colour("part-" + p));
	timeRows().forEach((r, k) => {
		const y = rowTop(k), h = line.row - (line.row > 6 ? 2 : 1);
		for (const i of r.lives) {
			const l = data.timeline.lives[i];
			if (l[6] < w.from || l[5] > w.to)
				continue;
			const a = Math.max(left, x(l[5])), b = Math.min(right, x(l[6]));
			c.fillStyle = colour("alive");
			c.fillRect(a, y, Math.max(1, b - a), h);
			drawSpans(c, spansOf(i), x, left, right, y, h, fills);
			c.fillStyle = colour("text");
			if (x(l[5]) >= left)
				c.fillRect(x(l[5]), y, 1, h);
		}
	});
	drawRowNames(c, right);
	drawLoad(c, x, left, right);
	drawAxis(c, w, left, right, timeHeight() - AXIS + 2, v => grouped(v));
}

/* Spans narrower than a pixel are drawn as what took most of that pixel. */
function drawSpans(c, s, x, left, right, y, h, fills) {
	let pixel = -1, best = 0, part = 0;
	const flush = () => {
		if (best > 0) {
			c.fillStyle = fills[part];
			c.fillRect(pixel, y, 1, h);
		}
		best = 0;
	};
	for (let k = 0; k < s.length; k += 4) {
		const a = Math.max(left, x(s[k])), b = Math.min(right, x(s[k + 1]));
		if (b <= left || a >= right)
			continue;
		if (b - a >= 1) {
			flush();
			c.fillStyle = fills[s[k + 2]];
			c.fillRect(a, y, b - a, h);
			pixel = -1;
			continue;
		}
		if (Math.floor(a) !== pixel)
			flush();
		pixel = Math.floor(a);
		if (b - a > best) {
			best = b - a;
			part = s[k + 2];
		}
	}
	flush();
}

function drawRowNames(c, right) {
	c.font = "11px system-ui, sans-serif";
	c.textBaseline = "middle";
	let cu = -1;
	for (const s of line.simds) {
		const top = rowTop(s.first) - 2, middle = top + s.places.length * line.row / 2 + 2;
		c.fillStyle = colour(s.cu !== cu ? "muted" : "line");
		c.fillRect(s.cu !== cu ? 0 : line.left - 50, top, right, 1);
		c.fillStyle = colour("muted");
		if (s.cu !== cu)
			c.fillText("CU " + s.cu, 2, Math.max(top + 9, top + line.row / 2 + 2));
		c.textAlign = "right";
		c.fillText("SIMD " + (s.simd - line.simds.find(o => o.cu === s.cu).simd), line.left - 6,
			Math.max(top + 9, middle));
		c.textAlign = "left";
		cu = s.cu;
	}
}

/* Wavefronts there at a time, as steps. */
function loadSteps() {
	if (line.load)
		return line.load;
	const changes =
		data.timeline.lives.flatMap(l => [[l[5], 1], [l[6], -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
	let n = 0;
	line.load = changes.map(([t, d]) => [t, n += d]);
	line.peak = Math.max(1, ...line.load.map(s => s[1]));
	return line.load;
}

function drawLoad(c, x, left, right) {
	const steps = loadSteps(), top = 6, bottom = LOAD - 8, y = n => bottom - (bottom - top) * n / line.peak;
	c.beginPath();
	c.moveTo(left, bottom);
	let last = 0;
	for (const [t, n] of steps) {
		const at = Math.max(left, Math.min(right, x(t)));
		c.lineTo(at, y(last));
		c.lineTo(at, y(n));
		last = n;
	}
	c.lineTo(right, y(last));
	c.lineTo(right, bottom);
	c.closePath();
	c.fillStyle = colour("alive");
	c.fill();
	c.strokeStyle = colour("muted");
	c.stroke();
	c.fillStyle = colour("muted");
	c.font = "11px system-ui, sans-serif";
	c.textBaseline = "middle";
	c.textAlign = "right";
	c.fillText("waves " + line.peak, left - 6, top + 5);
	c.fillText("0", left - 6, bottom - 3);
	c.textAlign = "left";
}

function timeTip(v, y) {
	const us = v / (report.estimate.cycles / (report.estimate.time_us - report.estimate.launch_us));
	if (y < LOAD) {
		const s = loadSteps().filter(x => x[0] <= v).pop();
		return [`${count(s ? s[1] : 0, "wavefront")} there`, `cycle ${grouped(v)}`];
	}
	const k = timeRows().findIndex((r, i) => y >= rowTop(i) && y < rowTop(i) + line.row);
	const i = k < 0 ?
		undefined :
		line.rows[k].lives.find(n => data.timeline.lives[n][5] <= v && v <= data.timeline.lives[n][6]);
	if (i === undefined)
		return null;
	const l = data.timeline.lives[i], s = spansOf(i), out = [`group ${l[0]}, wavefront ${l[1]}`];
	for (let n = 0; n < s.length; n += 4)
		if (s[n] <= v && v <= s[n + 1]) {
			out.push(partDoc(PARTS[s[n + 2]]) + `, ${grouped(s[n + 1] - s[n])} cycles`, lineTitle(s[n + 3]));
			break;
		}
	return [
		...out,
		`cycle ${grouped(v)}${isFinite(us) ? ", " + time(us) : ""}; ran from ${grouped(l[5])} to ${
			grouped(l[6])}`
	];
}

function timeKey(e) {
	if (line.window.key(e))
		return true;
	if (document.activeElement !== line.box || e.key !== "ArrowLeft" && e.key !== "ArrowRight")
		return false;
	line.window.pan(e.key === "ArrowLeft" ? -0.25 : 0.25);
	say(`cycles ${grouped(line.window.from)} to ${grouped(line.window.to)}`);
	return true;
}

views.push({
	id: "timeline",
	name: "Timeline",
	order: 60,
	pages: ["launch"],
	when: () => data.timeline,
	key: timeKey,
	build(panel) {
		const t = data.timeline, end = Math.max(1, ...t.lives.map(l => l[6]));
		line.box = board(timeHeight, "timeline of compute units, SIMDs and wavefronts", drawTimeline);
		line.box.tabIndex = 0;
		line.box.setAttribute("role", "group");
		line.box.setAttribute("aria-label", "timeline: left and right move, + and - zoom");
		line.window = axisWindow(end, 40, () => line.box.redraw());
		axisMouse(line.box, line.window, () => line.left, timeTip);
		const e = report.estimate;
		panel.append(el("p", {class: "lead"},
			`${count(e.units_played, "compute unit")} of the device in detail: ` +
				`${count(t.lives.length, "wavefront")} of ${count(e.groups_played, "work-group")} over ${
					grouped(end)} cycles.` +
				(t.left_out ? ` ${grouped(t.left_out)} more are left out.` : "") +
				(t.quantum > 1 ? ` Each ${grouped(t.quantum)} cycles show what took most of them.` : "")));
		panel.append(el("div", {class: "tools"}, line.window.tools,
			el("span", {class: "hint"}, "Drag to move; ctrl and wheel, or + and −, zoom.")));
		panel.append(legend(PARTS), line.box);
	}
});
