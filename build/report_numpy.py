#!/usr/bin/env python3
"""The columns of BenchmarkColumns (backend/report) by numpy: for each model accuracy in all and at each stage, with design effect and the
percentiles of 2,000 cluster bootstraps. Two ways: drawing clusters and adding up their sums, which is what people write, and a product with the
matrix of how often each cluster is drawn, which uses every core. Prints seconds of each."""
import sys, time
import numpy as np

folder, resamples = sys.argv[1], 2000
read = lambda name: np.fromfile(f"{folder}/{name}", dtype="<u4")
cluster, stage = read("cluster"), read("stage")
right = [read(f"right{m}").astype(np.float64) for m in range(14)]


def deff(y, g, groups):
    m = np.bincount(g, minlength=groups).astype(float)
    used = m > 0
    s, m = np.bincount(g, weights=y, minlength=groups)[used], m[used]
    n, k = m.sum(), len(m)
    between = (m * (s / m - y.mean()) ** 2).sum() / (k - 1)
    within = (y.sum() - (s * s / m).sum()) / (n - k)
    m0 = (n - (m * m).sum() / n) / (k - 1)
    rho = max(0.0, (between - within) / (between + (m0 - 1) * within))
    return 1 + ((m * m).sum() / n - 1) * rho


def table():
    for y in right:
        yield y, cluster
        for k in range(4):
            at = stage == k
            yield y[at], cluster[at]


def sums(y, g):
    groups = int(g.max()) + 1
    return np.bincount(g, weights=y, minlength=groups), np.bincount(g, minlength=groups).astype(float), groups


def drawing():
    out, random = [], np.random.default_rng(7)
    for y, g in table():
        s, m, groups = sums(y, g)
        values = np.empty(resamples)
        for b in range(resamples):
            i = random.integers(0, groups, groups)
            values[b] = s[i].sum() / m[i].sum()
        out.append((y.mean(), deff(y, g, groups), *np.percentile(values, (2.5, 97.5))))
    return out


def product():
    columns = [sums(y, g) for y, g in table()]
    groups = columns[0][2]
    both = np.stack([c for s, m, _ in columns for c in (s, m)], axis=1)
    random, totals = np.random.default_rng(7), []
    for b in range(0, resamples, 100):
        counts = np.stack([np.bincount(random.integers(0, groups, groups), minlength=groups) for _ in range(100)]).astype(np.float64)
        totals.append(counts @ both)
    totals = np.concatenate(totals)
    out = []
    for j, (y, g) in enumerate(table()):
        out.append((y.mean(), deff(y, g, groups), *np.percentile(totals[:, 2 * j] / totals[:, 2 * j + 1], (2.5, 97.5))))
    return out


for name, f in (("drawing", drawing), ("product", product)):
    began = time.perf_counter()
    numbers = f()
    print(f"numpy, {name}\t{time.perf_counter() - began:.2f} s\tfirst {numbers[0][0]:.4f} deff {numbers[0][1]:.2f} [{numbers[0][2]:.4f}, {numbers[0][3]:.4f}]")
