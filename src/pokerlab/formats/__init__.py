"""Other people's files, both ways: Gambit, game definitions, tables, OpenSpiel, the competition's text, PHH, spots."""
