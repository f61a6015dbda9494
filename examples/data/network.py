#!/usr/bin/env python3
"""Writes network.mtx: the weighted Laplacian of a random network that grows by linking new nodes to nodes that have many
links already, so that few rows are long and most are short. Some nodes have no link: their rows are empty."""
import random

nodes, linked, links_of_a_node = 700, 680, 3
draw = random.Random(2)
weights, ends = {}, [0]
for node in range(1, linked):
    for _ in range(links_of_a_node):
        other = ends[int(draw.random() * len(ends))]
        if other != node:
            weights[node, other] = round(0.1 + draw.random(), 3)
            ends += [node, other]

order = list(range(nodes))
for i in range(nodes - 1, 0, -1):  # long, short and empty rows in any order
    j = int(draw.random() * (i + 1))
    order[i], order[j] = order[j], order[i]
entries, degree = [], [0.0] * nodes
for (a, b), weight in weights.items():
    low, high = sorted((order[a], order[b]))
    entries.append((low, high, -weight))
    degree[low] += weight
    degree[high] += weight
entries += [(i, i, d) for i, d in enumerate(degree) if d > 0]

with open("network.mtx", "w", encoding="ascii") as out:
    out.write("%%MatrixMarket matrix coordinate real symmetric\n")
    out.write("% The weighted Laplacian of a random network, made by network.py beside this file.\n")
    out.write(f"{nodes} {nodes} {len(entries)}\n")
    for column, row, value in sorted(entries):
        out.write(f"{row + 1} {column + 1} {value:.3f}\n")
