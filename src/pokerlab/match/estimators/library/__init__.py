"""One file per estimator."""
