"""Games whose players' hands tremble: equilibria that are good play off the path, too."""
