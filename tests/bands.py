#!/usr/bin/env python3
"""The bands of estimates (models/timing/bands.def) from cross-checks, and how they do on kernels left out.

    python3 tests/bands.py CLASS:FILE.json ... >bands.def      the coverage goes to standard error
    python3 tests/bands.py --check bands.def CLASS:FILE.json   are the rows of that class in bands.def those of today?

CLASS is gcn, rdna or nvidia, or nvidia-probes (below): of the devices of FILE, which `wavesim crosscheck --json` wrote, or what it printed, as
traces/measured/h200-crosscheck.txt, which has the store h200.json beside it, or a table like
traces/measured/h100-programs.csv, whose estimates are in it. Launches whose registers spill are a class of their own,
of all of AMD's chips: there the same compiler's choices and the same way to memory decide.

A row holds, for a class and for what limits a launch, where measured times lie as seen from the estimate: between the
5th and the 95th hundredth, each kernel counting as much as any other, however many of its launches were measured, and
widened by one factor for all. A band must hold for kernels that nobody measured. So each kernel is left out in turn
(of tables of programs each suite: its kernels are alike), rows are made of the others, and the factor is the least one with
which nine of ten of those left out lie in theirs, by launches and by kernels; 4 at most, which is said. Of classes with one
kernel, cards are left out; with one card, halves of its launches, which tell less: there the factor is at least that of
classes with several kernels.

Probes do not count for that: the figures of a device file are made from them, so that its estimates of them are nearer than
those of programs. Nor do rows of a table whose column looked_at says no: how many of these lie in the bands is told at the
end, and is a check that nothing was made from.

A ratio of two estimates is nearer to that of the measured times, since what both are off by cancels. So there are rows
for ratios, too: the factor within which nine of ten lie, of pairs of launches on one card: of one kernel and of different
ones where the estimates differ by less than four times, and of any where they differ by more, which are further off. Of one kernel the
probes count, too, which vary what people vary; programs hardly do. Here as well each kernel counts as much as any other, and the factor is widened until it holds for nine of ten pairs that have
a kernel left out: no pair with that kernel is among those that the factor is then made from.

Nine of ten are in by that choice. So the table has a second pair of figures, "nested": the factor, too, is chosen
without what is left out.

A kernel is one of a file, whatever its other options are.
"""
import csv
import itertools
import json
import math
import os
import re
import sys
from collections import defaultdict

OWN_KERNELS, OWN_POINTS = 3, 15  # with fewer, a bound has no row of its own: REST
LEAST = math.log(1.1)            # band.c: no band is narrower
MOST = 4                         # the largest factor
RATIO_MOST = 4                   # near ratios of estimates are below

APART = (lambda p: p.suite, lambda p: p.kernel, lambda p: p.card)

class Point:
    def __init__(self, where, p, number):
        where, self.probe = where.replace('-probes', ''), where.endswith('-probes')
        self.kernel = p['file'], p['kernel']
        self.suite = p.get('suite', self.kernel)
        self.check = p.get('looked_at') == 'no'
        self.card = p['device']
        self.cls = 'spills' if p['vgpr_spills'] else where
        self.bound = p['bound_by']
        self.number = number
        self.estimate = math.log(p['estimate_us'])
        self.off = math.log(p['measured_us'] / p['estimate_us'])

def table(lines, card):
    """Launches whose sources are not ours to pass on: their estimates are in the table."""
    return [{'file': row['suite'], 'suite': row['suite'], 'kernel': row['kernel'], 'device': card, 'vgpr_spills': 0,
             'bound_by': row['bound_by'], 'looked_at': row.get('looked_at'), 'measured_us': float(row['measured_us']), 'estimate_us': float(row['estimate_us'])}
            for row in csv.DictReader(lines)]

