"""Games before the flop: classes of hands, and push or fold of many players."""
