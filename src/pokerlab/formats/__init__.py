"""Reading and writing other file formats: Gambit, game definitions, tables, OpenSpiel, ACPC text, PHH, spots."""
