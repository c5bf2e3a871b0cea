/* Findings with links to their lines; the launch and what the kernel printed. */

/* The access that a race is with, or where a value that matters was read; and the lanes of both. */
function otherAccess(f) {
	const o = f.other || f.origin;
	if (!o)
		return [];
	const lanes = (x, colour) => el("span", {class: "race-lanes", "aria-hidden": "true"},
		Array.from({length: report.wave}, (_, l) => el("i", l === x.lane ? {style: `background:${colour}`} : {})));
	const line = (x, colour, word) => el("p", {class: "line-text"}, `${word} ${x.did} by work-item (${
		x.global_id.join(", ")}), wavefront ${x.wave} lane ${x.lane}${x.value ? `, value ${x.value}` : ""} `,
		x.line ? placeLink(x.file, x.line) : null, lanes(x, colour));
	const group = f.class && f.own && f.own.group_id.join() === o.group_id.join();
	return [
		line(o, "var(--cool)", f.other ? "before it:" : "from:"),
		f.class ? el("p", {class: "race-gap dim"}, group ? "no barrier between" : "no barrier orders work-groups") : null,
		f.own ? line(f.own, "var(--bad)", "then:") : null,
	];
}

function findingItem(f, k) {
	const place = f.global_id ? `work-item (${f.global_id.join(", ")}) of group (${
									f.group_id.join(", ")}), wavefront ${f.wave}, lane ${f.lane}` :
								null;
	return el("li", {class: "finding " + f.severity, id: "finding-" + k, tabindex: -1},
		el("p", {}, el("span", {class: "badge " + f.severity}, f.severity), " ", el("b", {}, f.message),
			f.count > 1 ? el("span", {class: "dim"}, ` ×${grouped(f.count)}`) : null),
		f.line ? el("p", {class: "line-text"}, placeLink(f.file, f.line), " ",
					 el("code", {}, (sourceLine(f.file, f.line) || "").trim())) :
				 null,
		place ? el("p", {class: "dim"}, "first by ", place) : null,
		...otherAccess(f),
		f.gain_us > 0 && time(f.before_us) !== time(f.after_us) ?
			el("p", {class: "gain"},
				el("span", {class: "meter", "aria-hidden": "true"},
					el("span", {style: `width:${100 * f.after_us / f.before_us}%`})),
				`${time(f.before_us)} → ${time(f.after_us)}, ${digits(f.gain_percent, 2)} % less`) :
			null,
		f.hint ? el("p", {class: "hint"}, f.hint) : null);
}

views.push({
	id: "findings",
	name: "Findings",
	order: 80,
	pages: ["launch"],
	when: () => report.findings.length,
	build(panel) {
		panel.append(el("ol", {class: "findings"}, report.findings.map(findingItem)));
	},
	go(k) {
		const item = document.getElementById("finding-" + k);
		if (item) {
			item.scrollIntoView({block: "center"});
			item.focus({preventScroll: true});
		}
	}
});

function table(rows) {
	return el("table", {class: "plain"},
		el("tbody", {},
			rows.filter(r => r[1] !== null && r[1] !== undefined && r[1] !== "").map(([name,
				v]) => el("tr", {}, el("th", {scope: "row"}, name), el("td", {}, v)))));
}

function textBox(title, x) {
	return [
		el("h3", {}, title), el("pre", {class: "text", tabindex: 0}, x.text),
		leftOut(x.left_out, "byte")
	];
}

function referenceRows(list) {
	return el("table", {class: "plain"},
		el("thead", {},
			el("tr", {},
				["buffer", "elements", "differ", "within limits", "largest, ulp", "first differences"].map(
					t => el("th", {scope: "col"}, t)))),
		el("tbody", {},
			list.map(b => el("tr", {}, el("th", {scope: "row"}, el("code", {}, `${b.type} ${b.name}`)),
						 el("td", {class: "n"}, grouped(b.checked)),
						 el("td", {class: "n" + (b.mismatches ? " warn" : "")}, grouped(b.mismatches)),
						 el("td", {class: "n"}, grouped(b.within_limits)),
						 el("td", {class: "n"}, b.max_ulp === undefined ? "" : digits(b.max_ulp, 3)),
						 el("td", {},
							 (b.first || [])
								 .map(e => `[${e.index}] ${e.actual}, not ${e.expected}`)
								 .join("; "))))));
}

views.push({
	id: "launch",
	name: "Launch",
	order: 90,
	pages: ["launch"],
	build(panel) {
		const l = report.launch, r = report.reference;
		panel.append(table([
			["kernel", el("code", {}, report.kernel)], ["file", report.file],
			["device", `${report.device} (${data.device_title})`],
			["global size", l.global.slice(0, l.work_dim).join(" × ")],
			["group size", l.local.slice(0, l.work_dim).join(" × ")],
			[
				"work-groups run",
				l.groups_run < l.groups ? `${grouped(l.groups_run)} of ${grouped(l.groups)}` :
										  grouped(l.groups)
			],
			[
				"the same again",
				el("code", {}, `wavesim ${report.file} --device ${report.device} ${l.options}`)
			],
			["guessed of it", l.guessed ? el("code", {}, l.guessed) : ""],
			["results", referenceText(r)],
			[
				"built-in functions",
				r.builtins === "amd"        ? "AMD's device library" :
					r.builtins === "nvidia" ? "the usual ones of floats in the steps of NVIDIA's library, others AMD's" :
					r.builtins === "pocl"   ? "PoCL's" :
											  ""
			]
		]));
		if (r.buffers.length)
			panel.append(
				el("h3", {}, "Results compared"), el("div", {class: "scroll"}, referenceRows(r.buffers)));
		if (data.printf)
			panel.append(...textBox("Printed by the kernel", data.printf).filter(Boolean));
		if (data.dumps)
			panel.append(...textBox("Buffers", data.dumps).filter(Boolean));
	}
});
