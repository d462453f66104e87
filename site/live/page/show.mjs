// What a cell says and shows, as part of the page.

const SVG = "image/svg+xml";
const WIDGET = "application/vnd.jupyter.widget-view+json";

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function textOutput(kind, text) {
  const pre = element("pre", { textContent: text, tabIndex: 0 });
  return element("div", { className: `output ${kind}` }, element("div", { className: "highlight" }, pre));
}

/** Put one message of the worker's into `place`, which stands in the page; `cell` is whose it is. */
export async function show(place, message, cell, widgets) {
  const { kind } = message;
  const view = message.data?.[WIDGET];
  if (kind === "clear") place.replaceChildren();
  else if (kind === "stream") showStream(place, message);
  else if (kind === "error") place.append(textOutput("error", message.text));
  else if (view) await slider(place, view, widgets);
  else place.append(shown(message, cell));
}

function showStream(place, { name, text }) {
  let last = place.lastElementChild;
  if (last?.dataset.stream !== name) {
    last = textOutput(name === "stderr" ? "stream stderr" : "stream", "");
    last.dataset.stream = name;
    place.append(last);
  }
  last.querySelector("pre").append(text);
}

async function slider(place, view, widgets) {
  const box = element("div", { className: "live-widget" });
  place.append(box);
  await (await widgets()).display(view.model_id, box);
}

function shown({ data, metadata }, cell) {
  if (data[SVG]) return figure(data, metadata?.course ?? {}, cell);
  if (data["image/png"]) {
    return element("img", { src: `data:image/png;base64,${data["image/png"]}`, alt: `Picture of cell ${cell.number}` });
  }
  if (data["text/html"]) {
    const made = element("div", { className: "output text_html", innerHTML: data["text/html"] });
    if (!made.querySelector("script")) return made;
    for (const script of made.querySelectorAll("script, link")) script.remove();
    made.append(element("p", { className: "live-said", textContent: "Scripts in what a cell shows are not run here." }));
    return made;
  }
  return textOutput("text_plain", data["text/plain"] ?? "");
}

/** A picture, with the caption and number of the one that it replaces. */
function figure(data, { caption, opening, rest = [] }, cell) {
  const inPage = document.importNode(new DOMParser().parseFromString(data[SVG], SVG).documentElement, true);
  inPage.classList.add("picture");
  inPage.setAttribute("role", "img");
  if (opening) inPage.setAttribute("aria-label", opening);
  if (!inPage.hasAttribute("aria-label")) inPage.setAttribute("aria-label", `Picture of cell ${cell.number}`);
  if (!caption) return inPage;
  const made = element("figure", { className: "align-default" }, inPage);
  if (rest.length) {
    const words = element("ul", { className: "in-words" }, ...rest.map((textContent) => element("li", { textContent })));
    words.setAttribute("aria-label", "The picture in words");
    made.append(words);
  }
  const published = cell.published?.querySelector("figure");
  // links in the text lead to it by its id
  if (published?.id && !document.getElementById(published.id)) made.id = published.id;
  const number = published?.querySelector(".caption-number")?.textContent ?? "";
  made.append(
    element(
      "figcaption",
      {},
      element(
        "p",
        {},
        element("span", { className: "caption-number", textContent: number }),
        element("span", { className: "caption-text", textContent: caption }),
      ),
    ),
  );
  return made;
}
