"""Rewrite every archive in /from as one of bytecode in /to.

Runs inside Pyodide, under Node: see compile.mjs.
"""

import json
import os
import re
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

EPOCH = (2020, 1, 1, 0, 0, 0)  # the same bytes on every day
STANDARD_LIBRARY = "python_stdlib.zip"
NO_CHECK = b"\0" * 8  # the source that the bytecode could be compared with is not there

# What no cell of the course can reach: tests, headers, other back ends, fonts
# that no picture uses.
UNUSED = re.compile(
    r"""
      (^|/)tests?/
    | \.(pyi|pxd|pyx|h|c|a)$
    | /f2py/ | /_pyinstaller/
    | numpy/_core/_(simd|\w+_tests)\.cpython
    | PIL/_(imagingft|imagingcms|imagingmath|imagingmorph|imagingtk|webp|avif)\.cpython
    | mpl-data/(images|plot_directive|sample_data)/
    | mpl-data/fonts/(afm|pdfcorefonts)/
    | /ttf/(DejaVuSerif|DejaVuSansMono-(BoldOblique|Oblique))[^/]*\.ttf$
    | backends/(web_backend|qt_editor|_?backend_(gtk|qt|tk|wx|mac|nbagg|webagg|cairo))
    """,
    re.VERBOSE,
)
SLIMMED = ("numpy-", "matplotlib-", "pillow-", "contourpy-", "fonttools-")


def rewrite(name):
    """Copy one archive, compiling as we go."""
    where = "/lib/python314.zip" if name == STANDARD_LIBRARY else "/lib/python3.14/site-packages"
    with (
        zipfile.ZipFile(f"/from/{name}") as old,
        zipfile.ZipFile(f"/to/{name}", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
    ):
        for member in old.namelist():
            if member.endswith("/") or (name.startswith(SLIMMED) and UNUSED.search(member)):
                continue
            content = old.read(member)
            if member == "matplotlib/fontlist.json":
                content = without_dropped_fonts(content)
            elif member.endswith(".py"):
                code = compile(content, f"{where}/{member}", "exec", dont_inherit=True, optimize=0)
                content = bytes(_code_to_hash_pyc(code, NO_CHECK, False))
                member += "c"
            new.writestr(zipfile.ZipInfo(member, EPOCH), content, zipfile.ZIP_DEFLATED, 9)


def without_dropped_fonts(content):
    """Pyodide's matplotlib brings a list of its fonts: keep it true."""
    fonts = json.loads(content)
    for kind in ("afmlist", "ttflist"):
        fonts[kind] = [font for font in fonts[kind] if not UNUSED.search(f"mpl-data/{font['fname']}")]
    return json.dumps(fonts).encode()


for name in sorted(os.listdir("/from")):
    rewrite(name)
    before, after = (os.path.getsize(f"/{folder}/{name}") for folder in ("from", "to"))
    print(f"  {name}: {before:,} -> {after:,} bytes", flush=True)
