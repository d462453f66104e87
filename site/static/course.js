/* What the pages do by themselves: the theme's switch, copying code, the place
   in the contents, and help for those who do not use a mouse. */
"use strict";

/* ---------- light, dark, or as the system has it ---------- */

const root = document.documentElement;
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const modes = ["auto", "light", "dark"];
const modeNames = { auto: "Auto", light: "Light", dark: "Dark" };
const themeButton = document.querySelector(".theme-switch-button");

function setMode(mode) {
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (systemIsDark.matches ? "dark" : "light") : mode;
  themeButton.querySelector(".theme-name").textContent = modeNames[mode];
  themeButton.title = "Light, dark, or as the system has it";
}

function nextMode() {
  const mode = modes[(modes.indexOf(root.dataset.mode) + 1) % modes.length];
  try {
    localStorage.setItem("mode", mode);
  } catch {
    // storage may be forbidden: the choice then lasts for this page
  }
  setMode(mode);
}

themeButton.hidden = false;
themeButton.addEventListener("click", nextMode);
systemIsDark.addEventListener("change", () => setMode(root.dataset.mode));
setMode(modes.includes(root.dataset.mode) ? root.dataset.mode : "auto");

/* ---------- notebooks to take away ---------- */

// The first cell of one fetches the course's package from this site, and has to know where that is.
async function takeAway(event) {
  const link = event.currentTarget;
  event.preventDefault();
  let address = link.href;
  try {
    const notebook = await (await fetch(link.href)).text();
    const site = new URL(`${root.dataset.content_root || "./"}`, location.href).href;
    const told = notebook.replace(String.raw`site = \"\"`, () => String.raw`site = \"${encodeURI(decodeURI(site))}\"`);
    address = URL.createObjectURL(new Blob([told], { type: "application/x-ipynb+json" }));
  } catch {
    // opened from the disk: the cell then asks for the address
  }
  const copy = Object.assign(document.createElement("a"), { href: address, download: link.pathname.split("/").pop() });
  copy.click();
}

for (const link of document.querySelectorAll("a.download")) link.addEventListener("click", takeAway);

/* ---------- notebooks that a reader has changed in JupyterLite ---------- */

// It keeps them in this browser, and shows them from then on in place of the published ones.
async function keptInJupyterLite() {
  const lite = new URL(`${root.dataset.content_root || "./"}lite/`, location.href);
  const name = `JupyterLite Storage - ${lite.pathname}`;
  const known = await indexedDB.databases();
  if (!known.some((one) => one.name === name)) return []; // or opening it would make it
  const answer = (asked) =>
    new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  const database = await answer(indexedDB.open(name));
  try {
    return await answer(database.transaction("files").objectStore("files").getAllKeys());
  } finally {
    database.close();
  }
}

async function tellOfCopies() {
  const link = [...document.querySelectorAll(".elsewhere")].find((one) => new URL(one.href).searchParams.has("path"));
  if (!link) return;
  const address = new URL(link.href);
  const path = address.searchParams.get("path");
  const name = path.slice(path.lastIndexOf("/"));
  const kept = await keptInJupyterLite();
  if (kept.includes(path)) {
    link.textContent = "Open your copy in JupyterLite";
    link.title = "You have changed it there. To have it as published, delete your copy in JupyterLite's list of files.";
  }
  const older = kept.find((one) => one !== path && `/${one}`.endsWith(name));
  if (older) {
    address.searchParams.set("path", older);
    const second = Object.assign(link.cloneNode(), { href: address.href, textContent: "Your copy of an earlier edition" });
    link.after(second);
  }
}

tellOfCopies().catch(() => {}); // where storage is forbidden, nothing is kept either

/* ---------- copying code ---------- */

