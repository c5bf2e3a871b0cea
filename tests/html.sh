#!/bin/sh
# The HTML report in a browser:  html.sh WAVESIM
#
# Chromium, without a window, through chromedriver's WebDriver protocol. Pages must open without a word on
# the console and without a request, each view must be reached by mouse and by keyboard, and what the
# views show must be what the report counts. SHOTS=DIR keeps pictures of every view, at 1280 and at 400
# pixels, light and dark. The last line is "N passed, M failed".
set -u
. "$(dirname "$0")/check.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
driver=""
trap 'end_browser; rm -rf "$scratch"' EXIT; trap 'exit 2' INT TERM

for program in chromium chromedriver curl jq; do
	command -v $program >/dev/null 2>&1 && continue
	echo "SKIP html: there is no $program"
	finish
	exit
done

# ---- the browser ----
wd() { # method, path below the session, body
	curl -s -X "$1" -H 'Content-Type: application/json' ${3+--data-binary "$3"} "$url$2" | jq -c .value
}

start_browser() {
	export HOME="$scratch"
	chromedriver --port=0 >"$scratch/driver" 2>&1 &
	driver=$!
	port=""
	for _ in $(seq 100); do
		port=$(sed -n 's/.*successfully on port \([0-9]*\)\..*/\1/p' "$scratch/driver")
		[ -n "$port" ] && break
		sleep 0.1
	done
	url=http://127.0.0.1:$port/session
	for _ in 1 2 3; do # on a busy machine a first start may take longer than chromedriver waits
		session=$(wd POST "" '{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"},
			"goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
			"--disable-dev-shm-usage", "--hide-scrollbars"]}}}}' | jq -r .sessionId)
		[ -n "$session" ] && [ "$session" != null ] && break
	done
	url=$url/$session
}

end_browser() {
	[ -z "$driver" ] && return
	wd DELETE "" >/dev/null
	kill "$driver" 2>/dev/null
	wait "$driver" 2>/dev/null
	driver=""
}

js() { # code; its result as JSON
	wd POST /execute/sync "$(jq -n --arg code "$1" '{script: $code, args: []}')"
}

# Press keys; special ones as \uE0…
press() {
	wd POST /actions "$(printf '%s' "$1" | jq -Rc '("\"" + . + "\"" | fromjson) as $k | {actions: [{type: "key", id: "k",
		actions: [$k | explode[] | [.] | implode | {type: "keyDown", value: .}, {type: "keyUp", value: .}]}]}')" >/dev/null
}

click() { # selector
	element=$(wd POST /element "$(jq -n --arg s "$1" '{using: "css selector", value: $s}')" | jq -r '.[]' 2>/dev/null)
	wd POST "/element/$element/click" '{}' >/dev/null
}

cdp() { wd POST /goog/cdp/execute "$(jq -n --arg c "$1" --argjson p "$2" '{cmd: $c, params: $p}')"; }

size() { # width, height
	cdp Emulation.setDeviceMetricsOverride "{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}" >/dev/null
}

# The code must give true. A view may need a frame to be drawn.
check() { # what, code
	result=""
	for _ in 1 2 3 4 5 6 7 8; do
		result=$(js "$2")
		[ "$result" = true ] && { ok; return; }
		sleep 0.1
	done
	bad "$page: $1 ($(printf '%s' "$result" | cut -c1-200))"
}

quiet_console() {
	log=$(wd POST /se/log '{"type": "browser"}')
	if [ "$log" = "[]" ]; then ok; else bad "$page: console: $log"; fi
}

# ---- pages ----
make_page() { # name, arguments of wavesim
	page=$1
	shift
	(cd "$root" && "$wavesim" "$@" --html "$scratch/$page.html") >"$scratch/out" 2>&1 || { bad "$page: $(tail -3 "$scratch/out")"; return 1; }
	bytes=$(wc -c <"$scratch/$page.html")
	if [ "$bytes" -lt 5000000 ]; then ok; else bad "$page: $bytes bytes"; fi
	wd POST /url "{\"url\": \"file://$scratch/$page.html\"}" >/dev/null
	check "opens within two seconds" 'return document.querySelectorAll("[role=tab]").length > 0 &&
		performance.getEntriesByType("navigation")[0].loadEventEnd < 2000'
	check "asks for nothing" 'return performance.getEntriesByType("resource").length === 0'
}

