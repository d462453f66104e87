// Live sliders: ipywidgets' objects in Python have their other half here, and
// both send each other what changes, over the worker's messages.
import { HTMLManager } from "./bundles/widgets.mjs";

const PROTOCOL = "2.1.0";

/** One wire between a widget here and its half in Python. */
class Comm {
  constructor(id, target, python) {
    this.comm_id = id;
    this.target_name = target;
    this.python = python;
    this.unanswered = []; // what to call when Python has dealt with a message
  }

  open() {
    return "";
  }

  on_msg(listen) {
    this.receive = listen;
  }

  on_close(listen) {
    this.closed = listen;
  }

  close() {
    this.python.sendComm({ msg_type: "comm_close", comm_id: this.comm_id, data: {} });
  }

  send(data, callbacks) {
    // Without word that Python is idle again, a widget keeps its next changes to itself.
    this.unanswered.push(() => callbacks?.iopub?.status?.({ content: { execution_state: "idle" } }));
    this.python.sendComm({ msg_type: "comm_msg", comm_id: this.comm_id, data });
    return crypto.randomUUID?.() ?? String(Math.random());
  }
}

/** The widgets of one Python; a new one gets a new manager. */
export class Widgets extends HTMLManager {
  constructor(python) {
    super();
    this.python = python;
    this.comms = new Map();
    this.chain = Promise.resolve();
  }

  async _create_comm(target, id) {
    const comm = new Comm(id, target, this.python);
    this.comms.set(id, comm);
    return comm;
  }

  async _get_comm_info() {
    return {};
  }

  /** A message from Python, in the order of their coming. */
  receive(content) {
    this.chain = this.chain.then(() => this.take(content)).catch((error) => console.error(error));
    return this.chain;
  }

  async take({ msg_type, comm_id, target_name, data, metadata }) {
    if (msg_type === "comm_open") {
      const comm = await this._create_comm(target_name, comm_id);
      const message = { content: { comm_id, target_name, data }, metadata: { version: PROTOCOL, ...metadata } };
      await this.handle_comm_open(comm, { ...message, buffers: [] });
    } else if (msg_type === "comm_msg") {
      await this.comms.get(comm_id)?.receive?.({ content: { comm_id, data }, parent_header: {}, buffers: [] });
    } else if (msg_type === "comm_close") {
      this.comms.get(comm_id)?.closed?.({ content: { comm_id, data } });
      this.comms.delete(comm_id);
    }
  }

  idle(id) {
    this.comms.get(id)?.unanswered.shift()?.();
  }

  async display(model, place) {
    await this.chain;
    const view = await this.create_view(await this.get_model(model));
    await this.display_view(view, place);
  }
}
