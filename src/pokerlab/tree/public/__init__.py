"""The public form: two-player poker, a betting tree times the boards with a vector over hands at every node."""
