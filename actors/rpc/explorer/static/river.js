// The river: blocks drift from left to right with what they ran, each kind in its lane; at the mouth everything goes to the actor it is for.
import { chance, hue } from "./feed.js";

const lanes = [["transactions", "tx"], ["timers", "timer"], ["messages", "message"]]; // by kind; deferred calls go with messages
const across = 11; // blocks that are on their way at the same time
const journey = 2600; // milliseconds from the mouth to an actor
const most = 900; // drops at the same time

export class River {
  rows = []; // actors at the right: {address, strength, glow}
  drops = []; // {lane, from, to, at, y, bad}: at is when it reaches the mouth
  streams = new Map(); // lane and address: how much flowed lately
  #last = -Infinity; // when the newest block was seen

  news({ blocks }) {
    const now = performance.now();
    blocks.forEach((b, i) => {
      // an answer may hold the past: its blocks are where they would have drifted to, and a long pause between two of them is drawn as a short one
      const later = blocks.length - 1 - i;
      const seen = now - Math.min(blocks[blocks.length - 1].ms - b.ms, 2 * this.feed.interval * later);
      // an answer that came late may hold blocks older than those seen before it; no block overtakes another one
      this.#last = b.seen = Math.max(seen, Math.min(this.#last + this.feed.interval / 4, now));
      for (const m of b.items) {
        const lane = Math.min(m.kind, lanes.length - 1), { to } = m;
        this.#count(to);
        const key = `${lane} ${to}`;
        this.streams.set(key, Math.min((this.streams.get(key) || 0) + 1, 40));
        this.drops.push({ block: b, lane, to, y: 0.14 + 0.72 * chance(m.id, 1), x: chance(m.id, 2), bad: m.failed, id: m.id });
      }
    });
    this.drops.splice(0, this.drops.length - most);
    for (const [key, n] of this.streams) n < 0.15 ? this.streams.delete(key) : this.streams.set(key, n * (blocks.length ? 0.93 : 1));
    for (const r of this.rows) r.strength *= blocks.length ? 0.95 : 1;
  }

