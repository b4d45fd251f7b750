"""`python -m pokerlab` is the command line."""

from pokerlab.cli import main

if __name__ == "__main__":
    main()