def printed(lines, name):
    """What `wavesim crosscheck` printed of each point of NAME.json for NAME-crosscheck.txt."""
    with open(name.replace('-crosscheck.txt', '.json'), encoding='utf-8') as f:
        store = json.load(f)
    files = {k['key']: k['path'] for k in store['kernel']}
    kernels = {(l['family'], l['x']): (files[l['kernel']], l['name']) for l in store['launch']}
    found, card = [], None
    for line in lines:
        words = line.split()
        if not words:
            break  # the families follow
        if card is None:
            card = line.split(', estimated as')[0]
        elif len(words) == 6:
            file, kernel = kernels[words[0], float(words[1])]
            found.append({'file': file, 'kernel': kernel, 'device': card, 'vgpr_spills': 0, 'bound_by': words[5],
                          'measured_us': float(words[2]), 'estimate_us': float(words[3])})
    return found

def load(words):
    points = []
    for word in words:
        where, name = word.split(':', 1)
        with open(name, encoding='utf-8') as f:
            card = os.path.basename(name).split('-')[0]
            found = (table(f, card) if name.endswith('.csv') else printed(f, name) if name.endswith('.txt')
                     else json.load(f)['points'])
        points += [Point(where, p, i) for i, p in enumerate(found) if p['estimate_us']]
    return points

def groups_of(points):
    """What is left out together: suites, else kernels, else cards, else halves."""
    for key in (*APART, lambda p: p.number % 2):
        groups = defaultdict(list)
        for p in points:
            groups[key(p)].append(p)
        if len(groups) > 1:
            return groups
    return {}

def is_one(points):
    return all(len(set(map(key, points))) == 1 for key in APART)

def weighted(points):
    """(off, weight) in order; the kernels of a card weigh the same."""
    count = defaultdict(int)
    for p in points:
        count[p.kernel, p.card] += 1
    return sorted((p.off, 1 / count[p.kernel, p.card] / len(count)) for p in points)

def limits(points, factor):
    rows = weighted(points)
    def at(share):
        total = 0
        for off, weight in rows:
            total += weight
            if total >= share - 1e-9:
                return off
        return rows[-1][0]
    low, high = at(0.05), at(0.95)
    middle, half = (low + high) / 2, (high - low) / 2 * factor
    return min(middle - half, -LEAST), max(middle + half, LEAST)

def make(points, factor):
    """Rows of one class: bound (None: the rest) to (points, kernels, low, high)."""
    by_bound = defaultdict(list)
    for p in points:
        by_bound[p.bound].append(p)
    rows, rest = {}, []
    for bound, list_ in sorted(by_bound.items()):
        if len({p.kernel for p in list_}) >= OWN_KERNELS and len(list_) >= OWN_POINTS:
            rows[bound] = list_
        else:
            rest += list_
    rows[None] = rest or points
    return {b: (len(l), len({p.kernel for p in l}), *limits(l, factor)) for b, l in rows.items()}

def inside(rows, p):
    _, _, low, high = rows.get(p.bound, rows[None])
    return low <= p.off <= high

def left_out(points, factor, least=None):
    """Shares in the band of what it was not made from: of all launches, and the mean of the groups'. factor None: it,
    too, is made from the rest, and is no less than least."""
    shares, good = [], 0
    groups = groups_of(points)
    for group in groups.values():
        out = set(map(id, group))
        rest = [p for p in points if id(p) not in out]
        rows = make(rest, factor or max(factor_of(rest), least))
        n = sum(inside(rows, p) for p in group)
        good += n
        shares.append(n / len(group))
    return good / len(points), sum(shares) / len(shares)

def pairs_of(points):
    """By kind: (kernel, kernel, card, how far the ratio is off) of each pair of launches on one card."""
    found = {'same': [], 'other': [], 'far': []}
    cards = defaultdict(list)
    for p in points:
        cards[p.card].append(p)
    for own in cards.values():
        for a, b in itertools.combinations(own, 2):
            near = abs(a.estimate - b.estimate) < math.log(RATIO_MOST)
            kind = 'far' if not near else 'same' if a.kernel == b.kernel else 'other'
            found[kind].append((a.kernel, b.kernel, a.card, abs(a.off - b.off)))
    return found

