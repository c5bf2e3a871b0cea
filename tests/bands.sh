#!/bin/sh
# The bands of estimates (models/timing/bands.def) from cross-checks.
#
#   tests/bands.sh FAMILY:FILE.json… >models/timing/bands.def
#
# FAMILY is a family of LDS rules (models/device/lds_rule.h), FILE.json what `wavesim crosscheck --json` wrote for
# devices of that family. For each bound that has 10 points, and for all the others of the family
# together: between which factors nine of ten measured times lie, as seen from the estimate.
# A family without such launches (rdna, evergreen) gets no row: models/timing/band.c assumes its band.
# Kernels whose registers spill are left out: how much did is a matter of the compiler that was used.
set -eu
cat <<'END'
/* Written by tests/bands.sh; do not edit. Where measured times lie, seen from the estimate: nine of ten
 * points of a cross-check (traces/measured, and the tables that tests/validate.sh reads) are between
 * estimate * low and estimate * high.
 *
 *   BAND(family, bound, points, low, high)    bound: what limits the launch, by the estimate
 *   REST(family, points, low, high)           every other bound
 *
 * No launches of kernels were measured on chips of the other families (rdna, evergreen): their band is
 * an assumption, in band.c.
 */
END
for pair; do
	family=${pair%%:*}
	awk -v family="$family" '
		/"family":/ {f = $2} /"measured_us":/ {m = $2 + 0} /"estimate_us":/ {e = $2 + 0}
		/"bound_by":/ {b = $2; gsub(/[",]/, "", b)
			if (m > 0 && e > 0 && f !~ /spills/) print family, b, m / e
			e = m = 0}' "${pair#*:}"
done | sort -k1,1 -k2,2 -k3,3g | awk '
	function put(family, bound, list, n,   r, lo, hi) {
		split(list, r, " ")
		lo = r[int(n * 0.05) + 1]
		hi = r[int(n * 0.95 - 0.000001) + 1]
		if (bound) printf "BAND(%s, %s, %d, %.2f, %.2f)\n", family, bound, n, lo, hi
		else printf "REST(%s, %d, %.2f, %.2f)\n", family, n, lo, hi
	}
	function rest(family) {
		if (!nrest) return
		print others | ("sort -g >" tmp)
		close("sort -g >" tmp)
		sorted = ""
		while ((getline line < tmp) > 0) if (line != "") sorted = sorted line " "
		close(tmp)
		put(family, "", sorted, nrest)
		others = ""; nrest = 0
	}
	function bound() {
		if (n >= 10) put(was, of, list, n)
		else {gsub(/ /, "\n", list); others = others list; nrest += n}
		list = ""; n = 0
	}
	BEGIN {"mktemp" | getline tmp}
	NR > 1 && ($1 != was || $2 != of) {bound()}
	NR > 1 && $1 != was {rest(was)}
	{was = $1; of = $2; list = list $3 " "; n++}
	END {bound(); rest(was); system("rm -f " tmp)}'
cat <<'END'
#undef BAND
#undef REST
END
