"""Review saved hands, and the hands of a session at the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.hands import open_hands
from pokerlab.lab.play.playing import PERSON, Seating
from pokerlab.lab.play.review import Review, Reviewer, review_hands
from pokerlab.lab.play.reviewers import no_reviewer, open_reviewer, reviewer_at_hand
from pokerlab.match.hands.exchange import PlayedHand


def review_file(
    path: Path,
    reviewer: str | None = None,
    *,
    agents: Sequence[str] = (),
    game: str | None = None,
    match: int | None = None,
    most: int | None = None,
) -> Review:
    """Review the hands of a file: of these agents, by default of the person if one played, else of all."""
    hands = open_hands(path, game=game, match=match, most=most)
    people = [PERSON] if any(PERSON in hand.names for hand in hands) else []

    def reviewer_for(game: PokerGame) -> Reviewer:
        opened = reviewer_at_hand(game) if reviewer is None else open_reviewer(reviewer, game)
        if opened is None:
            raise no_reviewer(game)
        return opened

    return review_hands(hands, reviewer_for, agents=agents or people)


def review_session(seating: Seating, hands: Sequence[PlayedHand]) -> Review | None:
    """Review the person's decisions by a solution that an opponent plays, or a blueprint; None if there is neither."""
    reviewer = reviewer_at_hand(seating.game, seating.opponents)
    if reviewer is None or not hands:
        return None
    return review_hands(hands, lambda _: reviewer, agents=[PERSON])
