// node compile.mjs FROM TO — copies a folder of wheels and Python's own library
// with bytecode in place of source, so that a browser need not compile it at
// every start: 4 seconds to the first picture instead of 14.  The compiler is
// that of the very Python which will run the bytecode.
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

const [from, to] = process.argv.slice(2).map((folder) => path.resolve(folder));
fs.mkdirSync(to, { recursive: true });

const python = await loadPyodide();
for (const [name, folder] of Object.entries({ "/from": from, "/to": to })) {
  python.FS.mkdir(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
python.runPython(fs.readFileSync(new URL("compile.py", import.meta.url), "utf-8"));
