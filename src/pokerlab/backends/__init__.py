"""Back ends of `parallel` that run work on other machines, one module each."""
