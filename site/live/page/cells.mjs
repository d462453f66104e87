// Cells that run where they stand.  Loaded when a control of launcher.js is
// first used; loads Python, the editor and the widget manager when each is
// first needed.
import { Python } from "./python.mjs";
import { element, show } from "./show.mjs";

const here = (name) => new URL(name, import.meta.url).href;
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

let cells; // of the page, in its order
let python;
let widgets; // promise of the manager, once a slider was made
let bar;
let queue = Promise.resolve();
let round = 0; // raised by Stop: what was queued before it is not run
const changed = new Set(); // cells whose own text, not the published one, has been run

/* ---------- a cell ---------- */

class Cell {
  constructor(box, number) {
    this.box = box;
    this.number = number;
    this.input = box.querySelector(".cell_input");
    this.code = this.input.querySelector('div[class*="highlight-"]');
    this.publishedText = this.code.querySelector("pre").textContent.replace(/\n$/, "");
    this.published = box.querySelector(".cell_output"); // null if it showed nothing
    this.output = this.published;
    this.controls = box.querySelector(".live-controls");
    this.note = box.querySelector(".live-note");
    this.resetButton = box.querySelector(".live-reset");
    this.editor = null;
    this.ran = null; // the text that this Python has run last, if it is up to date
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey || event.defaultPrevented) return;
      event.preventDefault();
      runTo(this);
    });
  }

  get text() {
    return this.editor?.text() ?? this.publishedText;
  }

  get changed() {
    return this.text !== this.publishedText || this.output !== this.published;
  }

  refresh(note) {
    if (note !== undefined) this.note.textContent = note;
    this.resetButton.hidden = !this.changed && !this.editor;
  }

  /** Where the next run shows what it shows; it takes the old one's place when there is something. */
  newOutput() {
    const fresh = element("div", { className: "cell_output docutils container live-output" });
    let placed = false;
    return {
      fresh,
      place: () => {
        if (placed) return;
        placed = true;
        if (this.output) this.output.replaceWith(fresh);
        else this.controls.after(fresh);
        this.output = fresh;
      },
    };
  }

  async edit() {
    if (!this.editor) {
      this.note.textContent = "Loading the editor …";
      const bundle = await import(here("bundles/editor.mjs")).catch(() => null);
      this.note.textContent = bundle ? "" : "The editor could not be loaded. Press Edit to try again.";
      if (!bundle) return;
      const { edit } = bundle;
      if (!this.editor) {
        const place = element("div", { className: "live-editor" });
        this.code.after(place);
        this.code.hidden = true;
        this.editor = edit(place, {
          text: writings.get(this.number) ?? this.publishedText,
          label: `Code of cell ${this.number}`,
          keys: {
            "Shift-Enter": () => runTo(this),
            "Mod-Enter": () => runTo(this),
            Escape: () => this.box.querySelector(".live-run").focus(),
          },
          onChange: () => {
            writings.put(this.number, this.text === this.publishedText ? null : this.text);
            this.refresh(this.text === this.publishedText ? "" : "Edited");
          },
        });
      }
      this.refresh(this.text === this.publishedText ? undefined : "Edited");
    }
    this.editor.focus();
  }

  reset() {
    writings.put(this.number, null);
    this.editor?.remove();
    this.input.querySelector(".live-editor")?.remove();
    this.editor = null;
    this.code.hidden = false;
    if (this.output !== this.published) {
      if (this.published) this.output.replaceWith(this.published);
      else this.output.remove();
      this.output = this.published;
    }
    this.refresh("");
  }
}

/** What the reader has written on this page, while the browser's window is open: by the cell's number. */
const writings = {
  key: `cells:${location.pathname}`,
  all() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  },
  get(number) {
    return this.all()[number];
  },
  put(number, text) {
    const all = this.all();
    if (text === null) delete all[number];
    else all[number] = text;
    try {
      if (Object.keys(all).length) sessionStorage.setItem(this.key, JSON.stringify(all));
      else sessionStorage.removeItem(this.key);
    } catch {
      // a browser that remembers nothing
    }
  },
};

/* ---------- running ---------- */

