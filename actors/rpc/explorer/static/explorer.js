// Follows the chain: after a block the page is fetched again and its content replaced, at most once a second and only
// while it is looked at. Without this script every page works, standing still.
"use strict";
(() => {
  if (!("live" in document.body.dataset) || !("EventSource" in window)) return;
  const pause = 1000;
  let last = 0, waiting = 0, running = false;

  // somebody fills in a form, whose content would be lost
  const writing = () => document.querySelector(".handler[open]") !== null;

  async function refresh() {
    waiting = 0;
    if (running || document.hidden || window.getSelection().type === "Range") return;
    if (writing()) return;
    running = true;
    last = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (writing()) return; // since the page was asked for
      const place = document.getElementById("page");
      const opened = [...place.querySelectorAll("details")].map((d) => d.open);
      const scrolled = [...place.querySelectorAll(".scroll")].map((d) => d.scrollLeft);
      place.replaceChildren(...next.getElementById("page").childNodes);
      place.querySelectorAll("details").forEach((d, i) => { d.open = opened[i] || false; });
      place.querySelectorAll(".scroll").forEach((d, i) => { d.scrollLeft = scrolled[i] || 0; });
      document.dispatchEvent(new Event("refreshed"));
      if (!("live" in next.body.dataset)) stream.close();
    } catch (_) {
      // the node is restarting; the stream reconnects by itself
    } finally {
      running = false;
    }
  }

  const stream = new EventSource("/stream?kinds=blocks");
  stream.addEventListener("block", () => {
    if (!waiting) waiting = setTimeout(refresh, Math.max(0, last + pause - Date.now()));
  });
  addEventListener("pagehide", () => stream.close());
})();
