"""Agents against each other: referee, duplicate matches, tournaments, statistics, protocols, hand histories."""
