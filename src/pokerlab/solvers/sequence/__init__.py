"""Scheduled CFR on the sequence form, and its kernels."""
