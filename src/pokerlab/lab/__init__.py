"""The use cases: what the commands and the page do, as records and events."""
