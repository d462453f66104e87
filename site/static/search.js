/* The search page: words and numbers, looked for in the text of every section.  `places`, from
   search-index.js, holds [link, titles, text] of each, in the order of the course. */
"use strict";

const words = {
  none: "No page holds all of these words.",
  some: "No place holds all of these words. These hold some:",
  all: "Places that hold these words:",
  instead: (typed, found) => `Nothing holds “${typed}”. This is for “${found}”:`,
  heading: "What was found",
};
const LONGEST_EXCERPT = 240;
const ENDINGS = /(?:ies|es|s|y|ing|ed)$/;
const NUMBER = /^[-+−]?(?:\d[\d.,]*\d|[.,]?\d+)$/;
const WORD = /[\p{L}\p{N}_]/u;

// Letter by letter, so that places in it are places in the text.
const fold = (text) => text.toLowerCase().replace(/[^\x00-\x7f]/g, (sign) => sign.normalize("NFD")[0]);
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/* ---------- what is typed ---------- */

// "0,683", ".683" and "−0.683" are 0.683; "2,048" is 2048.
function plainNumber(typed) {
  const bare = typed.replace(/^[-+−]/, "");
  const whole = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(bare) ? bare.replaceAll(",", "") : bare.replace(",", ".");
  return whole.replace(/^\./, "0.");
}

// A number as it is written, with or without a comma behind the thousands.
function numberPattern(number, open) {
  const [whole, decimals] = number.split(".");
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, ",?");
  const after = open ? "" : String.raw`(?![\d]|[.,]\d)`;
  return new RegExp(String.raw`(?<![\p{L}\d_]|\d[.,])${digits}${decimals ? `\\.${decimals}` : ""}${after}`, "gu");
}