def nine_of_ten(pairs, counts, but=None):
    """How far nine of ten are off at most, where each kernel of a card counts as much as any other; of pairs in order,
    and so many of each kernel of a card; without those of a kernel. None: there are no others."""
    groups = sum(n > 0 for n in counts)
    weight = [1 / n / groups if n > 0 else 0 for n in counts] + [0]
    total, off = 0, None
    for off, a, b, first, second in pairs:
        if a != but != b:
            total += weight[first] + weight[second]
            if total >= 0.9 - 1e-9:
                break
    return off if total else None

def ratio_row(pairs):
    """(pairs, kernels, log of the factor, share of pairs of kernels left out), or None: too few. A kernel that is left
    out is in no pair that the factor is made from."""
    number = {g: i for i, g in enumerate(sorted({(k, p[2]) for p in pairs for k in p[:2]}))}
    none = len(number)  # second of a pair of one kernel
    kernel_of = {k: i for i, k in enumerate(sorted({k for p in pairs for k in p[:2]}))}
    pairs = sorted(((off, kernel_of[a], kernel_of[b], number[a, card], number[b, card] if a != b else none)
                    for a, b, card, off in pairs), key=lambda p: p[0])
    own, counts, rest = defaultdict(list), [0] * (none + 1), {}
    for pair in pairs:
        for kernel in {pair[1], pair[2]}:
            own[kernel].append(pair)
        for group in pair[3:]:
            counts[group] += 1
    counts.pop()
    for kernel, out in own.items():
        left = counts + [0]
        for pair in out:
            left[pair[3]] -= 1
            left[pair[4]] -= 1
        off = nine_of_ten(pairs, left[:-1], kernel)
        if off is not None:
            rest[kernel] = off
    own = {kernel: [p[0] for p in out] for kernel, out in own.items()}
    if len(rest) < OWN_KERNELS:
        return None
    for step in range(100, 100 * MOST + 1, 5):
        good = {k: sum(off <= rest[k] * step / 100 for off in own[k]) for k in rest}
        held = sum(good.values()) / sum(len(own[k]) for k in rest)
        if min(held, sum(good[k] / len(own[k]) for k in rest) / len(rest)) >= 0.9:
            break
    return len(pairs), len(own), max(nine_of_ten(pairs, counts) * step / 100, LEAST), held

def factor_of(points):
    if not groups_of(points):
        return 1
    for step in range(100, 100 * MOST + 1, 5):
        if min(left_out(points, step / 100)) >= 0.9:
            return step / 100
    return MOST

HEAD = '''/* Written by tests/bands.py (`make bands`); do not edit. Where measured times lie, seen from the estimate: nine of ten
 * launches of kernels that were left out when a row was made (programs: of suites) are between estimate * low and * high.
 *
 *   BAND(class, bound, points, kernels, low, high)    bound: what limits the launch, by the estimate
 *   REST(class, points, kernels, low, high)           every other bound
 *   RATIO(class, kind, pairs, kernels, factor)        of two launches on one card: nine of ten ratios of measured times of
 *                                                     kernels left out are this far from that of the estimates at most;
 *                                                     kind: launches of the same kernel, or of different ones (other),
 *                                                     whose estimates differ by less than NEAR times; far: by more
 *
 * Classes are families of chips, and launches of any of AMD's whose registers spill. No launches of kernels were
 * measured on VLIW chips: their band is an assumption, in band.c.
 */'''

ROW = re.compile(r'(?:BAND\((\w+), (\w+)|REST\((\w+)), \d+, \d+, ([\d.]+), ([\d.]+)\)')

RATIO_ROW = re.compile(r'RATIO\((\w+), (\w+), \d+, \d+, ([\d.]+)\)')

def rows_of(points, cls):
    """What the rows of a class are made from: its launches, and by kind its pairs."""
    seen = [p for p in points if p.cls == cls and not p.check]
    own = [p for p in seen if not p.probe]
    pairs = pairs_of(own)
    pairs['same'] = pairs_of(seen)['same']
    return own, pairs

