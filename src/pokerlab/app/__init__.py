"""The page: study, play and watch in a browser. Pages and widgets; what they show is computed by lab/."""
