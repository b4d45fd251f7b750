"""Crafted and damaged files of every format, given to the commands that read them."""
