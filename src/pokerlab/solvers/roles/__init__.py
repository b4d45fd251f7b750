"""Two-role games: linear programs, the CFR family, sampled regret matching."""