shots() { # view
	[ -n "${SHOTS:-}" ] || return
	mkdir -p "$SHOTS"
	for theme in light dark; do
		cdp Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$theme\"}]}" >/dev/null
		for width in 1280 400; do
			size $width 900
			size $width "$(js 'return Math.min(4000, document.documentElement.scrollHeight)')"
			sleep 0.3
			wd GET /screenshot | jq -r . | base64 -d >"$SHOTS/$page-$1-$width-$theme.png"
		done
	done
	cdp Emulation.setEmulatedMedia '{"features": []}' >/dev/null
	size 1280 900
}

shown='const v = views.find(x => x.id === id), r = v.panel.getBoundingClientRect();
	return v === current && !v.panel.hidden && r.height > 20 && v.tab.getAttribute("aria-selected") === "true" &&
		views.every(x => x === v || x.panel.hidden)'

# Every view by mouse, by its digit, and by the arrow keys of the tabs.
all_views() {
	ids=$(js 'return views.map(v => v.id)' | jq -r '.[]')
	n=0
	for id in $ids; do
		n=$((n + 1))
		click "#tab-$id"
		check "view $id by mouse" "const id = '$id'; $shown"
		shots "$id"
		[ $n -gt 10 ] && continue
		press 1
		press $((n % 10))
		check "view $id by key $((n % 10))" "const id = '$id'; $shown"
	done
	press 1
	for id in $ids; do
		check "view $id by the key of the next one" "const id = '$id'; $shown"
		press .
	done
	press ,
	check "the last view by the key of the one before" "const id = '$id'; $shown"
	press 1
	for id in $ids; do
		check "view $id by arrow" "const id = '$id'; $shown"
		press '\uE014'
	done
	size 400 800
	for id in $ids; do
		js "show('$id')" >/dev/null
		check "view $id fits 400 pixels" 'return document.documentElement.scrollWidth <= 400'
	done
	size 1280 900
	check "every control has a name" 'return [...document.querySelectorAll("button, select, input, [role=img], [role=group]")]
		.every(e => (e.getAttribute("aria-label") || e.textContent || (e.labels && e.labels[0] || {}).textContent || "").trim())'
}

# Every view once, for pages whose way about is like another's.
open_views() {
	js 'for (const v of views) show(v.id)' >/dev/null
	check "all views" 'return views.every(v => v.built && v.panel.children.length > 1)'
}

# Labels of pictures, where boxes, labels and the edge of the picture are drawn for these numbers.
labels() {
	js 'show("units")' >/dev/null
	check "labels of the memory chart stand inside boxes or between them" 'const box = e => e.getBoundingClientRect(),
			rects = [...document.querySelectorAll("#view-units .chart rect.field")].map(box);
		return rects.length > 2 && [...document.querySelectorAll("#view-units .chart text")].map(box).every(t => rects.every(r =>
			t.right < r.left || t.left > r.right || t.bottom < r.top || t.top > r.bottom ||
			(t.left > r.left && t.right < r.right && t.top > r.top && t.bottom < r.bottom)))'
	check "what goes to the left is loaded, what goes to the right stored" 'const l = report.estimate.levels, s = scalarMisses(),
			text = [...document.querySelectorAll("#view-units .chart text")].map(t => t.textContent), is = (what, v) => v < 1 || text.includes(what + " " + bytesText(v));
		return is("reads", l.l2.bytes - l.l2.written_bytes - s) && is("writes", l.l2.written_bytes) && (s < 1 || is("reads", s)) &&
			lanesAsk("l1")[1].slice(0, 2).join() === ["global", "private"].map(k => report.estimate.lanes[k]).filter(x => x).reduce((a, x) =>
				[a[0] + x.stores, a[1] + x.stored_bytes], [0, 0]).map((v, i) => i ? bytesText(v) : amount(Math.round(v)) + " stores").join()'
	check "the axis ends with what was played" 'const end = grouped(data.timeline.use.end) + " cycles";
		return data.timeline.use.end > 0 && [...document.querySelectorAll("#view-units .curves svg")].every(s => s.textContent.includes(end))'
	js 'show("roofline")' >/dev/null
	check "labels of the roofline do not lie on each other, nor marks" 'const box = e => e.getBoundingClientRect(),
			text = [...document.querySelectorAll("#view-roofline text.here-text")].map(box),
			marks = [...document.querySelectorAll("#view-roofline circle")].map(c => Math.round(c.getAttribute("cx") / 8) + " " + c.getAttribute("r"));
		return text.length > 0 && new Set(marks).size === marks.length && text.every((a, i) => text.every((b, k) =>
			i === k || a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top))'
	js 'show("occupancy")' >/dev/null
	check "labels of the curves are in their pictures" 'return [...document.querySelectorAll("#view-occupancy svg text")].every(t => {
		const a = t.getBoundingClientRect(), b = t.closest("svg").getBoundingClientRect(); return a.top >= b.top && a.right <= b.right + 1; })'
	for width in 1280 800; do
		size $width 900
		check "all tabs at $width pixels" 'return views.every(v => { const r = v.tab.getBoundingClientRect();
			return r.left >= 0 && r.right <= document.getElementById("tabs").getBoundingClientRect().right + 1; })'
	done
	size 1280 900
}

