/* A window on an axis that several pictures share: zoom, move, by mouse and by keyboard. */

/* max: the length of the axis; least: the shortest window; changed: draw again. */
function axisWindow(max, least, changed) {
	const w = {from: 0, to: max, max, least: Math.min(least, max)};
	w.set = (from, to) => {
		const n = Math.max(w.least, Math.min(w.max, to - from));
		w.from = Math.max(0, Math.min(w.max - n, from));
		w.to = w.from + n;
		w.slider.value = String(Math.round(1000 * w.from / Math.max(1e-9, w.max - n)));
		w.slider.disabled = n >= w.max;
		changed();
	};
	w.zoom = (factor, at = (w.from + w.to) / 2) =>
		w.set(at - (at - w.from) * factor, at + (w.to - at) * factor);
	w.pan = share => w.set(w.from + share * (w.to - w.from), w.to + share * (w.to - w.from));
	w.reset = m => {
		w.max = m;
		w.least = Math.min(least, m);
		w.set(0, m);
	};
	w.slider = el("input", {
		type: "range",
		min: 0,
		max: 1000,
		value: 0,
		disabled: true,
		"aria-label": "position of the window",
		oninput: () => {
			const n = w.to - w.from;
			w.from = w.slider.value / 1000 * (w.max - n);
			w.to = w.from + n;
			changed();
		}
	});
	w.tools =
		el("span", {class: "zoom"}, button("−", () => w.zoom(2), {"aria-label": "zoom out", title: "key -"}),
			button("+", () => w.zoom(0.5), {"aria-label": "zoom in", title: "key +"}),
			button("all", () => w.set(0, w.max), {"aria-label": "show all", title: "key a"}), w.slider);
	w.key = e => {
		const acts = {
			"+": () => w.zoom(0.5),
			"=": () => w.zoom(0.5),
			"-": () => w.zoom(2),
			a: () => w.set(0, w.max)
		};
		if (!acts[e.key])
			return false;
		acts[e.key]();
		return true;
	};
	return w;
}

/* Mouse on a board whose axis lies between left() and its right edge: drag moves, ctrl and wheel zooms.
 * at(x, y): what is there, as lines of a tooltip, or null. */
function axisMouse(box, w, left, at) {
	let drag = null;
	const width = () => box.clientWidth - left();
	const place = e => {
		const r = box.canvas.getBoundingClientRect();
		return [e.clientX - r.left, e.clientY - r.top];
	};
	const value = x => w.from + (x - left()) / width() * (w.to - w.from);
	box.canvas.addEventListener("wheel", e => {
		if (!e.ctrlKey && !e.shiftKey)
			return;
		e.preventDefault();
		const d = e.deltaY || e.deltaX;
		if (e.ctrlKey)
			w.zoom(d > 0 ? 1.25 : 0.8, value(place(e)[0]));
		else
			w.pan(d > 0 ? 0.1 : -0.1);
	}, {passive: false});
	box.canvas.addEventListener("pointerdown", e => {
		drag = {x: e.clientX, from: w.from, to: w.to};
		box.canvas.setPointerCapture(e.pointerId);
	});
	box.canvas.addEventListener("pointerup", () => { drag = null; });
	box.canvas.addEventListener("pointermove", e => {
		const [x, y] = place(e);
		if (drag) {
			const d = (drag.x - e.clientX) / width() * (drag.to - drag.from);
			if (Math.abs(drag.x - e.clientX) > 3)
				w.set(drag.from + d, drag.to + d);
			return;
		}
		const lines = x >= left() ? at(value(x), y) : null;
		if (lines)
			showTip(e.clientX, e.clientY, lines);
		else
			hideTip();
	});
	box.canvas.addEventListener("pointerleave", hideTip);
}

/* Round steps for an axis of so many pixels. */
function ticks(from, to, pixels) {
	const raw = (to - from) / Math.max(1, pixels / 90), power = 10 ** Math.floor(Math.log10(raw));
	const step = Math.max(power *
			(raw / power > 5        ? 10 :
					raw / power > 2 ? 5 :
					raw / power > 1 ? 2 :
									  1),
		1e-9);
	const out = [];
	for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9; v += step)
		out.push(v);
	return out;
}

function drawAxis(c, w, left, right, y, text) {
	c.fillStyle = colour("muted");
	c.strokeStyle = colour("line");
	c.font = "11px system-ui, sans-serif";
	c.textBaseline = "top";
	for (const v of ticks(w.from, w.to, right - left)) {
		const x = left + (v - w.from) / (w.to - w.from) * (right - left);
		c.fillRect(Math.round(x), y, 1, 4);
		const s = text(v), half = c.measureText(s).width / 2;
		c.fillText(s, Math.max(left, Math.min(right - 2 * half, x - half)), y + 6);
	}
}
