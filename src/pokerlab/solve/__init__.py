"""Arrays in, arrays out: one file an algorithm over shared kernels, one run loop, one measure."""
