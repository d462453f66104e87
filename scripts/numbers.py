"""How a number is written, the same in prose, in pictures and in alt text."""

import numpy as np

MINUS = "\N{MINUS SIGN}"


def show(value, form=".2f") -> str:
    """Write one number in a format of Python's own, such as ``.3f``, ``+.2f`` or ``,d``.

    It has a real minus sign, and never a negative zero.  What is NaN, infinite or
    masked is no number: `ValueError`.
    """
    if np.ma.is_masked(value) or not np.isfinite(value):
        raise ValueError(f"only a finite number can be shown as one; got {value!r}")
    if form.endswith("d"):
        if value != int(value):
            raise ValueError(f"form {form!r} needs a whole number; got {value!r}")
        value = int(value)
    text = format(value, form)
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")  # 0.00 has no sign
    return text.replace("-", MINUS)


def listing(parts) -> str:
    """Join parts as English does: "a", "a and b", "a, b and c"."""
    parts = list(parts)
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]


def shows(values, form=".2f") -> str:
    """Write several numbers as an English list."""
    return listing(show(value, form) for value in values)


def show_bytes(count) -> str:
    """Write a number of bytes in the unit that suits it: "384 bytes", "1.5 KiB", "24 GiB"."""
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        size = count / 1024**power
        if size >= 1:
            return f"{show(size, ',d' if size == int(size) else ',.1f')} {unit}"
    return f"{show(count, 'd')} bytes"