/** Run a cell, and before it those above that are not up to date and that it may need. */
function runTo(cell) {
  const above = cells.slice(0, cell.number - 1);
  const stale = above.findIndex((one) => one.ran !== one.text);
  const first = stale < 0 ? [] : above.slice(stale);
  // a published cell that only shows something can be passed over; who knows what a changed one does
  const needed = (one) => ({ cell: one, onlyIfNeeded: one.text === one.publishedText });
  return enqueue([...first.map(needed), { cell, onlyIfNeeded: false }]);
}

function enqueue(steps) {
  const mine = round;
  for (const { cell } of steps) cell.note.textContent = "Waiting";
  queue = queue.then(() => runSteps(steps, mine)).catch((error) => console.error(error));
  return queue;
}

async function runSteps(steps, mine) {
  bar.busy(true);
  for (const [index, { cell, onlyIfNeeded }] of steps.entries()) {
    if (mine !== round) break;
    const result = await runCell(cell, onlyIfNeeded);
    const left = steps.slice(index + 1);
    if (result === "failed" && left.length) {
      bar.say(`Cell ${cell.number} ended with an error, so the cells after it were not run.`);
      break;
    }
    if (result === "stopped" || result === "broken") break;
  }
  for (const { cell } of steps) if (cell.note.textContent === "Waiting") cell.note.textContent = "";
  if (mine === round) bar.busy(false);
}

async function runCell(cell, onlyIfNeeded) {
  const { fresh, place } = cell.newOutput();
  let shown = Promise.resolve();
  const source = cell.text;
  cell.box.classList.add("live-running");
  cell.note.textContent = "Running";
  let begun;
  const mine = round;
  let result = "broken";
  try {
    if (!python.isReady) bar.say("Starting Python");
    await python.start();
    bar.say(`Running cell ${cell.number}`);
    begun = performance.now();
    result = await python.run({
      cell: cell.number,
      source,
      onlyIfNeeded,
      show: (message) => {
        // one after the other, even where the first of them needs the widget manager
        shown = shown
          .then(() => {
            place();
            return show(fresh, message, cell, startWidgets);
          })
          .catch(() => {
            place();
            show(fresh, { kind: "error", text: "This part of the site could not be loaded. Run the cell again." }, cell);
          });
      },
    });
  } catch {
    // said by whoever found out: see `listen`
    if (mine !== round) result = "stopped";
  }
  await shown;
  if (result !== "skipped" && result !== "broken") place();
  cell.box.classList.remove("live-running");
  const seconds = begun ? ((performance.now() - begun) / 1000).toFixed(1) : "";
  const notes = {
    worked: `Ran in ${seconds} s`,
    failed: "Ended with an error",
    stopped: "Stopped",
    skipped: "",
    broken: "Not run",
  };
  if (result === "worked") bar.say(`Cell ${cell.number} ran in ${seconds} seconds.`);
  if (result === "failed") bar.say(`Cell ${cell.number} ended with an error.`);
  if (result === "worked" || result === "failed" || result === "skipped") {
    cell.ran = source;
    if (source !== cell.publishedText) changed.add(cell);
    // what stands below was computed from something else
    if (result !== "skipped") for (const later of cells.slice(cell.number)) later.ran = null;
  }
  cell.refresh(notes[result]);
  return result;
}

async function stop() {
  round += 1;
  bar.say("Stopping …");
  const kept = await python.stop();
  bar.busy(false);
  if (kept) {
    bar.say("Stopped. Python's variables were kept.");
    return;
  }
  forget();
  bar.say("Stopped. Python had to be ended: its variables are gone, and the next run begins again with the cells above.");
  python.start().catch(() => {});
}

/** A new Python knows nothing of what the last one ran, and nothing moves its sliders. */
function forget() {
  for (const cell of cells) cell.ran = null;
  changed.clear();
  widgets = undefined;
  for (const box of document.querySelectorAll(".live-widget:not([inert])")) {
    box.inert = true;
    box.after(element("p", { className: "live-said", textContent: "Run this cell again to move this." }));
  }
}

/** The published text and output, and names as the published cells make them. */
function resetCell(cell) {
  cell.reset();
  if (!changed.has(cell)) return;
  // who knows what its own text has changed: all cells run again, in a Python that knows no names
  changed.delete(cell);
  python.forget();
  for (const one of cells) one.ran = null;
}

