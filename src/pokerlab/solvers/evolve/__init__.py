"""The genetic algorithm on two-role games."""