# What the pictures show, added up over all wavefronts, is what the report counts; all are recorded.
numbers() {
	check "lanes as counted" 'return !report.lines.some((l, i) => { const s = laneShare(i);
		return s && Math.abs(s.reduce((a, b) => a + b, 0) / report.wave - l.lane_utilization) > 1e-6; })'
	check "wave instructions as counted" 'return detail.waves.reduce((n, w) => n + runsOf(w).total, 0) ===
		report.divergence.wave_instructions'
	check "bank cycles as counted" 'const sum = {}; for (const s of bankSites()) s.served.forEach((v, i) => {
			sum[s.line] = sum[s.line] || [0, 0]; sum[s.line][0] += v.ideal * s.patterns[i].seen; sum[s.line][1] += v.actual * s.patterns[i].seen; });
		return Object.entries(sum).length > 0 && Object.entries(sum).every(([i, [ideal, actual]]) => ideal === report.lines[i].lds_ideal_cycles &&
			actual === report.lines[i].lds_actual_cycles)'
	check "cache lines as counted" 'const sum = {}; for (const s of memorySites()) s.seen.forEach((v, i) => {
			sum[s.line] = (sum[s.line] || 0) + v.rows.length * s.patterns[i].seen; });
		return Object.entries(sum).every(([i, n]) => n === report.lines[i].actual_lines)'
}

start_browser
if [ -z "$session" ] || [ "$session" = null ]; then
	bad "chromium does not start: $(tail -2 "$scratch/driver")"
	finish
	exit
fi
size 1280 900

