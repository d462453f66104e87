// Python, beside the page: a module worker, so that the page stays usable while
// a cell runs.  It is started by cells.mjs, which also explains the messages.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;
const post = (kind, content = {}) => self.postMessage({ kind, ...content });
const SITE_PACKAGES = "/lib/python3.14/site-packages";

let current = 0; // the request whose cell is running

/* ---------- progress, in bytes ---------- */

const fetchPlainly = self.fetch.bind(self);
const early = new Map(); // address -> answer that was asked for ahead of time
let loaded = 0;
let said = 0;

function count(response) {
  const counter = new TransformStream({
    transform(chunk, out) {
      loaded += chunk.byteLength;
      if (performance.now() - said > 100) {
        said = performance.now();
        post("progress", { loaded });
      }
      out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

self.fetch = async (address, options) => {
  const key = String(address?.url ?? address);
  const response = await (early.get(key) ?? fetchPlainly(address, options));
  early.delete(key);
  return response.body ? count(response) : response;
};

/* ---------- starting ---------- */

async function start({ packages, wheels, onDemand }) {
  // Pyodide asks for its packages only once Python runs: ask now.
  for (const file of packages) early.set(here(`pyodide/${file.name}`), fetchPlainly(here(`pyodide/${file.name}`)));
  const own = [...wheels.map((name) => `pyodide/${name}`), "runner.py", "live_backend.py"].map(async (name) => {
    const response = await self.fetch(here(name));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return [name, await response.arrayBuffer()];
  });
  const python = await loadPyodide({
    indexURL: here("pyodide/"),
    packages: packages.map((file) => file.package),
    env: { HOME: "/home/pyodide", MPLBACKEND: "module://live_backend" },
  });
  for (const [name, content] of await Promise.all(own)) {
    if (name.endsWith(".whl")) python.unpackArchive(content, "wheel");
    else python.FS.writeFile(`${SITE_PACKAGES}/${name}`, new Uint8Array(content));
  }
  const runner = python.pyimport("runner");
  runner.send = (kind, text) => post(kind, { id: current, ...JSON.parse(text) });
  runner.fetch_packages = () => {
    for (const name of onDemand) python.unpackArchive(fetchAtOnce(here(`pyodide/${name}`)), "wheel");
  };
  runner.start();
  return { python, runner };
}

// In the middle of an import there is no waiting for a promise.
function fetchAtOnce(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status}`);
  return request.response;
}

/* ---------- messages from the page ---------- */

let ready;

self.onmessage = async ({ data }) => {
  if (data.kind === "start") {
    ready = start(data);
    try {
      const { python } = await ready;
      if (data.interrupt) python.setInterruptBuffer(data.interrupt);
      post("ready");
    } catch (error) {
      post("broken", { message: String(error?.message ?? error) });
    }
    return;
  }
  const { runner } = await ready;
  if (data.kind === "run") {
    current = data.id;
    try {
      const result = runner.run(data.cell, data.source, data.onlyIfNeeded);
      post("done", { id: data.id, result });
    } catch (error) {
      // Python itself came to an end, for want of memory, say
      post("broken", { message: `Python has come to an end: ${error?.message ?? error}` });
    }
  } else if (data.kind === "forget") {
    runner.begin_again();
  } else if (data.kind === "comm") {
    current = 0; // no cell's
    runner.on_comm(JSON.stringify(data.content));
    post("idle", { comm_id: data.content.comm_id });
  }
};
