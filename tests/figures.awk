# Fill a row of a table of figures (tests/figures.sh) from a report.
#   awk -v row=… -v keys="path:format …" -f figures.awk report.json
# A cell behind the first is `OURS` or `THE ARTICLE'S / OURS`; ours is written anew. A format that
# begins with ~ is of a figure that follows from a model: it stays when the new one is within a tenth.

{
	depth = match($0, /[^\t]/) - 1
	if (!match($0, /"[^"]*":/)) next
	name[depth] = substr($0, RSTART + 1, RLENGTH - 3)
	value = substr($0, RSTART + RLENGTH)
	gsub(/^\t|,$/, "", value)
	path = name[1]
	for (i = 2; i <= depth; i++) path = path "." name[i]
	if (!(path in have)) have[path] = value
}

function filled(cell, path, form,   article, ours, old, about) {
	article = ""
	if ((i = index(cell, " / ")) > 0) {
		article = substr(cell, 1, i + 2)
		cell = substr(cell, i + 3)
	}
	if (!(path in have)) return article "(no " path ")"
	about = sub(/^~/, "", form)
	if (form == "%s") {
		ours = have[path]
		gsub(/"/, "", ours)
	} else {
		ours = sprintf(form, have[path])
	}
	old = cell + 0
	if (about && old > 0 && ours / old < 1.1 && old / ours < 1.1) ours = cell
	return article ours
}

END {
	n = split(row, cells, /[ ]*[|][ ]*/)
	m = split(keys, key, " ")
	line = "| " cells[2]
	for (c = 1; c <= m; c++) {
		k = index(key[c], ":")
		line = line " | " filled(cells[c + 2], substr(key[c], 1, k - 1), substr(key[c], k + 1))
	}
	for (c = m + 3; c < n; c++) line = line " | " cells[c]
	print line " |"
}