if make_page stride lessons/bank-stride/stride.cl; then
	all_views
	numbers
	click '#tab-source'
	click 'th[data-key=lds] button'
	check "sorted by a click" 'const n = [...source.body.querySelectorAll("tr")].map(r => Number(r.dataset.line));
		return n[0] === 18 && n.length === report.lines.filter(l => l.executions).length &&
			source.head.querySelector("[data-key=lds]").getAttribute("aria-sort") === "descending"'
	js 'source.head.querySelector("[data-key=instrs] button").focus()' >/dev/null
	press '\uE007'
	check "sorted by a key" 'return source.head.querySelector("[data-key=instrs]").getAttribute("aria-sort") === "descending" &&
		source.body.querySelector("tr").dataset.line === "14"'
	press '\uE007'
	check "the other way round" 'return source.head.querySelector("[data-key=instrs]").getAttribute("aria-sort") === "ascending"'
	click 'th[data-key=line] button'
	press n
	check "to a costly line" 'return current.id === "source" && document.activeElement.dataset.line === lineName(source.selected)'
	js 'show("roofline")' >/dev/null
	check "a mark for each level that moves something" 'const n = Object.values(report.roofline.levels).filter(l => l.bytes > 0 && l.peak_gb_s).length;
		return n > 2 && document.querySelectorAll("#view-roofline circle").length === n &&
			document.querySelectorAll("#view-roofline tbody tr").length === Object.keys(report.roofline.levels).length'
	js 'show("units")' >/dev/null
	check "a box for each level that moves something" 'const names = [...document.querySelectorAll("#view-units .chart .here-text")].map(t => t.textContent);
		return Object.keys(report.estimate.levels).every(l => names.includes(data.docs.levels[l])) && names.includes("lanes") &&
			names.length === Object.keys(report.estimate.levels).length + 1'
	check "units over time sum up to how busy they are" 'const u = data.timeline.use, e = report.estimate;
		const times = Object.entries(u.units).filter(([name]) => e.busy[name] > 0.002).map(
			([name, v]) => v.reduce((a, b) => a + b, 0) / e.busy[name]);
		return times.length > 1 && Math.max(...times) < 1.03 * Math.min(...times)'
	js 'show("source", "18")' >/dev/null
	click 'tr.more a[href="#code/18"]'
	check "from the line to its machine code" 'const l = listing.lines.get(lineKey({file: report.lines[lineByName("18")].file, line: 18})),
			n = document.querySelectorAll("#view-code tr.ins.selected").length;
		return current.id === "code" && n === l.list.length && n > 2 &&
			document.querySelector("#view-code .lines tr.selected .ln").textContent === "18"'
	js 'listing.rows.find((r, i) => report.listing.instructions[i].line === 14).click()' >/dev/null
	check "from an instruction to its line" 'return document.querySelector("#view-code .lines tr.selected .ln").textContent === "14" &&
		[...document.querySelectorAll("#view-code tr.ins.selected .ln")].every(c => c.textContent === "14")'
	press n
	check "to a costly instruction" 'const i = Number(document.activeElement.dataset.ins); return report.listing.instructions[i].share > 1 / 30'
	check "a row for each instruction" 'return document.querySelectorAll("#view-code tr.ins").length === report.listing.instructions.length &&
		Math.abs(report.listing.instructions.reduce((n, x) => n + x.share, 0) - 1) < 1e-5'
	js 'show("source", "18")' >/dev/null
	click 'tr.more a[href="#banks/18"]'
	check "from the line to its banks" 'return current.id === "banks" && bankSites()[banks.site].line === lineByName("18")'
	check "lanes and banks" 'const v = bankSites()[banks.site].served[banks.pattern]; return v.actual === 16 && v.ideal === 2 && v.way === 8 &&
		v.phases.length === 2 && document.querySelectorAll("#view-banks svg rect[style]").length === 64'
	press ']'
	check "a phase by key" 'return banks.phase === 0 && document.querySelectorAll("#view-banks svg rect[style]").length === 32'
	click '#view-banks .phases tbody tr:nth-child(2) button'
	check "a phase by mouse" 'return banks.phase === 1 && document.querySelector("#view-banks .phase-button[aria-pressed=true]").textContent === "1"'
	js 'document.getElementById("theme").click()' >/dev/null
	check "the other theme" 'return isDark() && getComputedStyle(document.body).backgroundColor === "rgb(17, 22, 27)"'
	js 'dispatchEvent(new Event("beforeprint"))' >/dev/null
	check "all views on paper, in light colours" 'return !isDark() && views.every(v => !v.panel.hidden && v.panel.children.length > 1)'
	js 'dispatchEvent(new Event("afterprint"))' >/dev/null
	check "one view again, dark" 'return isDark() && views.filter(v => !v.panel.hidden).length === 1'
	js 'localStorage.removeItem("wavesim-theme"); setTheme("system")' >/dev/null
	cdp Emulation.setEmulatedMedia '{"features": [{"name": "prefers-color-scheme", "value": "dark"}]}' >/dev/null
	check "the theme of the system" 'return isDark() && getComputedStyle(document.body).backgroundColor === "rgb(17, 22, 27)"'
	cdp Emulation.setEmulatedMedia '{"features": []}' >/dev/null
	check "and the light one" 'return !isDark() && getComputedStyle(document.body).backgroundColor === "rgb(246, 247, 248)"'
	quiet_console
