// The wall: live pictures of the chain. Whoever wants less motion sees them stand still and change with each block.
import { Feed, MESSAGE } from "./feed.js";
import { Graph } from "./graph.js";
import { Ring } from "./ring.js";
import { River } from "./river.js";
import { Stage } from "./stage.js";
import { Tree } from "./tree.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const feed = new Feed();
const stage = new Stage(feed, calm.matches);
const find = (id) => document.getElementById(id);
stage.add(find("river"), new River());
stage.add(find("ring"), new Ring());
stage.add(find("graph"), new Graph());
stage.add(find("tree"), new Tree());

const button = find("still");
function stand(still) {
  stage.setStill(still);
  button.setAttribute("aria-pressed", String(still));
  button.textContent = still ? "Move" : "Stand still";
  document.querySelector(".wall").dataset.motion = still ? "still" : "moving";
}
button.addEventListener("click", () => stand(!stage.still));
calm.addEventListener("change", () => stand(calm.matches));

const full = find("full");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => document.querySelector(".wall").requestFullscreen());

// The line above the pictures says what it says on the other pages, once a second at most.
let told = 0;
feed.addEventListener("news", async () => {
  const now = performance.now();
  if (now - told < 1000) return;
  told = now;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".status");
    if (next) document.querySelector(".status").replaceWith(next);
  } catch (_) {
    // the node is restarting
  }
});

// show puts a cause's picture up, as wide as what is drawn, shrunk to fit but not below what can be read. Where it still has no room it drifts to its end as
// its blocks appear, unless somebody points at it or wants it still.
let drift = 0;
const faded = 24; // of the width, at the end
function show(picture) {
  const box = find("causal"), room = box.clientWidth - faded;
  clearTimeout(drift);
  box.replaceChildren(picture);
  box.scrollLeft = 0;
  const drawn = picture.getBBox(), wide = Math.ceil(drawn.x + drawn.width) + 4, high = Number(picture.getAttribute("height"));
  const scale = Math.min(1, Math.max(room / wide, 0.75));
  picture.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  picture.setAttribute("width", Math.round(wide * scale));
  picture.setAttribute("height", Math.round(high * scale));
  if (stage.still || wide * scale <= room + 1) return;
  const end = () => { if (!stage.still && !box.matches(":hover")) box.scrollTo({ left: wide, behavior: "smooth" }); };
  drift = setTimeout(end, 4000);
}

// One cause: of what ran lately, the one that led to most, for a while.
let shown = "", since = 0, busy = false;
feed.addEventListener("news", async () => {
  const now = performance.now();
  if (busy || (shown && now - since < 15_000)) return;
  const counts = new Map();
  for (const b of feed.blocks.slice(-14, -3)) {
    for (const m of b.items) if (m.kind >= MESSAGE) counts.set(m.cause, (counts.get(m.cause) || 0) + 1);
  }
  counts.delete(shown);
  const [hash, n] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
  if (!n || (shown && n < 2)) return;
  busy = true;
  try {
    const answer = await fetch(`/explorer/causal/${hash}`);
    if (answer.ok) {
      const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      if (picture.nodeName === "svg") {
        show(document.importNode(picture, true));
        find("cause").href = `/explorer/tx/${hash}`;
        shown = hash;
        since = now;
      }
    }
  } catch (_) {
    // the node is restarting
  } finally {
    busy = false;
  }
});

stand(calm.matches);
feed.start();
