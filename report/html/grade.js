/* A grading: the class in a table with what most of it missed, and what one submission is told. */

const VERDICT_LEVELS = {passed: "good", not_judged: "warn"};
const STATE_MARKS = {met: "✓", missed: "✗", open: "–"};
const MOST_LINES = 5000; /* of a kernel that are shown */
const STATE_WORDS = {met: "met", missed: "missed", open: "not looked at"};

heads.class = () => ({
	title: data.title,
	sub: `${data.exercise}: ${count(data.of.length, "submission")} of ${data.file}`,
});
heads.submission = () => ({
	title: data.name,
	sub: [el("a", {href: "index.html"}, data.title), " · ", el("code", {}, data.file)],
});

function plain(name) {
	return name.replace(/_/g, " ");
}

function verdictBadge(name) {
	return el("span", {class: "verdict " + (VERDICT_LEVELS[name] || "bad"), tip: data.verdicts[name]}, plain(name));
}

/* ---- the class ---- */

function stateCell(state, name) {
	return el("td", {class: "state " + state, title: `${name}: ${STATE_WORDS[state]}`},
		el("span", {"aria-hidden": "true"}, STATE_MARKS[state]),
		el("span", {class: "unseen"}, STATE_WORDS[state]));
}

function classRow(x) {
	return el("tr", {},
		el("td", {class: "who"}, x.page ? el("a", {href: encodeURIComponent(x.page)}, x.name) : x.name),
		el("td", {}, verdictBadge(x.verdict)),
		x.states.map((s, i) => stateCell(s, data.items[i])),
		el("td", {class: "why"}, x.why || ""));
}

function buildClass(panel) {
	const verdicts = Object.keys(data.verdicts);
	let only = "", rows = el("tbody", {});
	const refill = () => rows.replaceChildren(...data.of.filter(x => !only || x.verdict === only).map(classRow));
	const some = verdicts.filter(v => data.of.some(x => x.verdict === v));
	const options = some.map(v => [v, `${plain(v)} (${data.of.filter(x => x.verdict === v).length})`]);
	panel.append(el("div", {class: "tools"}, choice("show", [["", `all (${data.of.length})`], ...options], "", v => {
		only = v;
		refill();
	})));
	refill();
	panel.append(el("div", {class: "scroll"}, el("table", {class: "grades"},
		el("thead", {}, el("tr", {}, el("th", {}, "submission"), el("th", {}, "verdict"),
			data.items.map((name, i) =>
				el("th", {class: "item", tip: name, tabindex: 0, "aria-label": name}, String(i + 1))),
			el("th", {class: "why"}, "why"))), rows)));
}

/* How many missed each. */
function itemBars() {
	return el("div", {class: "bars items"}, data.items.map((name, i) => {
		const missed = data.of.filter(x => x.states[i] === "missed").length;
		const open = data.of.filter(x => x.states[i] === "open").length;
		return el("div", {class: "bar"}, el("span", {}, `${i + 1}. ${name}`),
			el("div", {class: "bar-track", "aria-hidden": "true"},
				el("span", {style: `--c:var(--hot);width:${100 * missed / data.of.length}%`})),
			el("span", {class: "bar-value"}, `${missed} missed` + (open ? `, ${open} not looked at` : "")));
	}));
}

views.push({id: "class", name: "Class", order: 10, pages: ["class"], build: buildClass});
views.push({id: "items", name: "Items", order: 20, pages: ["class"], build: panel => panel.append(itemBars())});

/* ---- one submission ---- */

const gradeLines = () => data.text ? data.text.split(/\r\n|\r|\n/) : [];

function itemRow(x) {
	const line = x.line ? gradeLines()[x.line - 1] : undefined;
	return el("li", {class: "finding grade " + x.state},
		el("p", {}, el("span", {class: "badge state " + x.state}, STATE_WORDS[x.state]), " ", el("b", {}, x.name)),
		x.said ? el("p", {}, x.said) : null,
		line === undefined ? null : el("p", {class: "line-text"},
			goTo("kernel", x.line, `${data.file}:${x.line}`), " ", el("code", {}, line.trim())),
		x.hint ? el("p", {class: "hint"}, x.hint) : null,
		x.advice ? el("p", {class: "hint"}, "The machine's advice: ", x.advice) : null);
}

views.push({
	id: "verdict",
	name: "Verdict",
	order: 10,
	pages: ["submission"],
	build(panel) {
		const met = data.items.filter(x => x.state === "met").length;
		panel.append(el("p", {class: "lead"}, verdictBadge(data.verdict),
			`: ${data.verdict === "not_judged" ? data.why : data.verdicts[data.verdict]}; ` +
				`${met} of ${count(data.items.length, "item")} met`));
		panel.append(el("ol", {class: "findings"}, data.items.map(itemRow)));
	}
});

views.push({
	id: "kernel",
	name: "Kernel",
	order: 20,
	pages: ["submission"],
	when: () => data.text,
	build(panel) {
		const marks = {};
		for (const x of data.items)
			if (x.line && x.state === "missed")
				(marks[x.line] = marks[x.line] || []).push(x.name);
		const rows = gradeLines().slice(0, MOST_LINES).map((text, i) => {
			const missed = marks[i + 1];
			return el("tr", {id: "line-" + (i + 1), tabindex: -1, class: missed ? "selected" : ""},
				el("td", {class: "ln"}, String(i + 1)),
				el("td", {class: "src"}, el("code", {}, text)),
				el("td", {class: "mark-text"}, missed ? "missed: " + missed.join("; ") : ""));
		});
		panel.append(el("div", {class: "scroll"}, el("table", {class: "source"}, el("tbody", {}, rows))));
	},
	go(line) {
		const row = document.getElementById("line-" + line);
		if (row) {
			row.scrollIntoView({block: "center"});
			row.focus({preventScroll: true});
		}
	}
});
