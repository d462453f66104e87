/* Three ways through the course, what has been read, and the way back to where one stopped.
   All of it stays in this browser.  What a way leaves out is said by the classes of sections. */
"use strict";

(() => {
  const root = document.documentElement;
  const page = root.dataset.page;
  const isFront = "front" in root.dataset;

  // Storage may be forbidden: a choice then lasts for this page.
  function remember(name, value) {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
    } catch {}
  }

  function recall(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  }

  /* ---------- the choice ---------- */

  const form = document.querySelector(".ways");

  function choose(way) {
    root.dataset.way = way;
    for (const fold of document.querySelectorAll(".for-code > details.fold")) fold.open = way === "code";
    for (const button of document.querySelectorAll(".show-part")) button.parentElement.classList.remove("shown");
  }

  if (form) {
    form.hidden = false;
    form.elements.way.value = root.dataset.way;
    form.addEventListener("change", () => {
      choose(form.elements.way.value);
      remember("way", form.elements.way.value);
    });
  }

  // Under the heading of each part that some way leaves out; course.css shows it on that way.
  for (const part of document.querySelectorAll("section:is(.beyond, .practice, .words-only):not(.fold)")) {
    if (!form || part.parentElement.closest(".beyond, .practice, .words-only, .fold") || part.matches("article > section")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "show-part";
    button.textContent = "Not on this path. Show it";
    button.addEventListener("click", () => part.classList.add("shown"));
    part.querySelector("h2, h3, h4").after(button);
  }
  choose(root.dataset.way);

  /* ---------- a link into what is closed ---------- */

  function open() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.matches(".fold")) target.querySelector("details").open = true;
    for (let part = target; part; part = part.parentElement) {
      if (part.matches("details")) part.open = true;
      if (part.matches("section")) part.classList.add("shown");
    }
    target.scrollIntoView({ behavior: "instant" });
  }

  addEventListener("hashchange", open);
  open();

  // On paper everything is there.
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details.fold:not([open])")) closed.add(fold);
    for (const fold of closed) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
    closed.clear();
  });

  /* ---------- what has been read ---------- */

  function tick() {
    const read = recall("read") ?? [];
    for (const link of document.querySelectorAll(".contents > ol > li > a")) {
      link.classList.toggle("read", read.includes(link.dataset.page));
    }
  }

  const end = document.querySelector(".prev-next");
  if (page && end) {
    new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting) || scrollY === 0) return;
      remember("read", [...new Set([...(recall("read") ?? []), page])]);
      tick();
    }).observe(end);
  }
  tick();

  /* ---------- the way back ---------- */

  function notePlace() {
    if (!page || isFront || scrollY < 200) return;
    const headings = [...document.querySelectorAll("article h2")].filter((one) => one.offsetParent);
    const above = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
    const clean = (heading) => heading?.textContent.replace(/#$/, "").trim();
    remember("place", {
      page,
      anchor: above ? `#${above.closest("section").id}` : "",
      title: [clean(document.querySelector("article h1")), clean(above)].filter(Boolean).join(", "),
    });
  }

  addEventListener("pagehide", notePlace);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && notePlace());

  const back = document.querySelector(".way-back");
  const place = recall("place");
  if (back && place) {
    back.hidden = false;
    const link = back.querySelector("a");
    link.href = `${root.dataset.content_root}${place.page}.html${place.anchor}`;
    link.textContent = place.title;
    back.querySelector("button").addEventListener("click", () => {
      for (const name of ["way", "read", "place"]) remember(name, null);
      back.hidden = true;
      if (form) form.elements.way.value = "everything";
      choose("everything");
      tick();
    });
  }
})();
