"""The use cases behind the command line and the other interfaces, as records and events."""