fi
if make_page swap lessons/divergence-swap/before.cl --global 256 --arg in=random:256 --arg out=zero:256; then
	open_views
	check "lanes as counted" 'return !report.lines.some((l, i) => { const s = laneShare(i);
		return s && Math.abs(s.reduce((a, b) => a + b, 0) / 64 - l.lane_utilization) > 1e-6; })'
	js 'show("lanes", "12"); lanes.window.set(0, lanes.window.max); lanes.top.focus()' >/dev/null
	press '\uE014\uE014'
	check "the cursor by key" 'return lanes.cursor === laneRuns().start[1] && lanes.now.textContent.length > 20'
	press '+'
	check "zoom by key" 'return lanes.window.to - lanes.window.from < lanes.window.max'
	check "24 lanes, then 40" 'const r = laneRuns(), n = r.line.map((l, i) => l === lanes.line ? lanesOf(r.mask[i]).length : 0).filter(x => x);
		return n[0] === 24 && n[n.length - 1] === 40 && new Set(n).size === 2'
	quiet_console
fi
if make_page scan lessons/prefix-sum/plain.cl --global 512 --local 256; then
	numbers
	check "thirteen views" 'return views.length === 13'
	labels
	quiet_console
fi
if make_page wide lessons/lds-wide/packed.cl --global 256 --arg in=random:256 --arg out=zero:1; then
	numbers
	click '#tab-banks'
	check "instructions apart" 'return document.querySelectorAll("#view-banks .chip").length > 1'
	quiet_console
fi
if make_page narrow lessons/prefix-sum/plain.cl --global 512 --local 256 --wave 48 --banks 8; then
	open_views
	numbers
	quiet_console
fi
if make_page copy tests/html/copy.cl --sample 10; then
	labels
	check "of the whole launch" 'const l = report.estimate.lanes; return l.global.stores === 16384 && l.global.stored_bytes === 4194304 &&
		report.memory.accesses < 5000'
	js 'show("memory")' >/dev/null
	check "bytes that several lanes ask for" 'const s = memorySites().find(x => x.line === lineByName("6")), v = s.seen[0];
		return v.rows.length === 1 && v.used === 4 && v.bytes === 256 &&
			memorySentence(s.patterns[0], v).textContent.startsWith("1 cache line; the lanes ask for 4 bytes of it (all the same). 64 bytes are fetched, 6.3 %")'
	quiet_console
fi
if make_page atomics tests/formats/sample.cl; then
	labels
	check "private memory, of what passes to L1" 'const p = report.estimate.lanes.private; return p.stores > 0 && lanesAsk("l1").every(t => t[2].startsWith("(private ")) &&
		document.querySelector("#view-units").textContent.includes(`${count(p.loads, "load")} of ${bytesText(p.loaded_bytes)}`)'
	check "atomics keep L2 busy" 'return document.querySelector("#view-roofline .hint").textContent.includes("Atomics keep L2 busy longer")'
	quiet_console
fi
if make_page nothing tests/html/nothing.cl; then
	open_views
	check "no memory" 'return document.querySelector("#view-units .lead").textContent === "The kernel accesses no memory." &&
		!document.querySelector("#view-units .chart")'
	quiet_console
fi
if make_page race tests/html/race.cl; then
	js 'show("findings")' >/dev/null
	check "both accesses of each race, a lane of each" 'const n = report.findings.filter(f => f.class).length,
			lanes = [...document.querySelectorAll("#view-findings .race-lanes")];
		return n > 1 && lanes.length === 2 * n && lanes.every(x => x.children.length === report.wave &&
			[...x.children].filter(i => i.style.background).length === 1)'
	size 400 800
	check "lanes of races fit 400 pixels" 'return document.documentElement.scrollWidth <= 400'
	size 1280 900
fi
if make_page million tests/html/million.cl; then
	open_views
	quiet_console
fi
if make_page hostile tests/html/hostile.cl; then
	all_views
	check "text of the user stays text" 'return document.title.startsWith("tests/html/hostile.cl") && !document.querySelector("main b b, img") &&
		document.querySelectorAll("script").length === 2 && views.find(v => v.id === "launch").panel.textContent.includes("</script><b>bold</b>")'
	js 'show("findings")' >/dev/null
	click '#view-findings .line-text a'
	check "from the finding to its line" 'return current.id === "source" && document.activeElement.dataset.line === "8"'
	quiet_console
