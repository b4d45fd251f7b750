"""Plain twins of compiled kernels, written to be read, one file a layer."""
