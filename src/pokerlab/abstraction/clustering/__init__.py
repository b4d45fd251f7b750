"""Grouping points into buckets. Arrays in, labels and centres out; nothing here knows of cards.

| file | what it is |
|---|---|
| `clusters.py` | `Clusters`, what every method gives, and the rules that place further points |
| `percentiles.py` | equal shares of one number |
| `nested.py` | equal shares of one number, and within each of another |
| `nearest.py` | the nearest of many centres, exactly, without most of the distances |
| `sample.py` | equal points made one, and samples by weight |
| `seeding.py` | k-means++ |
| `k_means.py` | k-means under squared distance and under the one-dimensional earth mover's distance |
| `lloyd.py` | its rounds, with bounds that are carried from one to the next |
| `distributions.py` | sparse distributions over the next round's buckets |
| `transport.py` | k-means under the earth mover's distance over the next round's buckets |
| `exact.py` | earth mover's distances by linear programs: what approximations are measured against |
"""
