"""Features: vectors by which hands are compared, one file per feature."""
