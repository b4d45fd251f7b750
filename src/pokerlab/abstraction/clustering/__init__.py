"""Grouping points into buckets. Arrays in, labels and centres out; nothing here depends on cards.

| file | what it is |
|---|---|
| `clusters.py` | `Clusters`, the result of every method, and the rules that assign further points |
| `percentiles.py` | equal shares of one number; nested: within each of them, equal shares of another |
| `nearest.py` | the nearest of many centres, exact, with most distances skipped |
| `sample.py` | merging of equal points, and samples by weight |
| `seeding.py` | k-means++ |
| `k_means.py` | k-means under squared distance and under the one-dimensional earth mover's distance |
| `lloyd.py` | Lloyd's iterations, with bounds carried from one to the next |
| `transport.py` | k-means of distributions over the next round's buckets under the earth mover's distance |
"""
