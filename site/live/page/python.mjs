// The page's side of the worker in which Python runs.
//
// To the worker:  start (what to load) · run (a cell) · comm (a slider moved) · forget (all names)
// From it:        progress (bytes) · ready · broken · done (a cell ended) · idle (a slider's
//                 message was dealt with) · comm (a slider was made or moved by Python)
//                 · stream, display, error, clear (what a cell says and shows)
//
// The life of a Python, and what ends each state:
//
//   none ── start() ──> loading ── ready ──> idle ── run(), a callback ──> busy ── done ──> idle
//                          │                   │                             │
//                          └── broken, end() ──┴────── broken, end() ────────┴──> none
//
// Whoever waits for a Python that is ended hears of it: `start` rejects, `run` gives "stopped".

const here = (name) => new URL(name, import.meta.url).href;
const PATIENCE = 1500; // ms that a polite interruption is given before Python is ended

export class Python {
  #worker;
  #ready;
  #waiting = new Map(); // request -> { show, finish }
  #last = 0;
  #abandon; // rejects `start` for those who wait
  #asked = 0; // messages of sliders that Python has not dealt with
  #interrupt = null;
  isReady = false;

  /** `listen` is told of progress, of comms and of a Python that cannot be started. */
  constructor(settings, listen) {
    this.settings = settings;
    this.listen = listen;
  }

  get busy() {
    return this.#waiting.size > 0 || this.#asked > 0;
  }

  /** Resolves when Python is ready; starts it if need be. */
  start() {
    this.#ready ??= new Promise((resolve, reject) => {
      this.#abandon = reject;
      const worker = (this.#worker = new Worker(here("worker.mjs"), { type: "module" }));
      // Where the host isolates the page from others, a cell can be interrupted and keeps its variables.
      // A browser may be isolated and still have no shared memory: WebKitGTK.
      const shared = globalThis.crossOriginIsolated && globalThis.SharedArrayBuffer;
      this.#interrupt = shared ? new Uint8Array(new SharedArrayBuffer(1)) : null;
      worker.onmessage = ({ data }) => {
        if (data.kind === "ready") {
          this.isReady = true;
          resolve();
        } else if (data.kind === "broken") fail(data.message);
        else this.#receive(data);
      };
      worker.onerror = (event) => fail(event.message || "the worker could not be loaded");
      const fail = (message) => {
        this.end();
        reject(new Error(message));
        this.listen("broken", { message });
      };
      const { packages, wheels, onDemand } = this.settings;
      worker.postMessage({ kind: "start", packages, wheels, onDemand, interrupt: this.#interrupt });
    });
    return this.#ready;
  }

  #receive(data) {
    const request = this.#waiting.get(data.id);
    if (data.kind === "done") {
      this.#waiting.delete(data.id);
      request?.finish(data.result);
    } else if (["progress", "comm", "idle"].includes(data.kind)) {
      if (data.kind === "idle") this.#asked = Math.max(0, this.#asked - 1);
      this.listen(data.kind, data);
    } else if (request) {
      request.show(data);
    } else {
      // said by a slider's callback, when no cell is running
      this.listen("aside", data);
    }
  }

  /** Resolves with "worked", "failed", "skipped" or "stopped". */
  async run({ cell, source, onlyIfNeeded, show }) {
    await this.start();
    return new Promise((finish) => {
      const id = ++this.#last;
      this.#waiting.set(id, { show, finish });
      this.#worker.postMessage({ kind: "run", id, cell, source, onlyIfNeeded });
    });
  }

  sendComm(content) {
    if (!this.#worker) return;
    this.#asked += 1;
    this.#worker.postMessage({ kind: "comm", content });
    this.listen("asked", {});
  }

  /** Let Python forget what cells have made. */
  forget() {
    this.#worker?.postMessage({ kind: "forget" });
  }

  /** Stop what runs; resolves with true if Python's variables were kept. */
  async stop() {
    if (this.isReady && this.busy && this.#interrupt) {
      this.#interrupt[0] = 2; // SIGINT
      for (const begun = performance.now(); performance.now() - begun < PATIENCE; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (!this.busy) return true;
      }
    }
    this.end();
    return false;
  }

  /** End Python and all its variables. */
  end() {
    this.#worker?.terminate();
    this.#abandon?.(new Error("Python was ended"));
    this.#worker = this.#ready = this.#abandon = undefined;
    this.isReady = false;
    this.#asked = 0;
    for (const { finish } of this.#waiting.values()) finish("stopped");
    this.#waiting.clear();
  }
}
