"""The bucketed form: the betting tree times buckets of cards."""
