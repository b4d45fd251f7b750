"""Solutions and the files that hold them."""
