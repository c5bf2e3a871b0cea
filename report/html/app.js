"use strict";
/* What every view uses: the data, small builders for elements, numbers for people, tooltips,
 * the tabs. Text from the data reaches the page only as text nodes and attributes. */

const data = JSON.parse(document.getElementById("data").textContent);
const views = []; /* {id, name, when(): bool, build(panel, state), go(argument)} in the order of the files */

const heads = {}; /* per data.page: its heading, {title, sub} */

/* ---- elements ---- */

function fill(node, attributes, children) {
	for (const key in attributes) {
		const v = attributes[key];
		if (v === null || v === undefined || v === false && !key.startsWith("aria-"))
			continue;
		if (key.startsWith("on"))
			node.addEventListener(key.slice(2), v);
		else if (key === "tip")
			addTip(node, v);
		else
			node.setAttribute(key, v === true && !key.startsWith("aria-") ? "" : v);
	}
	for (const c of children.flat(9))
		if (c !== null && c !== undefined && c !== false)
			node.append(c);
	return node;
}

function el(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/* An SVG of w x h units that says what it shows. */
function picture(w, h, label, ...children) {
	return svg(
		"svg", {viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": label}, children);
}

function button(text, onclick, attributes) {
	return el("button", {type: "button", onclick, ...attributes}, text);
}

/* A labelled select; options: [value, text]. */
function choice(label, options, value, onchange) {
	const select = el("select", {onchange: () => onchange(select.value)},
		options.map(([v, text]) => el("option", {value: v, selected: String(v) === String(value)}, text)));
	return el("label", {class: "field"}, el("span", {}, label), select);
}

/* Buttons of which one is pressed; items: {text, on, bad, pick}. */
function chips(label, items) {
	return el("div", {class: "chips", role: "group", "aria-label": label},
		items.map(x => button(x.text, x.pick, {"aria-pressed": x.on, class: x.bad ? "chip bad" : "chip"})));
}

function say(text) {
	document.getElementById("live").textContent = text;
}

/* ---- numbers ---- */

function grouped(v) {
	return Math.round(v).toLocaleString("en-US");
}

/* At most six characters: 9,999, 12.3k, 4.56M. */
function short(v) {
	if (v < 10000)
		return Number.isInteger(v) ? grouped(v) : digits(v, 3);
	for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
		if (v >= unit)
			return digits(v / unit, 3) + letter;
	return String(v);
}

function digits(v, n) {
	return v === 0 ? "0" : String(Number(v.toPrecision(n)));
}

function percent(v) {
	return v > 0 && v < 0.0005 ? "<0.1" : (100 * v).toFixed(1);
}

function time(us) {
	const [v, unit] = us < 1 ? [us * 1e3, "ns"] :
		us < 1e3             ? [us, "µs"] :
		us < 1e6             ? [us / 1e3, "ms"] :
							   [us / 1e6, "s"];
	return v.toFixed(v < 10 ? 2 : v < 100 ? 1 : 0) + " " + unit;
}

function count(n, thing) {
	return grouped(n) + " " + thing + (n === 1 ? "" : /(s|ch)$/.test(thing) ? "es" : "s");
}

/* A page does not hold all that there may be. */
function leftOut(n, thing) {
	return n ? el("p", {class: "note"},
				   `${count(n, "more " + thing)} ${n === 1 ? "is" : "are"} left out of this page; --json has them all.`) :
			   null;
}

/* "0-3, 20-23": numbers in ascending order. */
function ranges(list) {
	const out = [];
	for (let i = 0; i < list.length; i++) {
		const from = list[i];
		while (i + 1 < list.length && list[i + 1] === list[i] + 1)
			i++;
		out.push(from === list[i] ? String(from) : from + "–" + list[i]);
	}
	return out.join(", ");
}

/* ---- tooltips ---- */

const tipBox = document.getElementById("tip");

/* lines: text, or [text …] whose first is the headline. */
function showTip(x, y, lines) {
	tipBox.replaceChildren(...[lines].flat().map((t, i) => el(i ? "div" : "strong", {}, t)));
	tipBox.hidden = false;
	const box = tipBox.getBoundingClientRect();
	const left = Math.min(x + 14, innerWidth - box.width - 8);
	const below = y + 18 + box.height < innerHeight;
	tipBox.style.left = Math.max(4, left) + "px";
	tipBox.style.top = Math.max(4, below ? y + 18 : y - box.height - 12) + "px";
}

function hideTip() {
	tipBox.hidden = true;
}

function addTip(node, lines) {
	const text = () => typeof lines === "function" ? lines() : lines;
	node.addEventListener("mousemove", e => {
		showTip(e.clientX, e.clientY, text());
		e.stopPropagation();
	});
	node.addEventListener("mouseleave", hideTip);
	node.addEventListener("focus", () => {
		const r = node.getBoundingClientRect();
		if (node.matches(":focus-visible"))
			showTip(r.left, r.bottom - 10, text());
	});
	node.addEventListener("blur", hideTip);
}

/* ---- colours ---- */

function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/* "#rrggbb" as [r, g, b]. */
function rgb(name) {
	const n = parseInt(colour(name).slice(1), 16);
	return [n >> 16, n >> 8 & 255, n & 255];
}

/* ---- canvases ---- */

/* A canvas that fills its box, drawn again whenever the box, the theme or the print size changes. */
function board(height, label, draw) {
	const canvas = el("canvas", {role: "img", "aria-label": label});
	const box = el("div", {class: "board"}, canvas);
	box.redraw = () => {
		if (!box.clientWidth)
			return;
		const w = Math.max(50, box.clientWidth), h = typeof height === "function" ? height() : height;
		const scale = Math.min(3, window.devicePixelRatio || 1);
		canvas.width = Math.round(w * scale);
		canvas.height = Math.round(h * scale);
		canvas.style.height = h + "px";
		const c = canvas.getContext("2d");
		c.setTransform(scale, 0, 0, scale, 0, 0);
		c.clearRect(0, 0, w, h);
		draw(c, w, h);
	};
	new ResizeObserver(box.redraw).observe(box);
	repaints.push(box.redraw);
	box.canvas = canvas;
	return box;
}

const repaints = []; /* of all boards */

function repaint() {
	for (const f of repaints)
		f();
}

/* ---- theme ---- */

/* The dark colours hold where the media of their element do: as the system has it, or always, or never;
 * not on paper. */
const darkColours = document.getElementById("dark");
const DARK_MEDIA = {system: darkColours.media, dark: "screen", light: "not all"};

function setTheme(name) {
	darkColours.media = DARK_MEDIA[name] || DARK_MEDIA.system;
	repaint();
}

function isDark() {
	return matchMedia(darkColours.media).matches;
}

/* By the button or its key; kept for the next page. */
function otherTheme() {
	const name = isDark() ? "light" : "dark";
	setTheme(name);
	try {
		localStorage.setItem("wavesim-theme", name);
	} catch { /* a page of a file may not store */
	}
}

function themeButton() {
	return button("◐", otherTheme,
		{class: "quiet", id: "theme", "aria-label": "Light or dark", title: "Light or dark (key t)"});
}

/* ---- views ---- */

let current = null;

/* A view is built when it is first needed. */
function build(view) {
	if (view.built)
		return;
	view.built = true;
	view.build(view.panel);
}

/* Show a view; the argument goes to its go() and into the address. */
function show(id, argument, quiet) {
	const view = views.find(v => v.id === id) || views[0];
	hideTip();
	for (const v of views) {
		v.tab.setAttribute("aria-selected", v === view);
		v.tab.tabIndex = v === view ? 0 : -1;
		v.panel.hidden = v !== view;
	}
	const changed = current !== view;
	current = view;
	build(view);
	if (changed)
		view.tab.scrollIntoView({block: "nearest", inline: "center"});
	const place = "#" + view.id + (argument === undefined ? "" : "/" + argument);
	if (!quiet && location.hash !== place)
		history.pushState(null, "", place);
	if (view.go && argument !== undefined)
		view.go(String(argument));
	else if (changed)
		scrollTo(0, 0);
}

/* A link to a place in the page. */
function goTo(id, argument, ...text) {
	const place = "#" + id + (argument === undefined ? "" : "/" + argument);
	return el("a", {
		href: place,
		onclick: e => {
			e.preventDefault();
			show(id, argument);
		}
	},
		text);
}

function route() {
	const [id, argument] = location.hash.slice(1).split("/").map(decodeURIComponent);
	show(id, argument, true);
}

function tabKeys(e) {
	const at = views.indexOf(current), n = views.length;
	const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: n - 1}[e.key];
	if (to === undefined)
		return;
	e.preventDefault();
	const view = views[(to + n) % n];
	show(view.id);
	view.tab.focus();
}

function keys(e) {
	if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName))
		return;
	const at = views.indexOf(current), n = views.length;
	const to = {0: 9, ",": (at + n - 1) % n, ".": (at + 1) % n}[e.key] ?? e.key - 1, view = views[to];
	if (view) {
		show(view.id);
		view.tab.focus();
	} else if (e.key === "t") {
		otherTheme();
	} else if (e.key === "Escape") {
		hideTip();
	} else if (current.key && current.key(e)) {
		e.preventDefault();
	}
}