// The clipboard's own interface is there on https and localhost only.
async function copyText(text) {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

function addCopyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copybtn";
  button.textContent = "Copy";
  const code = block.querySelector("pre");
  button.addEventListener("click", async () => {
    await copyText(code.textContent.replace(/\n$/, ""));
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  block.append(button);
}

document
  .querySelectorAll(".cell_input .highlight, article div[class*='highlight-']:not(.output) > .highlight")
  .forEach((block) => block.querySelector(".copybtn") || addCopyButton(block));

/* ---------- the place in the contents ---------- */

const contents = document.querySelector("#contents");
const headingLinks = new Map(
  [...contents.querySelectorAll("ul a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);

function markPlace() {
  let here = null;
  for (const [id, link] of headingLinks) {
    link.classList.remove("here");
    if (document.getElementById(id)?.getBoundingClientRect().top < innerHeight / 3) here = link;
  }
  here?.classList.add("here");
}

if (headingLinks.size) {
  addEventListener("scroll", markPlace, { passive: true });
  markPlace();
}

// A link within the page closes the contents that it was chosen from.
contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
});

/* ---------- for the keyboard and the screen reader ---------- */

// What scrolls in a box of its own must be reachable without a mouse.
function reachScrollers() {
  for (const box of document.querySelectorAll("div.math, pre, .pst-scrollable-table-container")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
      if (box.matches("pre")) continue;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", box.matches(".math") ? "Formula" : "Table");
    } else {
      box.removeAttribute("tabindex");
    }
  }
}

addEventListener("load", reachScrollers);
addEventListener("resize", reachScrollers);

// On paper there is no list to walk through: the label of a picture says all of it.
const openings = new Map();

addEventListener("beforeprint", () => {
  for (const list of document.querySelectorAll(".in-words")) {
    const picture = list.previousElementSibling;
    const opening = picture.getAttribute("aria-label");
    if (!openings.has(picture)) openings.set(picture, opening);
    const rest = [...list.children].map((item) => item.textContent);
    picture.setAttribute("aria-label", [openings.get(picture), ...rest].join(" "));
  }
});

addEventListener("afterprint", () => {
  openings.forEach((opening, picture) => picture.setAttribute("aria-label", opening));
  openings.clear();
});

// "/" goes to the search field, as on many sites.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, [contenteditable]")) return;
  event.preventDefault();
  document.querySelector(".bar input[name=q]").focus();
});

// The widget manager is large. A wide screen asks for it as soon as all else is there;
// a phone, when a slider comes near. Until it has drawn them the page shows a still
// picture of each.
const manager = document.currentScript.dataset.widgetsSrc;
const views = document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]');

function loadManager() {
  const script = document.createElement("script");
  script.src = manager;
  document.head.append(script);
}

if (manager && matchMedia("(min-width: 60rem)").matches) {
  if (document.readyState === "complete") loadManager();
  else addEventListener("load", loadManager);
} else if (manager) {
  const near = new IntersectionObserver(
    (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      loadManager();
    },
    { rootMargin: "2000px 0px" },
  );
  views.forEach((view) => near.observe(view.parentElement));
}

// ipywidgets gives its handles neither a name nor a spoken value.
function describeSliders() {
  const set = (element, name, value) => {
    if (value && element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  for (const handle of document.querySelectorAll(".widget-slider .noUi-handle")) {
    const slider = handle.closest(".widget-slider");
    const label = slider.querySelector(".widget-label")?.textContent.trim() || "slider";
    const readout = slider.querySelector(".widget-readout");
    root.classList.add("sliders-move");
    const whole = handle.closest(".course-slider");
    if (whole) prepareNews(whole);
    set(handle, "aria-label", label);
    set(handle, "aria-valuetext", readout?.textContent.trim());
    if (readout?.isContentEditable) {
      set(readout, "role", "textbox");
      set(readout, "aria-label", `value of ${label}`);
    }
  }
}

// What a move changed, said once it has come to rest: the first sentence of the
// frame's words. The rest of them stands below the picture.
const resting = new WeakMap();

function tellWhenAtRest(slider) {
  clearTimeout(resting.get(slider));
  resting.set(
    slider,
    setTimeout(() => {
      const said = [...slider.querySelectorAll(".said")].find((words) => words.offsetParent);
      slider.querySelector(".slider-news").textContent = said?.textContent.split(/(?<=[.?]) /)[0] ?? "";
    }, 500),
  );
}

// There before anything is said in it, as screen readers want it.
function prepareNews(slider) {
  if (slider.querySelector(".slider-news")) return;
  const news = document.createElement("p");
  news.className = "slider-news";
  news.setAttribute("role", "status");
  slider.append(news);
  // Whoever reads on finds the words under the picture, and not twice.
  slider.addEventListener("focusout", () => {
    clearTimeout(resting.get(slider));
    news.textContent = "";
  });
}

function moved(records) {
  for (const { type, attributeName, target } of records) {
    const slider = type === "attributes" && attributeName === "aria-valuetext" && target.closest(".course-slider");
    if (slider && slider.contains(document.activeElement)) tellWhenAtRest(slider);
  }
}

if (views.length) {
  let pending = 0;
  const observer = new MutationObserver((records) => {
    moved(records);
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      describeSliders();
    });
  });
  observer.observe(document.body, {
    attributeFilter: ["aria-valuenow", "aria-valuetext"],
    characterData: true,
    childList: true,
    subtree: true,
  });
}
