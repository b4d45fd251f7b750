"""Solutions and runs: results, comparisons, convergence, training, verification."""
