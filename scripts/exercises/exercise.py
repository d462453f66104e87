"""An exercise as data: what is right, and what the known mistakes lead to."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from scripts.exercises.answers import Wrong, call, compare, matches, numbers, parts

EXERCISES = {}  # by number; whoever makes an `Exercise` puts it here


@dataclass(frozen=True)
class Edge:
    """Arguments at which careless arithmetic breaks down.

    `nan` is told where NaN or infinity comes out; the other fields are those
    of `Exercise`, whose own mistakes are not looked for here.
    """

    arguments: tuple
    nan: str | None
    what: str = ""
    decimals: int | None = None
    mistakes: Mapping[str, Callable] = field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """What a reader is asked for, and how the answer is judged.

    Numbers are compared with `want`; a function is compared with `reference`
    on all `cases`; where neither will do, `judge` does it all.
    """

    identity: str  # section and number, such as "3.1"
    _: KW_ONLY
    # the right numbers; where several are asked for, by name
    want: ArrayLike | Mapping[str, ArrayLike] | None = None
    # what messages call the numbers: all of them, each by its name, or for these arguments
    what: str | Mapping[str, str] | Callable[..., str] = "the answer"
    # numbers agree when rounded to so many, either way at a tie
    decimals: int | Mapping[str, int] | None = None
    # sentences, each with what the mistake that it names leads to: numbers, a dict of
    # those parts that become wrong, or a function that makes the mistake
    mistakes: Mapping[str, object] = field(default_factory=dict)
    # turns the answer, a part and its name, or a result and its arguments into numbers,
    # or raises `Wrong`, where there is more to say of their form
    read: Callable | None = None
    reference: Callable | None = None  # does what the reader's function is to do
    name: str = "your function"  # what the reader's function is called
    cases: Sequence[tuple] = ()  # its arguments, run by run
    nan: str | None = None  # told where NaN or infinity comes out of a case
    edges: Sequence[Edge | Callable] = ()  # tried after the cases; a function is given the reader's
    judge: Callable | None = None  # is given the answer, and raises `Wrong` or `NotYet`, or returns
    praise: str = ""  # told after "right."

    def __post_init__(self):
        if not re.fullmatch(r"\d+\.\d+", self.identity) or self.identity in EXERCISES:
            raise ValueError(f'an exercise is named like "3.1", and once; got {self.identity!r}')
        EXERCISES[self.identity] = self

    def examine(self, answer: object) -> None:
        """Return quietly if the answer is right; raise `Wrong` or `NotYet` if it is not."""
        if self.judge:
            self.judge(answer)
        elif self.reference:
            self._examine_function(answer)
        elif isinstance(self.want, Mapping):
            self._examine_parts(answer)
        else:
            got = self.read(answer) if self.read else numbers(answer, np.shape(self.want), self.what)
            compare(got, self.want, self.what, self.mistakes, decimals=self.decimals)

    def _examine_parts(self, answer):
        found = dict(zip(self.want, parts(answer, list(self.want)), strict=True))
        for name, got in found.items():
            shape = np.shape(self.want[name])
            found[name] = self.read(got, name) if self.read else numbers(got, shape, self.what[name])
        for sentence, wrong in self.mistakes.items():
            if len(wrong) > 1 and all(
                matches(found[name], wrong[name], self._decimals_of(name)) for name in wrong
            ):
                raise Wrong(sentence)
        for name, want in self.want.items():
            own = {sentence: wrong[name] for sentence, wrong in self.mistakes.items() if [*wrong] == [name]}
            compare(found[name], want, self.what[name], own, decimals=self._decimals_of(name))

    def _decimals_of(self, name):
        return self.decimals.get(name) if isinstance(self.decimals, Mapping) else self.decimals

    def _examine_function(self, function):
        cases = [Edge(arguments, self.nan, mistakes=self.mistakes) for arguments in self.cases]
        for case in [*cases, *self.edges]:
            if callable(case):
                case(function)
                continue
            what = case.what or self.what
            what = what(*case.arguments) if callable(what) else what
            result = call(function, *case.arguments, what=self.name)
            want = np.asarray(self.reference(*case.arguments), dtype=float)
            if self.read:
                got = self.read(result, *case.arguments)
            else:
                got = numbers(result, want.shape, what, strict=True, nan=case.nan)
            compare(got, want, what, case.mistakes, case.arguments, decimals=case.decimals)
