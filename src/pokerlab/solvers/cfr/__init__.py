"""The CFR family: the general solver on any form, and engines for the sequence and the public form."""
