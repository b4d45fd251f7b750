"""The ACPC protocol over TCP: a dealer with its seats, and a client."""
