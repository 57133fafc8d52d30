// The node: its supervision tree. A leaf is a tank that shows how full its inbox is; work done makes it shimmer. A restart flushes the branch it is of,
// which drains again.
const drain = 6000; // milliseconds until a flushed branch is clear

export class Tree {
  flushed = new Map(); // path: when
  #restarts = new Map();
  #handled = new Map();
  busy = new Map(); // path: 0 to 1

  news({ first }) {
    const now = performance.now();
    for (const p of this.feed.tree) {
      const before = this.#restarts.get(p.path);
      if (before !== undefined && p.restarts > before) {
        for (const q of this.feed.tree) if (q.path === p.path || q.path.startsWith(`${p.path}/`)) this.flushed.set(q.path, now);
      }
      this.#restarts.set(p.path, p.restarts);
      const done = p.handled - (this.#handled.get(p.path) ?? p.handled);
      this.busy.set(p.path, first ? 0 : Math.min(1, Math.max(done > 0 ? 0.25 + Math.log10(1 + done) / 3 : 0, (this.busy.get(p.path) || 0) * 0.6)));
      this.#handled.set(p.path, p.handled);
    }
  }

  // rows shows a crowd of equal leaves as one row.
  #rows() {
    const rows = [];
    const tree = this.feed.tree;
    const hasChildren = (i) => i + 1 < tree.length && tree[i + 1].depth > tree[i].depth;
    for (let i = 0; i < tree.length; i++) {
      const p = tree[i];
      let n = 1;
      if (!hasChildren(i)) {
        while (i + n < tree.length && tree[i + n].depth === p.depth && !hasChildren(i + n)) n++;
      }
      if (n > 8) {
        const crowd = tree.slice(i, i + n);
        rows.push({ ...p, name: `${n} × ${p.path.split("/").at(-2)}`, crowd });
        i += n - 1;
      } else rows.push({ ...p, group: hasChildren(i) });
    }
    return rows;
  }

  draw(c, w, h, now) {
    const { colour, still } = this.stage;
    const rows = this.#rows();
    if (!rows.length) return;
    const high = Math.min((h - 12) / rows.length, 22), top = (h - high * rows.length) / 2 + high / 2;
    const step = Math.min(26, w / 14), tank = w * 0.42, x0 = 16;
    c.font = `${Math.min(12, Math.max(high * 0.72, 8))}px system-ui, sans-serif`;
    c.textAlign = "left";
    const last = [];
    rows.forEach((p, i) => {
      const x = x0 + p.depth * step, y = top + i * high;
      last[p.depth] = [x, y];
      const at = this.flushed.get(p.path);
      const flush = at === undefined ? 0 : still ? (now - at < drain ? 1 : 0) : Math.max(0, 1 - (now - at) / drain);
      const down = p.state !== "running";
      if (p.depth > 0 && last[p.depth - 1]) {
        const [px, py] = last[p.depth - 1];
        c.strokeStyle = flush > 0 ? colour.bad : colour.line;
        c.lineWidth = 1 + 2 * flush;
        c.beginPath();
        c.moveTo(px, py + 4);
        c.lineTo(px, y - 5);
        c.quadraticCurveTo(px, y, px + 6, y);
        c.lineTo(x - 4, y);
        c.stroke();
      }
      c.fillStyle = down || flush > 0.02 ? colour.bad : colour.good;
      c.globalAlpha = 0.55 + 0.45 * Math.max(flush, this.busy.get(p.path) || 0);
      c.beginPath();
      c.arc(x, y, p.group ? 3.6 : 3, 0, 7);
      c.fill();
      c.globalAlpha = 1;
      c.fillStyle = p.group ? colour.front : colour.soft;
      c.fillText(p.name, x + 9, y + 4, w - tank - x - 20);
      if (!p.group) this.#tank(c, w - tank - 6, y, tank, Math.min(high - 5, 10), p, flush, now);
    });
    const down = this.feed.tree.filter((p) => p.state !== "running").length;
    this.canvas.setAttribute("aria-label", `${this.feed.tree.length} subsystems, ${down ? `${down} do not run` : "all running"}`);
  }

  #tank(c, x, y, w, h, p, flush, now) {
    const { colour, still } = this.stage;
    const members = p.crowd || [p];
    const one = w / members.length;
    members.forEach((m, k) => {
      const gap = members.length > 1 ? 1.5 : 0, left = x + k * one, wide = one - gap;
      c.fillStyle = colour.line;
      c.globalAlpha = 0.45;
      c.beginPath();
      c.roundRect(left, y - h / 2, wide, h, Math.min(h / 2, wide / 2));
      c.fill();
      const full = m.room ? Math.log2(1 + m.waiting) / Math.log2(1 + m.room) : 0;
      const busy = this.busy.get(m.path) || 0;
      const level = Math.max(full, flush, busy * 0.5);
      if (level > 0.01) {
        c.fillStyle = flush > 0.02 ? colour.bad : full > 0.8 ? colour.bad : colour.water;
        c.globalAlpha = 0.5 + 0.4 * Math.max(full, flush) + (still ? 0 : 0.08 * Math.sin(now / 600 + k));
        c.beginPath();
        c.roundRect(left, y - h / 2, Math.max(wide * level, Math.min(h, wide)), h, Math.min(h / 2, wide / 2));
        c.fill();
      }
      c.globalAlpha = 1;
    });
  }
}
