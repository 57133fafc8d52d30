// Who talks to whom: actors, and the messages of the last minutes between them. What is not used fades away.
import { MESSAGE, chance, hue } from "./feed.js";

const mostNodes = 40;
const mostPulses = 90;
const half = 75_000; // milliseconds after which an edge weighs half

export class Graph {
  nodes = new Map(); // address: {x, y, vx, vy, weight}
  edges = new Map(); // "from to": {from, to, weight}
  pulses = [];
  #faded = performance.now();
  #heat = 1;
  #view = null; // what of the plane is shown, and how large: {x, y, wide, tall}
  #looked = 0; // when it was moved

  news({ blocks, first }) {
    const now = performance.now();
    const fade = Math.pow(0.5, (now - this.#faded) / half);
    this.#faded = now;
    for (const n of this.nodes.values()) n.weight *= fade;
    for (const [key, e] of this.edges) (e.weight *= fade) < 0.05 && this.edges.delete(key);
    for (const b of blocks) {
      for (const m of b.items) {
        if (m.kind < MESSAGE || m.to === m.from) continue;
        const key = `${m.from} ${m.to}`;
        const e = this.edges.get(key) || { from: m.from, to: m.to, weight: 0 };
        if (!this.edges.has(key)) this.#heat = Math.max(this.#heat, 0.5);
        e.weight += 1;
        this.edges.set(key, e);
        for (const a of [m.from, m.to]) {
          if (!this.nodes.has(a)) {
            const angle = chance(a) * 2 * Math.PI, far = 0.2 + 0.25 * chance(a, 3);
            this.nodes.set(a, { x: Math.cos(angle) * far, y: Math.sin(angle) * far, vx: 0, vy: 0, weight: 0 });
          }
          this.nodes.get(a).weight += 0.5;
        }
        if (!first) this.pulses.push({ e, at: now + 900 * chance(m.id), bad: m.failed });
      }
    }
    this.pulses.splice(0, this.pulses.length - mostPulses);
    const kept = [...this.nodes].sort((a, b) => b[1].weight - a[1].weight);
    for (const [address, n] of kept) if (n.weight < 0.05) this.nodes.delete(address);
    for (const [address] of kept.slice(mostNodes)) this.nodes.delete(address);
    for (const [key, e] of this.edges) if (!this.nodes.has(e.from) || !this.nodes.has(e.to)) this.edges.delete(key);
    if (first || this.stage.still) for (let i = 0; i < (first ? 400 : 60); i++) this.#settle(1 - i / 400);
  }

  // settle moves nodes apart and neighbours together, less and less.
  #settle(heat) {
    const list = [...this.nodes.values()];
    for (let i = 0; i < list.length; i++) {
      const a = list[i];
      for (let k = i + 1; k < list.length; k++) {
        const b = list[k];
        let dx = a.x - b.x, dy = a.y - b.y;
        const d2 = dx * dx + dy * dy + 1e-4, push = (0.00009 * heat) / d2;
        dx *= push;
        dy *= push;
        a.vx += dx;
        a.vy += dy;
        b.vx -= dx;
        b.vy -= dy;
      }
      a.vx -= a.x * 0.012 * heat;
      a.vy -= a.y * 0.012 * heat;
    }
    for (const e of this.edges.values()) {
      const a = this.nodes.get(e.from), b = this.nodes.get(e.to);
      const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1e-3, pull = (0.02 * heat * (d - 0.12)) / d;
      a.vx += dx * pull;
      a.vy += dy * pull;
      b.vx -= dx * pull;
      b.vy -= dy * pull;
    }
    for (const n of list) {
      n.x = Math.max(-0.52, Math.min(0.52, n.x + Math.max(-0.02, Math.min(0.02, n.vx))));
      n.y = Math.max(-0.5, Math.min(0.5, n.y + Math.max(-0.02, Math.min(0.02, n.vy))));
      n.vx *= 0.75;
      n.vy *= 0.75;
    }
  }

  // look gives the part of the plane that has actors in it, as large as the picture has room for; a few actors are not drawn apart without bound. It follows
  // them in a quarter of a second, however few frames there are in one, and leaves nobody outside of the frame meanwhile.
  #look(w, h, still, now) {
    const list = [...this.nodes.values()];
    if (!list.length) this.#view = null;
    const xs = list.map((n) => n.x), ys = list.map((n) => n.y);
    const [x0, x1, y0, y1] = list.length ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 0, 0, 0];
    const wide = Math.min((w - 90) / Math.max(x1 - x0, 0.01), 3.2 * w), tall = Math.min((h - 64) / Math.max(y1 - y0, 0.01), 3.2 * h);
    const wanted = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, wide: Math.min(wide, 1.8 * tall), tall: Math.min(tall, 1.8 * wide) };
    const near = 1 - Math.exp((this.#looked - now) / 270);
    this.#looked = now;
    if (still || !this.#view) this.#view = wanted;
    else for (const k in wanted) this.#view[k] += (wanted[k] - this.#view[k]) * near;
    const v = this.#view;
    v.x = Math.max(x1 - (w - 90) / 2 / v.wide, Math.min(x0 + (w - 90) / 2 / v.wide, v.x));
    v.y = Math.max(y1 - (h - 64) / 2 / v.tall, Math.min(y0 + (h - 64) / 2 / v.tall, v.y));
    if (v.wide * (x1 - x0) > w - 90) [v.x, v.wide] = [wanted.x, wanted.wide];
    if (v.tall * (y1 - y0) > h - 64) [v.y, v.tall] = [wanted.y, wanted.tall];
    return v;
  }

  draw(c, w, h, now) {
    const { colour, still } = this.stage;
    if (!still && this.#heat > 0.02) {
      this.#settle(this.#heat);
      this.#heat *= 0.985;
    }
    const { x: midX, y: midY, wide, tall } = this.#look(w, h, still, now);
    const at = (n) => [w / 2 + (n.x - midX) * wide, h / 2 - 6 + (n.y - midY) * tall];
    const bend = (e) => {
      const [x, y] = at(this.nodes.get(e.from)), [x1, y1] = at(this.nodes.get(e.to));
      return [x, y, (x + x1) / 2 + (y1 - y) * 0.14, (y + y1) / 2 - (x1 - x) * 0.14, x1, y1];
    };
    for (const e of this.edges.values()) {
      const p = bend(e);
      c.strokeStyle = this.stage.ofAddress(hue(e.from), Math.min(0.16 + e.weight * 0.03, 0.6));
      c.lineWidth = Math.min(1 + e.weight * 0.12, 3.5);
      c.beginPath();
      c.moveTo(p[0], p[1]);
      c.quadraticCurveTo(...p.slice(2));
      c.stroke();
    }
    if (!still) {
      for (const s of this.pulses) {
        const t = (now - s.at) / 1800;
        if (t < 0 || t > 1 || !this.nodes.has(s.e.from) || !this.nodes.has(s.e.to)) continue;
        const p = bend(s.e), q = 1 - t;
        c.fillStyle = s.bad ? colour.bad : colour.message;
        c.globalAlpha = Math.sin(t * Math.PI);
        c.beginPath();
        c.arc(q * q * p[0] + 2 * q * t * p[2] + t * t * p[4], q * q * p[1] + 2 * q * t * p[3] + t * t * p[5], 2.6, 0, 7);
        c.fill();
      }
      c.globalAlpha = 1;
      this.pulses = this.pulses.filter((s) => now - s.at < 1800);
    }
    const loud = [...this.nodes].sort((a, b) => b[1].weight - a[1].weight);
    loud.forEach(([address, n]) => {
      const [x, y] = at(n), r = 4 + Math.min(Math.sqrt(n.weight) * 1.1, 8);
      c.fillStyle = colour.card;
      c.beginPath();
      c.arc(x, y, r + 2, 0, 7);
      c.fill();
      c.fillStyle = this.stage.ofAddress(hue(address));
      c.beginPath();
      c.arc(x, y, r, 0, 7);
      c.fill();
    });
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    c.lineWidth = 3;
    c.strokeStyle = colour.card;
    // a name stands below its actor or above, where no louder actor's name and no dot is in its way
    const taken = loud.map(([, n]) => { const [x, y] = at(n), r = 4 + Math.min(Math.sqrt(n.weight) * 1.1, 8); return [x - r, y - r, x + r, y + r]; });
    const free = (a) => taken.every((b) => a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1]);
    for (const [address, n] of loud.slice(0, 12)) {
      const [x0, y] = at(n), text = this.feed.label(address), r = 4 + Math.min(Math.sqrt(n.weight) * 1.1, 8), half = c.measureText(text).width / 2;
      const x = Math.max(half + 2, Math.min(w - half - 2, x0));
      for (const base of [y + r + 13, y - r - 6]) {
        const box = [x - half, base - 9, x + half, base + 2];
        if (!free(box)) continue;
        taken.push(box);
        c.strokeText(text, x, base);
        c.fillStyle = colour.soft;
        c.fillText(text, x, base);
        break;
      }
    }
    if (!loud.length) {
      c.fillStyle = colour.soft;
      c.textAlign = "center";
      c.fillText("Nobody has sent a message yet.", w / 2, h / 2);
    }
    this.canvas.setAttribute("aria-label", `${this.nodes.size} actors with ${this.edges.size} ways of messages between them`);
  }
}
