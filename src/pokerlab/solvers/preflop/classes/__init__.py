"""Games over classes of hands: linear programs, the CFR family, fictitious play."""
