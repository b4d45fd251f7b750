"""Scheduled CFR over a public tree on a graphics card."""
