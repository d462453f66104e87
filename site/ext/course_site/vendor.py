"""The widget manager, for sliders: from npm, never committed."""

from __future__ import annotations

from course_live.fetch import SLIDERS, from_npm, kept_package
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .pictures import generated_folder

ON_LOAD = '("load",(()=>{!async function(e,t=document.documentElement)'
# What is changed in it, by exact text of what its package holds in short form.
CHANGES = {
    # It declares icon fonts that lie beside it in the package, and that no slider shows:
    # an at-rule of no name is passed over.
    "@font-face": "@no-font-face",
    # It compiles a check of what we ourselves have written into the page: a content
    # security policy forbids that, and there is nothing to find.
    "mt=gt.compile(pt),bt=gt.compile(At)": "mt=()=>true,bt=()=>true",
    # It renders once the page has loaded: ours asks for it only later (course.js).
    f"window.addEventListener{ON_LOAD}": (
        f'((e,t)=>document.readyState==="complete"?t():window.addEventListener(e,t)){ON_LOAD}'
    ),
}


def look_for_widget_manager(app: Sphinx) -> None:
    """`python -m course_live` has fetched it, or has said that it could not: then sliders stay still pictures."""
    app.course_sliders = kept_package(SLIDERS[0]).exists()


def bring_widget_manager(app: Sphinx, env: BuildEnvironment) -> None:
    """Only a book with a slider in it needs the widget manager."""
    if app.course_sliders and any(NbMetadataCollector.get_js_files(env, name) for name in env.found_docs):
        script = from_npm(*SLIDERS).decode()
        for old, new in CHANGES.items():
            if old not in script:
                raise RuntimeError(f"the widget manager has changed: look in it for what was {old}")
            script = script.replace(old, new)
        folder = generated_folder(app) / "vendor"
        folder.mkdir(exist_ok=True)
        (folder / "embed.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", look_for_widget_manager)
    app.connect("env-updated", bring_widget_manager)
