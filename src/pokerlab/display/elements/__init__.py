"""What other displays are made of: numbers as text, tables, grids, charts, figures, HTML, and the console."""
