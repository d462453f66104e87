"""Peak memory and time of attention with the whole grid and in blocks, measured.

Times differ from machine to machine, so the course keeps one recorded run in
``measured.json`` and draws from that.  ``python -m scripts.measure`` measures
again and replaces it; a notebook can call `measure` and draw from its own.
"""

import json
import os
import platform
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from scripts.attention import attention, blockwise_attention, whole_number

RECORD = Path(__file__).with_name("measured.json")
SHORTEST, LONGEST = 256, 8192
HEAD_SIZE = 64
SEED = 7


@dataclass(frozen=True)
class Run:
    """One run of measurements: one number a length in each tuple."""

    lengths: tuple[int, ...]  # numbers of tokens, each twice the one before
    full_bytes: tuple[int, ...]  # the most memory that the call held at once, its result included
    block_bytes: tuple[int, ...]
    full_seconds: tuple[float, ...]  # the shortest of several times
    block_seconds: tuple[float, ...]
    cores: int
    python: str  # versions
    numpy: str
    recorded: bool = False  # True for the run that is stored with the course


def peak_bytes(call: Callable) -> int:
    """Return the most memory, in bytes, that `call()` holds beyond what was there before.

    NumPy reports every array to `tracemalloc`, so the count is exact.
    """
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not already:
            tracemalloc.stop()


def best_seconds(call: Callable, repeats: int = 5) -> float:
    """Return the shortest of several times that `call()` takes.

    Whatever else the machine does can only make a time longer, so the shortest
    says most about the call.
    """
    times = []
    for _ in range(whole_number("repeats", repeats)):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    # A coarse clock may say zero; nothing takes less than one tick of it.
    return max(min(times), time.get_clock_info("perf_counter").resolution)


def measure(longest: int = LONGEST, *, shortest: int = SHORTEST, repeats: int = 5) -> Run:
    """Measure both forms of attention on rows of random tokens, one head of size 64.

    Lengths double from `shortest` for as long as they do not pass `longest`; there
    must be two.  The whole grid of 8192 tokens needs about 2.1 GiB.  Each is timed
    `repeats` times.
    """
    longest, length = whole_number("longest", longest), whole_number("shortest", shortest)
    if longest < 2 * length:
        raise ValueError(f"longest must be at least twice shortest ({length}); got {longest}")
    generator = np.random.default_rng(SEED)
    rows = []
    while length <= longest:
        queries, keys, values = generator.normal(size=(3, length, HEAD_SIZE))

        def whole(q=queries, k=keys, v=values):
            return attention(q, k, v).output

        def in_blocks(q=queries, k=keys, v=values):
            return blockwise_attention(q, k, v)

        # Time first: what a first call sets up once is then not counted as its memory.
        seconds = [best_seconds(call, repeats) for call in (whole, in_blocks)]
        rows.append((length, peak_bytes(whole), peak_bytes(in_blocks), *seconds))
        length *= 2
    return Run(
        *zip(*rows, strict=True),
        cores=os.cpu_count() or 1,
        python=".".join(platform.python_version_tuple()[:2]),
        numpy=np.__version__,
    )


def recorded() -> Run:
    """Return the run that is stored with the course."""
    stored = json.loads(RECORD.read_text(encoding="utf-8"))
    frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
    return Run(**frozen, recorded=True)


def main():
    """Measure, print and store."""
    run = measure()
    stored = {name: value for name, value in asdict(run).items() if name != "recorded"}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in stored.items())
    RECORD.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    print(RECORD.read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
