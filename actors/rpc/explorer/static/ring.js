// The ring of coming timers: at the top is the next block, clockwise the ones after it, nearer blocks with more room. Each dot is a timer in the colour of
// its actor; timers of the same block stand behind each other. What fires falls to the centre.
import { hue } from "./feed.js";

// turn is the part of the ring before a timer that is so many blocks away: half of it is for the first ten.
const turn = (blocks) => 0.98 * (1 - 1 / (1 + blocks / 10));

export class Ring {
  sparks = [];
  #before = [];
  #radius = 0;

  news({ blocks, first }) {
    const height = this.feed.height;
    if (!first && blocks.length) {
      const fired = this.#before.filter((t) => t.height <= height).slice(0, 40);
      fired.forEach((t, i) => this.sparks.push({ hue: hue(t.actor), at: performance.now() + i * 30, side: (i % 7) - 3 }));
      this.sparks.splice(0, this.sparks.length - 80);
    }
    this.#before = this.feed.timers;
  }

  draw(c, w, h, now) {
    const { colour, still } = this.stage;
    const x0 = w / 2, y0 = h / 2 + 4, outer = Math.min(w, h) / 2 - 8;
    const count = new Map();
    for (const t of this.feed.timers) count.set(t.height, (count.get(t.height) || 0) + 1);
    // the ring is as large as what stands on it lets it be
    const wanted = Math.min(Math.max(outer - 10 * Math.max(0, ...count.values()) - 8, outer * 0.6), outer * 0.84);
    this.#radius = still || !this.#radius ? wanted : this.#radius + (wanted - this.#radius) * 0.05;
    const r = this.#radius;
    const ahead = still ? 1 : Math.min((now - this.feed.arrived) / this.feed.interval, 1);
    const smooth = ahead * ahead * (3 - 2 * ahead);
    const place = (blocks, radius) => {
      const a = turn(Math.max(blocks, 0)) * 2 * Math.PI - Math.PI / 2;
      return [x0 + radius * Math.cos(a), y0 + radius * Math.sin(a)];
    };
    c.strokeStyle = colour.line;
    c.lineWidth = 1.5;
    c.beginPath();
    c.arc(x0, y0, r, -Math.PI / 2, -Math.PI / 2 + 0.98 * 2 * Math.PI);
    c.stroke();
    c.fillStyle = colour.soft;
    c.textAlign = "center";
    for (const mark of [2, 5, 10, 20, 50]) {
      const [x, y] = place(mark, r - 8), [x1, y1] = place(mark, r), [tx, ty] = place(mark, r - 22);
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(x1, y1);
      c.stroke();
      c.fillText(`+${mark}`, tx, ty + 4);
    }
    const stacked = new Map();
    for (const t of this.feed.timers) {
      const n = stacked.get(t.height) || 0;
      stacked.set(t.height, n + 1);
      const away = t.height - this.feed.height - smooth;
      const gap = Math.min(10, (outer - r - 4) / count.get(t.height));
      const [x, y] = place(away, r + n * gap);
      c.fillStyle = this.stage.ofAddress(hue(t.actor), away < 1 ? 1 : 0.82);
      c.beginPath();
      c.arc(x, y, Math.max(Math.min(away < 1 ? 5 : 3.8, gap * 0.52), 1.5), 0, 7);
      c.fill();
    }
    c.fillStyle = colour.mark;
    c.beginPath();
    c.moveTo(x0, y0 - r + 7);
    c.lineTo(x0 - 5, y0 - r + 17);
    c.lineTo(x0 + 5, y0 - r + 17);
    c.fill();
    if (!still) {
      for (const s of this.sparks) {
        const t = (now - s.at) / 1500;
        if (t < 0 || t > 1) continue;
        const fall = t * t;
        c.fillStyle = this.stage.ofAddress(s.hue, 1 - t);
        c.beginPath();
        c.arc(x0 + s.side * 5 * (1 - fall), y0 - r * (1 - fall) + 4, 4.5 - 2.5 * t, 0, 7);
        c.fill();
      }
      this.sparks = this.sparks.filter((s) => now - s.at < 1500);
    }
    const soon = this.feed.timers.filter((t) => t.height === this.feed.height + 1).length;
    c.fillStyle = colour.front;
    c.font = "600 26px system-ui, sans-serif";
    c.fillText(String(this.feed.timersTotal), x0, y0 + 4);
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = colour.soft;
    c.fillText(this.feed.timersTotal === 1 ? "timer set" : "timers set", x0, y0 + 22);
    this.canvas.setAttribute("aria-label", `${this.feed.timersTotal} timers are set, ${soon} of them for the next block`);
  }
}
