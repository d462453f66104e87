/* Puts Run controls on the cells of a page.  All else is loaded when one of
   them is first used: see cells.mjs. */
"use strict";

(() => {
  // A page opened from the disk may not start workers: no controls that could not work.
  if (!/^https?:$/.test(location.protocol) || !window.Worker || !window.WebAssembly) return;

  const home = document.currentScript.src.replace(/[^/]*$/, "");
  const cells = [...document.querySelectorAll("article .cell")].filter((cell) => cell.querySelector(".cell_input pre"));
  let module;
  let written = {}; // what the reader wrote before the page was left: cells.mjs keeps it
  try {
    written = JSON.parse(sessionStorage.getItem(`cells:${location.pathname}`)) ?? {};
  } catch {
    // a browser that remembers nothing
  }

  function use(action, number, button) {
    module ??= import(`${home}cells.mjs`);
    document.documentElement.dataset.live ??= "loading";
    const say = (text) => (button.closest(".live-controls").querySelector(".live-note").textContent = text);
    module.then(
      (live) => live.use(cells, action, number),
      (error) => {
        module = undefined;
        throw error;
      },
    ).catch(() => say("This part of the site could not be loaded. Press again to try once more."));
  }

  function control(action, text, name, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `live-${action}`;
    button.textContent = text;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => use(action, number, button));
    return button;
  }

  cells.forEach((cell, index) => {
    const number = index + 1;
    const controls = document.createElement("div");
    controls.className = "live-controls";
    controls.setAttribute("role", "group");
    controls.setAttribute("aria-label", `Cell ${number}`);
    controls.append(
      control("run", "Run", `Run cell ${number}`, number),
      control("edit", "Edit", `Edit cell ${number}`, number),
    );
    if (index) controls.append(control("above", "Run all above", `Run all above cell ${number}`, number));
    const reset = control("reset", "Reset", `Reset cell ${number} to the published text and output`, number);
    reset.hidden = true;
    const note = document.createElement("span");
    note.className = "live-note";
    controls.append(reset, note);
    if (written[number] !== undefined) {
      const mine = control("edit", "My text again", `My text again: what you wrote into cell ${number}`, number);
      mine.className = "live-mine";
      mine.addEventListener("click", () => mine.remove());
      controls.insertBefore(mine, note);
    }
    cell.querySelector(".cell_input").after(controls);
    // Editing also begins where the reader double-clicks.
    cell.querySelector(".cell_input pre").addEventListener("dblclick", () => use("edit", number, controls.firstChild));
  });
})();
