"""Parts of pages: the grid of hands, cards, ranges, plots, lists of jobs."""
