"""One file per published experiment: reruns it and compares our numbers with the printed ones."""
