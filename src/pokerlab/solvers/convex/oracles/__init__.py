"""Oracle methods: restricted games that grow by best responses until nothing outside them is better."""