function resetPage() {
  round += 1;
  python.end();
  forget();
  for (const cell of cells) cell.reset();
  bar.busy(false);
  bar.say("The page is as it was published. Python was ended.");
}

/* ---------- what Python says besides ---------- */

async function startWidgets() {
  widgets ??= import(here("bridge.mjs")).then(
    ({ Widgets }) => {
      document.head.append(element("link", { rel: "stylesheet", href: here("bundles/widgets.css") }));
      watchSliders();
      return new Widgets(python);
    },
    (error) => {
      widgets = undefined; // the next run asks again
      throw error;
    },
  );
  return widgets;
}

function listen(kind, message) {
  if (kind === "progress") bar.progress(message.loaded);
  else if (kind === "comm") startWidgets().then((manager) => manager.receive(message), () => {});
  else if (kind === "asked") {
    // a callback that takes its time can be stopped
    setTimeout(() => {
      if (!python.busy) return;
      bar.busy(true);
      bar.say("Running what the slider calls");
    }, 500);
  } else if (kind === "idle") {
    if (!python.busy) bar.busy(false);
    widgets?.then((manager) => manager.idle(message.comm_id), () => {});
  }
  else if (kind === "broken") {
    forget();
    bar.say(`Python could not be started: ${message.message}`);
  } else if (kind === "aside") {
    const last = cells.findLast((cell) => cell.output?.querySelector(".live-widget"));
    if (last) show(last.output, message, last, startWidgets);
  }
}

// Names and values for screen readers: course.js knows how.
function watchSliders() {
  let pending = 0;
  new MutationObserver(() => {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      globalThis.describeSliders?.();
    });
  }).observe(document.querySelector("article"), {
    attributeFilter: ["aria-valuenow", "aria-valuetext"],
    characterData: true,
    childList: true,
    subtree: true,
  });
}

/* ---------- the bar at the foot of the page ---------- */

function makeBar(total) {
  const status = element("p", { className: "live-status" });
  status.setAttribute("role", "status");
  const meter = element("progress", { max: total, value: 0 });
  meter.setAttribute("aria-label", "Loading Python");
  const bytes = element("span", { className: "live-bytes" });
  const loading = element("span", { className: "live-loading", hidden: true }, meter, bytes);
  const button = (className, text, act) => {
    const made = element("button", { type: "button", className, textContent: text });
    made.addEventListener("click", act);
    return made;
  };
  const stopButton = button("live-stop", "Stop", stop);
  const all = button("live-all", "Run all", () => enqueue(cells.map((cell) => ({ cell, onlyIfNeeded: false }))));
  const reset = button("live-reset-page", "Reset page", resetPage);
  stopButton.hidden = true;
  const box = element("section", { className: "live-bar" }, status, loading, stopButton, all, reset);
  box.setAttribute("aria-label", "Python on this page");
  document.body.append(box);
  document.documentElement.dataset.live = "on";
  return {
    say: (text) => {
      status.textContent = text;
      loading.hidden = true;
    },
    progress: (loaded) => {
      loading.hidden = false;
      meter.value = loaded;
      bytes.textContent = `${megabytes(loaded)} of ${megabytes(total)} MB`;
      if (loaded >= total) loading.hidden = true;
    },
    busy: (on) => {
      // focus does not fall off a button that goes away
      if (!on && document.activeElement === stopButton) all.focus();
      stopButton.hidden = !on;
    },
  };
}

/* ---------- the controls of launcher.js ---------- */

let setting;

async function setUp(boxes) {
  const answer = await fetch(here("settings.json"));
  if (!answer.ok) throw new Error(`settings.json: ${answer.status}`);
  const settings = await answer.json();
  cells = boxes.map((box, index) => new Cell(box, index + 1));
  bar = makeBar(settings.bytes);
  python = new Python(settings, listen);
}

export async function use(boxes, action, number) {
  await (setting ??= setUp(boxes).catch((error) => {
    setting = undefined; // the next press asks again
    throw error;
  }));
  const cell = cells[number - 1];
  if (action === "edit") {
    // whoever edits will run
    python.start().catch(() => {});
    return cell.edit();
  }
  if (action === "reset") return resetCell(cell);
  if (action === "above") return enqueue(cells.slice(0, number - 1).map((one) => ({ cell: one, onlyIfNeeded: false })));
  return runTo(cell);
}
