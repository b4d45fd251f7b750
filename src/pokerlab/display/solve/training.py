"""Progress of training a blueprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerlab.display.elements.numbers import duration
from pokerlab.tree.forecast import bytes_text, count_text

if TYPE_CHECKING:
    from pokerlab.lab.solve.training import TrainingProgress
    from pokerlab.tree.bucketed.form import BucketedForm

HEADING = f"{'time':>7}{'iterations':>14}{'a second':>12}{'visited':>9}{'regret':>11}   against the last"


class ProgressPrinter:
    """Prints a line per progress report, with the speed since the previous one."""

    def __init__(self, screen: Any, form: BucketedForm) -> None:
        self.screen, self.form = screen, form
        self.last: TrainingProgress | None = None

    def line(self, progress: TrainingProgress) -> None:
        """Print one line, and before the first one the headings."""
        before, self.last = self.last, progress
        if before is None:
            self.screen.print(f"[dim]{HEADING}[/dim]", soft_wrap=True)
        done = progress.iterations - (before.iterations if before else 0)
        spent = progress.seconds - (before.seconds if before else 0.0)
        learned = progress.learned
        rate = f"{done / spent:,.0f}" if spent > 0 else ""
        text = f"{duration(progress.seconds):>7}{progress.iterations:>14,}{rate:>12}{100 * learned.touched:>8.1f}%"
        text += f"{'':>11}" if learned.regret is None else f"{learned.regret:>11.3g}"
        if learned.gain is not None and learned.half is not None:
            text += f"   {learned.gain:+.4g} ± {learned.half:.2g} chips a hand"
        self.screen.print(text, soft_wrap=True, highlight=False)


def size_words(form: BucketedForm) -> str:
    """The size of a bucketed form in one sentence."""
    size = form.size
    assert size.infosets is not None
    return (
        f"{form.name} with buckets {form.buckets.text}: {count_text(form.betting.nodes)} betting nodes, "
        f"{count_text(size.infosets)} infosets, {bytes_text(size.bytes)}"
    )
