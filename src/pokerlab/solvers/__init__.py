"""Arrays in, arrays out: a library of algorithms over engines with their kernels, one run loop, one measure."""
