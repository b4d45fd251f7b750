"""The range engine: scheduled CFR and best responses on the public form."""