// W_q is found as Wq too.
const letters = (word) => [...word.replaceAll("_", "")].map(escape).join("_?");
const wordPattern = (word, open) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${letters(word)}${open ? String.raw`[\p{L}\p{N}_]*` : String.raw`(?![\p{L}\p{N}])`}`, "gu");

/* One typed word: the patterns under which it is looked for, the best first. */
function term(typed) {
  if (NUMBER.test(typed)) {
    const number = plainNumber(typed);
    const patterns = [numberPattern(number)];
    if (number.includes(".")) patterns.push(numberPattern(number, true));
    return { typed, number, patterns };
  }
  const word = fold(typed);
  const stem = word.replace(ENDINGS, "");
  const patterns = [wordPattern(word)];
  if (word.length > 1) patterns.push(wordPattern(word, true));
  if (stem !== word && stem.length > 2) patterns.push(wordPattern(stem, true));
  return { typed, word, patterns };
}

function termsOf(query) {
  return (query.match(/[-+−]?[.,]?\d[\d.,]*(?![\p{L}\p{N}_])|[\p{L}\p{N}_]+/gu) ?? [])
    .map((typed) => typed.replace(/[.,]+$/, ""))
    .filter(Boolean)
    .map(term);
}

/* ---------- what is there ---------- */

const folded = places.map(([, titles, text]) => ({ title: fold(titles.at(-1)), text: fold(text) }));

function countIn(place, patterns) {
  for (const [rank, pattern] of patterns.entries()) {
    const inTitle = place.title.match(pattern)?.length ?? 0;
    const inText = place.text.match(pattern)?.length ?? 0;
    // a title, or the very word, counts for more than many a word that only begins like it
    if (inTitle + inText) return (inTitle * 20 + Math.min(inText, 5)) / (1 + 2 * rank);
  }
  return 0;
}

const isSomewhere = ({ patterns }) => folded.some((place) => countIn(place, patterns));

/* ---------- typing errors ---------- */

// How many letters are wrong, missing, too many, or change places with their neighbour.
function distance(a, b, limit) {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}

// Every word of the course, and how often it is there.
function vocabulary() {
  const counts = new Map();
  for (const { title, text } of folded) {
    for (const word of `${title} ${text}`.match(/[\p{L}_]{3,}/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/* The nearest that is there, or nothing: a word that differs in a letter or two, a number rounded. */
function nearest({ word, number }) {
  if (number?.includes(".")) {
    for (let decimals = number.split(".")[1].length - 1; decimals > 1; decimals--) {
      const rounded = term(Number(number).toFixed(decimals));
      if (isSomewhere(rounded)) return rounded;
    }
    return null;
  }
  if (!word || word.length < 4) return null;
  const limit = word.length < 8 ? 1 : 2;
  let best = { far: limit + 1, count: 0 };
  for (const [there, count] of vocabulary()) {
    const far = distance(word, there, limit);
    if (far < best.far || (far === best.far && far <= limit && count > best.count)) best = { far, count, there };
  }
  return best.there ? term(best.there) : null;
}

/* ---------- what is shown ---------- */

function search(query) {
  const typed = termsOf(query);
  const changed = [];
  const terms = typed.map((one) => {
    if (isSomewhere(one)) return one;
    const instead = nearest(one);
    if (instead) changed.push([one.typed, instead.typed]);
    return instead ?? one;
  });
  const phrase = fold(query.trim());
  const found = folded
    .map((place, index) => {
      const counts = terms.map(({ patterns }) => countIn(place, patterns));
      const holds = counts.filter(Boolean).length;
      const whole = terms.length > 1 && `${place.title} ${place.text}`.includes(phrase) ? 30 : 0;
      return { index, holds, score: counts.reduce((sum, count) => sum + count, whole) };
    })
    .filter(({ holds }) => holds)
    .sort((a, b) => b.holds - a.holds || b.score - a.score || a.index - b.index);
  const most = found[0]?.holds ?? 0;
  // a word that is nowhere is nowhere beside the others either
  const complete = most === terms.length;
  return { terms, changed, complete, found: found.filter(({ holds }) => holds === most) };
}

function firstMatch(text, terms) {
  const looked = fold(text);
  for (const rank of [0, 1, 2]) {
    for (const { patterns } of terms) {
      const at = patterns[rank] ? looked.search(patterns[rank]) : -1;
      if (at >= 0) return at;
    }
  }
  return 0;
}

function excerpt(text, terms) {
  const at = firstMatch(text, terms);
  let start = Math.max(0, at - LONGEST_EXCERPT / 2);
  while (start > 0 && start < at && WORD.test(text[start - 1])) start++;
  let end = Math.min(text.length, start + LONGEST_EXCERPT);
  while (end < text.length && WORD.test(text[end])) end++;
  const paragraph = document.createElement("p");
  paragraph.className = "context";
  paragraph.append(start ? "… " : "");
  mark(paragraph, text.slice(start, end), terms);
  paragraph.append(end < text.length ? " …" : "");
  return paragraph;
}

function mark(element, text, terms) {
  const looked = fold(text);
  const spans = terms
    .map(({ patterns }) => patterns.map((pattern) => [...looked.matchAll(pattern)]).find((found) => found.length) ?? [])
    .flat()
    .map((match) => [match.index, match.index + match[0].length])
    .sort(([a], [b]) => a - b);
  let done = 0;
  for (const [start, end] of spans) {
    if (start < done) continue;
    const strong = document.createElement("strong");
    strong.className = "highlighted";
    strong.textContent = text.slice(start, end);
    element.append(text.slice(done, start), strong);
    done = end;
  }
  element.append(text.slice(done));
}

function show(query) {
  const { terms, changed, complete, found } = search(query);
  const told = changed.map(([typed, instead]) => words.instead(typed, instead));
  if (!found.length) told.splice(0, told.length, words.none);
  else if (!complete) told.push(words.none, words.some.replace(words.none, ""));
  else told.push(`${words.all} ${found.length}`);
  document.querySelector("#search-progress").textContent = told.join(" ");
  if (!found.length) return;

  const heading = document.createElement("h2");
  heading.textContent = words.heading;
  const list = document.createElement("ul");
  for (const { index } of found) {
    const [link, titles, text] = places[index];
    const item = document.createElement("li");
    const anchor = document.createElement("a");
    anchor.href = document.documentElement.dataset.content_root + link;
    mark(anchor, titles.join(" › "), terms);
    item.append(anchor, excerpt(text, terms));
    list.append(item);
  }
  document.querySelector("#search-results").replaceChildren(heading, list);
}

const query = new URLSearchParams(location.search).get("q") ?? "";
for (const field of document.querySelectorAll("input[name=q]")) field.value = query;
if (query.trim()) show(query);
