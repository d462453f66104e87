/* First of the scripts of every page that the tests open: keeps what the page complains of. */
"use strict";

window.complaints = [];

for (const [event, tell] of [
  ["error", ({ message, target }) => message || `not loaded: ${target.src || target.href}`],
  ["unhandledrejection", ({ reason }) => `rejected: ${reason}`],
  ["securitypolicyviolation", ({ violatedDirective, blockedURI }) => `policy: ${violatedDirective} ${blockedURI}`],
]) {
  addEventListener(event, (what) => complaints.push(tell(what)), true);
}

const { error } = console;
console.error = (...words) => {
  complaints.push(words.map(String).join(" "));
  error.apply(console, words);
};
