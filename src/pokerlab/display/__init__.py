"""Results into words, tables and plots; computes nothing new."""
