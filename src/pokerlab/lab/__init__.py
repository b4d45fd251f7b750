"""The use cases, once: what the command line and other faces of the laboratory do, as records and events."""
