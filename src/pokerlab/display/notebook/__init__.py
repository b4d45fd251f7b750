"""Results in notebooks, as HTML and as pictures."""