fi
if make_page sweep sweep lessons/prefix-sum/plain.cl lessons/prefix-sum/padded.cl --local 32:256,2048 --device mi50,rx6900xt; then
	all_views
	js 'show("ranking")' >/dev/null
	check "ranked by time" 'const n = [...ranking.body.querySelectorAll("tr[data-number]")].map(r => data.points.find(p => p.number == r.dataset.number).us[0]);
		return n.length === 16 && n.every((v, i) => !i || v >= n[i - 1])'
	click 'th[data-key=lanes] button'
	check "sorted by lanes" 'return ranking.head.querySelector("[data-key=lanes]").getAttribute("aria-sort") === "ascending" &&
		ranking.body.querySelector("tr").dataset.number == data.points.slice().sort((a, b) => a.lanes - b.lanes)[0].number'
	click '#tab-map'
	click '#view-map td.best button'
	check "from the map to the ranking" 'return current.id === "ranking" && ranking.open === data.points[0] && !!document.querySelector("tr.more")'
	check "nothing is left out, and what would be is said" 'return !leftOut(data.left_out.points, "point") &&
		leftOut(1234, "slower point").textContent.startsWith("1,234 more slower points are left out")'
	check "why not" 'return data.others.length === 4 && views.some(v => v.id === "skipped")'
	quiet_console
fi
if make_page wrong sweep tests/html/tile.cl --local 8x8,16x16; then
	all_views
	check "points are marked with all that is wrong" 'const said = n => ranking.body.querySelector(`tr[data-number="${n}"] .marks`).textContent,
			usual = data.points.find(p => p.usual), other = data.points.find(p => !p.usual);
		return other.findings > 0 && other.us[0] < usual.us[0] && said(other.number) === "findingsother results" && said(usual.number) === "usual"'
	check "a wrong point is not the best" 'const lead = document.querySelector("#view-ranking .lead").textContent;
		return lead.startsWith("Best on mi50: local 16x16") && lead.includes("1 point is faster, but with findings") &&
			ranking.body.querySelector("tr.best .set").textContent === "16x16"'
	js 'show("map")' >/dev/null
	check "nor on the map" 'return document.querySelector("#view-map td.best button").getAttribute("aria-label").endsWith(", usual") &&
		[...document.querySelectorAll("#view-map .marks")].some(m => m.textContent === "findingsother results")'
	quiet_console
fi
if make_page compare compare lessons/divergence-swap/before.cl lessons/divergence-swap/after.cl; then
	all_views
	check "the verdict" 'return data.compare.verdict.id.endsWith("faster") && data.compare.results.equal === true &&
		document.querySelectorAll("#view-verdict .change .better").length > 3'
	check "a ratio with its band" 'return [...document.querySelectorAll("#view-verdict .card")][1].textContent.includes("; band ×")'
	click '#tab-sources'
	click '#view-sources th[data-key=time] button'
	check "sorted by the change of the time" 'const n = [...pair.body.querySelectorAll("tr")].map(r => r.dataset.lines);
		return n.length === data.rows.filter(r => r[3] || r[4]).length && n[n.length - 1] === "12 12"'
	quiet_console
fi
if make_page alike compare lessons/prefix-sum/plain.cl lessons/prefix-sum/padded.cl --global 65536; then
	check "no verdict where no difference can be told" 'const cards = [...document.querySelectorAll("#view-verdict .card")];
		return data.compare.verdict.id.startsWith("likely") && cards[0].querySelector(".value").textContent === "no clear difference" &&
			cards.slice(0, 2).every(c => c.className.trim() === "card")'
	quiet_console
fi
# Asking for a page changes no number.
page=estimate
(cd "$root" && "$wavesim" lessons/prefix-sum/plain.cl --json "$scratch/with.json" --html "$scratch/with.html" --quiet &&
	"$wavesim" lessons/prefix-sum/plain.cl --json "$scratch/without.json" --quiet)
if cmp "$scratch/with.json" "$scratch/without.json"; then ok; else bad "--html changes the report"; fi
finish
