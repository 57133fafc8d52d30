// Stage draws pictures on canvases in the colours of the page, at most 30 times a second while they move, and once for each news while they stand still.
const colours = ["back", "front", "soft", "line", "card", "mark", "good", "bad", "tx", "timer", "message", "water"];

export class Stage {
  pictures = [];
  #last = 0;
  #asked = 0;

  constructor(feed, still) {
    this.feed = feed;
    this.still = still;
    this.#paint();
    for (const query of ["(prefers-color-scheme: dark)", "(resolution: 1dppx)"]) {
      matchMedia(query).addEventListener("change", () => { this.#paint(); this.draw(); });
    }
    feed.addEventListener("news", (e) => {
      for (const p of this.pictures) p.news(e.detail);
      if (this.still) this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(document.querySelector(".wall"));
  }

  #paint() {
    const style = getComputedStyle(document.documentElement);
    this.colour = Object.fromEntries(colours.map((c) => [c, style.getPropertyValue(`--${c}`).trim()]));
    this.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  }

  ofAddress(hue, alpha = 1) {
    return `hsl(${hue} 40% ${this.dark ? 64 : 47}% / ${alpha})`;
  }

  add(canvas, picture) {
    this.pictures.push(Object.assign(picture, { canvas, stage: this, feed: this.feed }));
  }

  setStill(still) {
    this.still = still;
    this.draw();
    this.run();
  }

  run() {
    if (this.still || this.#asked) return;
    const frame = (now) => {
      this.#asked = 0;
      if (this.still) return;
      this.#asked = requestAnimationFrame(frame);
      if (now - this.#last < 30) return;
      const past = Math.min((now - this.#last) / 1000, 0.1);
      this.#last = now;
      for (const p of this.pictures) this.#drawOne(p, now, past);
    };
    this.#asked = requestAnimationFrame(frame);
  }

  draw() {
    const now = performance.now();
    for (const p of this.pictures) this.#drawOne(p, now, 0);
  }

  #drawOne(p, now, past) {
    const { clientWidth: w, clientHeight: h } = p.canvas;
    const scale = Math.min(devicePixelRatio || 1, 2);
    if (!w || !h) return;
    if (p.canvas.width !== Math.round(w * scale) || p.canvas.height !== Math.round(h * scale)) {
      p.canvas.width = Math.round(w * scale);
      p.canvas.height = Math.round(h * scale);
    }
    const c = p.canvas.getContext("2d");
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, w, h);
    c.font = "12px system-ui, sans-serif";
    p.draw(c, w, h, now, past);
  }
}
