/* Runs before anything is painted, so that a page in the dark theme does not flash
   white.  A file of its own, because a content security policy forbids inline scripts. */
"use strict";

(() => {
  const root = document.documentElement;
  let mode = "auto";
  try {
    mode = localStorage.getItem("mode") || mode;
  } catch {
    // storage may be forbidden
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
})();
