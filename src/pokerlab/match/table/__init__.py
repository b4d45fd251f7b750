"""One hand at a table: the referee."""
