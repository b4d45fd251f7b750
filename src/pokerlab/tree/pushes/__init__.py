"""All-in or fold with any number of players, solved over the 169 classes of hands."""
