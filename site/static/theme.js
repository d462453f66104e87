/* Runs before anything is painted, so that a page in the dark theme does not flash
   white, nor one on a shorter way show what it leaves out.  A file of its own, because a content security policy forbids inline scripts. */
"use strict";

(() => {
  const root = document.documentElement;
  let mode = "auto";
  let way = "everything";
  try {
    mode = localStorage.getItem("mode") || mode;
    way = JSON.parse(localStorage.getItem("way")) || way;
  } catch {
    // storage may be forbidden
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.way = way;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
})();