def check(path, words):
    """The same rows, whose limits are off by a twentieth at most."""
    points, shipped, good = load(words), {}, True
    with open(path, encoding='utf-8') as f:
        text = f.read()
    for cls, bound, rest, low, high in ROW.findall(text):
        shipped.setdefault(cls or rest, {})[bound or None] = math.log(float(low)), math.log(float(high))
    for cls, kind, factor in RATIO_ROW.findall(text):
        shipped.setdefault(cls, {})['ratios, ' + kind] = math.log(float(factor)),
    for cls in sorted({p.cls for p in points}):
        own, pairs = rows_of(points, cls)
        rows, there = make(own, factor_of(own)), shipped.get(cls, {})
        for kind, of in pairs.items():
            row = ratio_row(of)
            if row:
                rows['ratios, ' + kind] = None, None, row[2]
        for bound in sorted({*rows, *there}, key=lambda b: b or '~'):
            new, old = rows.get(bound, ())[2:], there.get(bound, ())
            if not new or not old or max(abs(a - b) for a, b in zip(new, old)) > math.log(1.05):
                good = False
                told = [', '.join('%.2f' % math.exp(x) for x in row) or 'none' for row in (old, new)]
                print('%s, %s: shipped %s, now %s: make bands' % (cls, bound or 'rest', *told))
    return good

def main():
    if sys.argv[1] == '--check':
        sys.exit(not check(sys.argv[2], sys.argv[3:]))
    points = load(sys.argv[1:])
    print(HEAD)
    print('NEAR(%g)' % RATIO_MOST)
    tell = lambda *words: print('%-8s %8s %8s %8s %12s %12s %12s %12s %8s' % words, file=sys.stderr)
    tell('class', 'launches', 'kernels', 'factor', 'left out %', 'by group %', 'nested %', 'by group %', 'all %')
    total = good = nested = 0
    classes, pairs_by_class = {}, {}
    for cls in sorted({p.cls for p in points}):
        classes[cls], pairs_by_class[cls] = rows_of(points, cls)
    factors = {c: factor_of(own) for c, own in classes.items() if groups_of(own)}
    for cls, factor in factors.items():
        own = classes[cls]
        least = max([1] + [f for c, f in factors.items() if not is_one(classes[c])]) if is_one(own) else 1
        factor = max(factor, least)
        rows = make(own, factor)
        for bound, (n, kernels, low, high) in sorted(rows.items(), key=lambda r: r[0] or '~'):
            numbers = '%d, %d, %.2f, %.2f)' % (n, kernels, math.exp(low), math.exp(high))
            print('BAND(%s, %s, %s' % (cls, bound, numbers) if bound else 'REST(%s, %s' % (cls, numbers))
        launches, by_group = left_out(own, factor)
        without, without_by_group = left_out(own, None, least)
        covered = sum(inside(rows, p) for p in own) / len(own)
        tell(cls, len(own), len({p.kernel for p in own}), '%.2f' % factor, '%.0f' % (100 * launches),
             '%.0f' % (100 * by_group), '%.0f' % (100 * without), '%.0f' % (100 * without_by_group),
             '%.0f' % (100 * covered))
        for kind, pairs in pairs_by_class[cls].items():
            row = ratio_row(pairs)
            if row:
                print('RATIO(%s, %s, %d, %d, %.2f)' % (cls, kind, row[0], row[1], math.exp(row[2])))
                print('%s: ratios, %s: %d pairs, left out %.0f %% within %.2f' %
                      (cls, kind, row[0], 100 * row[3], math.exp(row[2])), file=sys.stderr)
        kept, probes = ([p for p in points if p.cls == cls and getattr(p, what)] for what in ('check', 'probe'))
        for what, found in ('kept apart', kept), ('probes', probes):
            if found:
                print('%s: %s: %.0f %% of %d launches in the bands' %
                      (cls, what, 100 * sum(inside(rows, p) for p in found) / len(found), len(found)), file=sys.stderr)
        if factor >= MOST and min(launches, by_group) < 0.9:
            print('%s: no factor up to %d brings nine of ten into the bands' % (cls, MOST), file=sys.stderr)
        total += len(own)
        good += launches * len(own)
        nested += without * len(own)
    share = lambda n: '%.0f' % (100 * n / total if total else 0)
    tell('all', total, '', '', share(good), '', share(nested), '', '')
    print('#undef BAND\n#undef REST\n#undef RATIO\n#undef NEAR')

main()
