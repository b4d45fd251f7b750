"""Limit betting as the ACPC server plays it, action by action from its published rules, for stacks that run out.

A raise is allowed while fewer than `raises` were made in the round and two players have chips, whether the raiser can
call the bet with them or not. It is the bet to call and the round's size on top, or all chips of the raiser.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class LimitHand:
    """A hand of limit poker without its cards."""

    stack: int
    blinds: list[int]
    sizes: list[int]  # of a raise, by round
    raises: list[int]  # the most in each round
    first: list[int]  # the seat that acts first, by round
    spent: list[int] = field(init=False)
    history: str = ""
    round: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        self.spent = list(self.blinds)
        self.bet = max(self.spent)
        self.folded: set[int] = set()
        self.called: set[int] = set()  # since the last raise
        self.raised = 0
        self.last = self.first[0] - 1

    @property
    def acting(self) -> list[int]:
        """The seats that have neither folded nor put in all their chips."""
        return [seat for seat, chips in enumerate(self.spent) if seat not in self.folded and chips < self.stack]

    @property
    def actor(self) -> int:
        """The next seat that can act."""
        count = len(self.spent)
        return next(s for s in ((self.last + 1 + i) % count for i in range(count)) if s in self.acting)

    @property
    def legal(self) -> str:
        """The actions allowed."""
        fold = "f" if self.spent[self.actor] != self.bet else ""
        return fold + "c" + ("r" if self.raised < self.raises[self.round] and len(self.acting) > 1 else "")

    def act(self, action: str) -> None:
        """Carry out an action of the seat to act."""
        seat = self.last = self.actor
        self.history += action
        if action == "f":
            self.folded.add(seat)
        elif action == "c":
            self.spent[seat] = min(self.bet, self.stack)
            self.called.add(seat)
        else:
            self.bet = self.spent[seat] = min(self.bet + self.sizes[self.round], self.stack)
            self.called, self.raised = {seat}, self.raised + 1
        if len(self.folded) + 1 == len(self.spent):
            self.over = True
        elif set(self.acting) <= self.called:
            self._end_round()

    def _end_round(self) -> None:
        last = len(self.sizes) - 1
        if len(self.acting) < 2 or self.round == last:
            self.history += "/" * (last - self.round)
            self.over = True
            return
        self.round += 1
        self.history += "/"
        self.called, self.raised, self.last = set(), 0, self.first[self.round] - 1