  #count(address) {
    const row = this.rows.find((r) => r.address === address);
    if (row) {
      row.strength += 1;
      return;
    }
    const fresh = { address, strength: 1, glow: 0 };
    if (this.rows.length < 14) this.rows.push(fresh);
    else {
      const weak = this.rows.reduce((a, b) => (b.strength < a.strength ? b : a));
      if (weak.strength < 0.7) this.rows[this.rows.indexOf(weak)] = fresh;
    }
  }

  draw(c, w, h, now, past) {
    const { colour, still, dark } = this.stage;
    const small = w < 560;
    const left = small ? 12 : 104, mouth = left + (w - left) * (small ? 0.6 : 0.62), shore = w - (small ? 84 : 122);
    const top = 26, tall = (h - top - 10) / lanes.length;
    const time = still ? 0 : now / 1000;
    const middle = (lane) => top + tall * (lane + 0.5);
    const edge = (lane, x, side) => middle(lane) + side * (tall * 0.40 + 3 * Math.sin(x / 90 + time * 0.35 + lane * 2 + side));

    lanes.forEach(([name, tint], lane) => {
      const shade = c.createLinearGradient(left, 0, mouth + 40, 0);
      shade.addColorStop(0, "transparent");
      shade.addColorStop(0.12, colour[tint]);
      shade.addColorStop(1, colour[tint]);
      c.globalAlpha = dark ? 0.13 : 0.11;
      c.fillStyle = shade;
      c.beginPath();
      for (let x = left; x <= mouth; x += 12) c.lineTo(x, edge(lane, x, -1));
      for (let x = mouth; x >= left; x -= 12) c.lineTo(x, edge(lane, x, 1));
      c.fill();
      c.globalAlpha = 1;
      c.fillStyle = colour.soft;
      c.textAlign = small ? "left" : "right";
      c.fillText(name, small ? left + 4 : left - 12, small ? edge(lane, left, -1) + 12 : middle(lane) + 4);
    });

    const rowOf = new Map();
    const order = [...this.rows].sort((a, b) => chance(a.address) - chance(b.address));
    order.forEach((r, i) => rowOf.set(r.address, { r, y: top + ((i + 0.5) * (h - top - 10)) / Math.max(order.length, 1) }));
    const others = { y: h - 8 };
    const path = (lane, y0, to) => {
      const y1 = (rowOf.get(to) || others).y;
      return [mouth, y0, mouth + (shore - mouth) * 0.5, y0, mouth + (shore - mouth) * 0.5, y1, shore, y1];
    };
    for (const [key, n] of this.streams) {
      const lane = Number(key[0]), to = key.slice(2);
      if (!rowOf.has(to)) continue;
      const p = path(lane, middle(lane), to);
      c.strokeStyle = colour[lanes[lane][1]];
      c.globalAlpha = 0.1 + Math.min(n, 10) * 0.012;
      c.lineWidth = 1 + Math.min(n, 24) * 0.5;
      c.beginPath();
      c.moveTo(p[0], p[1]);
      c.bezierCurveTo(...p.slice(2));
      c.stroke();
    }
    c.globalAlpha = 1;

    const speed = (mouth - left) / (across * this.feed.interval);
    const newest = this.feed.blocks[this.feed.blocks.length - 1];
    // standing still, blocks have the places they would have had as the newest one came
    const xOf = (b) => left + 26 + (still ? (newest ? (newest.height - b.height) * this.feed.interval : 0) : now - b.seen) * speed;
    let written = Infinity;
    for (let i = this.feed.blocks.length - 1; i >= 0; i--) {
      const b = this.feed.blocks[i], x = xOf(b);
      if (x > mouth + 2) break;
      const fade = Math.min(1, (mouth - x) / 50, (x - left) / 30);
      c.globalAlpha = Math.max(fade, 0) * 0.55;
      c.strokeStyle = colour.line;
      c.lineWidth = 1;
      c.beginPath();
      c.moveTo(x, top + 2);
      c.lineTo(x, h - 8);
      c.stroke();
      const label = b.height.toLocaleString("en").replaceAll(",", "\u202f");
      const room = c.measureText(label).width + 18;
      if (Math.abs(written - x) > room && x < mouth - 10) {
        c.globalAlpha = Math.max(fade, 0);
        c.fillStyle = colour.soft;
        c.textAlign = "center";
        c.fillText(label, x, 15);
        written = x;
      }
    }

    for (const d of this.drops) {
      const spread = Math.min(speed * this.feed.interval * 0.8, 60);
      const x = xOf(d.block) + (d.x - 0.5) * spread;
      const size = d.block.items.length > 40 ? 2.6 : 3.4;
      const y = middle(d.lane) + (d.y - 0.5) * tall * 0.78 + (still ? 0 : 1.6 * Math.sin(time * 0.8 + d.x * 9));
      const ink = d.bad ? colour.bad : colour[lanes[d.lane][1]];
      c.fillStyle = ink;
      if (x <= mouth || still) {
        if (x > mouth) continue;
        c.globalAlpha = Math.min(Math.max((x - left) / 20, 0), 1) * 0.9;
        this.#dot(c, x, y, size);
        continue;
      }
      const t = (x - mouth) / speed / journey;
      if (t >= 1) {
        d.done = true;
        const row = rowOf.get(d.to);
        if (row) row.r.glow = Math.min(row.r.glow + 0.5, 1.5);
        continue;
      }
      const ease = t * t * (3 - 2 * t), p = path(d.lane, y, d.to), q = 1 - ease;
      const at = (k) => q * q * q * p[k] + 3 * q * q * ease * p[k + 2] + 3 * q * ease * ease * p[k + 4] + ease * ease * ease * p[k + 6];
      c.globalAlpha = rowOf.has(d.to) ? 0.95 : 0.9 * (1 - t);
      this.#dot(c, at(0), at(1), size);
    }
    if (this.drops.some((d) => d.done)) this.drops = this.drops.filter((d) => !d.done);

    c.textAlign = "left";
    for (const { r, y } of rowOf.values()) {
      r.glow = Math.max(0, r.glow - past * 0.9);
      const faint = Math.min(0.45 + r.strength * 0.15, 1);
      c.fillStyle = this.stage.ofAddress(hue(r.address));
      if (r.glow > 0) {
        c.globalAlpha = 0.16 * Math.min(r.glow, 1);
        this.#dot(c, shore, y, 6 + 7 * Math.min(r.glow, 1));
      }
      c.globalAlpha = faint;
      this.#dot(c, shore, y, 4.5);
      c.fillStyle = colour.front;
      c.fillText(this.feed.label(r.address), shore + 12, y + 4, w - shore - 14);
    }
    c.globalAlpha = 1;
    const b = newest;
    if (b) this.canvas.setAttribute("aria-label", `Blocks as a river: block ${b.height} ran ${b.txs} transactions and ${b.work} timers and messages`);
  }

  #dot(c, x, y, r) {
    c.beginPath();
    c.arc(x, y, r, 0, 7);
    c.fill();
  }
}