let screenMedia;

/* On paper all views follow each other, in light colours. */
function print(on) {
	if (on) {
		screenMedia = darkColours.media;
		darkColours.media = DARK_MEDIA.light;
	} else {
		darkColours.media = screenMedia;
	}
	for (const v of views) {
		build(v);
		v.panel.hidden = !on && v !== current;
	}
	repaint();
}

function start() {
	const all = views.splice(0).filter(v => v.pages.includes(data.page) && (!v.when || v.when()));
	views.push(...all.sort((a, b) => a.order - b.order));
	buildHead(document.getElementById("head"));
	const tabs = document.getElementById("tabs");
	for (const v of views) {
		v.tab = button(
			v.name, () => show(v.id), {role: "tab", id: "tab-" + v.id, "aria-controls": "view-" + v.id});
		v.panel = el("section",
			{id: "view-" + v.id, role: "tabpanel", "aria-labelledby": "tab-" + v.id, hidden: true},
			el("h2", {class: "view-name"}, v.name));
		tabs.append(v.tab);
		document.getElementById("main").append(v.panel);
	}
	tabs.addEventListener("keydown", tabKeys);
	document.addEventListener("keydown", keys);
	document.addEventListener("scroll", hideTip, {passive: true, capture: true});
	addEventListener("hashchange", route);
	addEventListener("popstate", route);
	addEventListener("beforeprint", () => print(true));
	addEventListener("afterprint", () => print(false));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
	try {
		setTheme(localStorage.getItem("wavesim-theme"));
	} catch { /* no storage: the system's theme */
	}
	route();
}

addEventListener("DOMContentLoaded", start);
