"""The CFR family: the general solver for any form, and engines for the sequence and the public form."""
