"""Agents meet: referee, duplicate matches, tournaments, statistics, protocols, hand histories."""
