"""A small neural network in NumPy: one layer of hyperbolic tangents, then outputs that the caller interprets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

_DECAY, _DECAY_SQUARES, _TINY = 0.9, 0.999, 1e-8  # of Adam (Kingma and Ba, 2015)


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network; they change only in `Trainer`."""

    first: np.ndarray  # [input + 1, hidden]; the last row is the bias
    second: np.ndarray  # [hidden + 1, output]

    @staticmethod
    def random(inputs: int, hidden: int, outputs: int, rng: np.random.Generator) -> Network:
        """A network to train."""
        first = rng.normal(0, 1 / np.sqrt(inputs), (inputs + 1, hidden))
        second = rng.normal(0, 0.1 / np.sqrt(hidden), (hidden + 1, outputs))
        return Network(first, second)

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray], name: str) -> Network:
        """A network from the arrays that `arrays` gives."""
        return Network(*(arrays[f"{name}.{layer}"].astype(np.float64) for layer in ("first", "second")))

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """The weights under names, to save."""
        return {f"{name}.first": self.first, f"{name}.second": self.second}

    def hidden(self, inputs: np.ndarray) -> np.ndarray:
        """The values of the hidden layer.  # [row, hidden]"""
        return np.asarray(np.tanh(inputs @ self.first[:-1] + self.first[-1]))

    def outputs(self, inputs: np.ndarray) -> np.ndarray:
        """The outputs for rows of inputs.  # [row, output]"""
        return np.asarray(self.hidden(inputs) @ self.second[:-1] + self.second[-1])


class Trainer:
    """Gradient steps with Adam on a copy of a network."""

    def __init__(self, network: Network, *, rate: float) -> None:
        self.network = Network(network.first.copy(), network.second.copy())
        self._rate, self._steps = rate, 0
        self._means = [np.zeros_like(layer) for layer in (network.first, network.second)]
        self._squares = [np.zeros_like(layer) for layer in (network.first, network.second)]

    def step(self, inputs: np.ndarray, slopes: np.ndarray) -> None:
        """Lower a loss whose derivatives by the outputs are `slopes` [row, output]."""
        network, rows = self.network, len(inputs)
        hidden = network.hidden(inputs)
        inner = slopes @ network.second[:-1].T * (1 - hidden**2)
        self._steps += 1
        for number, (layer, below, above) in enumerate(
            ((network.first, inputs, inner), (network.second, hidden, slopes))
        ):
            gradient = np.concatenate([below.T @ above, above.sum(axis=0, keepdims=True)]) / rows
            self._means[number] = _DECAY * self._means[number] + (1 - _DECAY) * gradient
            self._squares[number] = _DECAY_SQUARES * self._squares[number] + (1 - _DECAY_SQUARES) * gradient**2
            mean = self._means[number] / (1 - _DECAY**self._steps)
            square = self._squares[number] / (1 - _DECAY_SQUARES**self._steps)
            layer -= self._rate * mean / (np.sqrt(square) + _TINY)


def softmax(outputs: np.ndarray) -> np.ndarray:
    """Probabilities from outputs.  # [row, output]"""
    raised = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit_classes(
    inputs: np.ndarray, classes: np.ndarray, *, hidden: int, count: int, epochs: int, seed: int, rate: float = 0.01
) -> Network:
    """A network whose softmax predicts the class of each row, by cross-entropy in batches of 256."""
    rng = np.random.default_rng(seed)
    trainer = Trainer(Network.random(inputs.shape[1], hidden, count, rng), rate=rate)
    wanted = np.eye(count)[classes]
    for _ in range(epochs):
        order = rng.permutation(len(inputs))
        for rows in np.array_split(order, max(len(order) // 256, 1)):
            predicted = softmax(trainer.network.outputs(inputs[rows]))
            trainer.step(inputs[rows], predicted - wanted[rows])
    return trainer.network
