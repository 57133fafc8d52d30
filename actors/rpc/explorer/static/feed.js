export const MESSAGE = 2; // kinds of executions: 0 transaction, 1 timer, 2 message, 3 deferred call

// What the chain does, for live pictures: after each block, and every two seconds for the tree, the node is asked what changed. While nobody looks
// nothing is asked. Everything kept is bounded.
const keptBlocks = 40;

export class Feed extends EventTarget {
  height = 0;
  blocks = []; // the newest last
  timers = [];
  timersTotal = 0;
  tree = [];
  names = new Map(); // of actors
  interval = 1000; // between two blocks, in milliseconds
  arrived = 0; // when the newest block was seen, by performance.now()
  #asking = false;
  #again = false;

  start() {
    this.stream = new EventSource("/stream?kinds=blocks");
    this.stream.addEventListener("block", () => this.ask());
    setInterval(() => this.ask(), 2000);
    document.addEventListener("visibilitychange", () => this.ask());
    addEventListener("pagehide", () => this.stream.close());
    this.ask();
  }

  async ask() {
    if (document.hidden) return;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    this.#again = false;
    try {
      const answer = await fetch(`/explorer/live?after=${this.height}`);
      if (answer.ok) this.#take(await answer.json());
    } catch (_) {
      // the node is restarting; the next answer goes on
    } finally {
      this.#asking = false;
    }
    if (this.#again) setTimeout(() => this.ask(), 250);
  }

  #take(said) {
    if (said.height < this.height) this.blocks = []; // another chain at the same address
    const first = this.height === 0;
    const fresh = said.blocks;
    this.height = said.height;
    this.timers = said.timers;
    this.timersTotal = said.timers_total;
    this.tree = said.tree;
    for (const b of fresh) {
      for (const i of b.actors) this.names.set(b.who[i], b.names[i]);
      b.items = b.items.map(([kind, from, to, cause, failed], i) => (
        { kind, from: b.who[from], to: b.who[to], cause: b.causes[cause], failed: failed === 1, id: `${b.height}.${i}` }));
      this.blocks.push(b);
    }
    this.blocks.splice(0, this.blocks.length - keptBlocks);
    if (this.names.size > 4000) this.names.clear();
    if (fresh.length) {
      this.arrived = performance.now();
      const n = this.blocks.length;
      if (n > 4) this.interval = Math.min(Math.max((this.blocks[n - 1].ms - this.blocks[Math.max(0, n - 9)].ms) / Math.min(n - 1, 8), 100), 15000);
    }
    this.dispatchEvent(new CustomEvent("news", { detail: { blocks: fresh, first } }));
  }

  // label is what an address is called on a picture.
  label(address) {
    const name = this.names.get(address);
    return name ? `${name} ${address.slice(2, 6)}` : `${address.slice(0, 6)}…${address.slice(-2)}`;
  }
}

// hue is the colour of an address, the same as on the pages.
export const hue = (address) => (parseInt(address.slice(-8), 16) % 12) * 30;

// chance is a number from 0 to 1 that always is the same for the same text.
export function chance(text, salt = 0) {
  let h = 2166136261 ^ salt;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}
