// Shows where an execution failed, next to what it failed with. Without this script a link leads there.
const told = new Map();

async function tell() {
  for (const place of document.querySelectorAll("[data-explain]")) {
    const hash = place.dataset.explain;
    if (!told.has(hash)) {
      told.set(hash, "");
      try {
        const answer = await fetch(`/explain/${encodeURIComponent(hash)}?format=text`);
        if (answer.ok) told.set(hash, await answer.text());
      } catch (_) {
        told.delete(hash); // the node is restarting
      }
    }
    if (told.get(hash) && place.isConnected) {
      const text = document.createElement("pre");
      text.textContent = told.get(hash).slice(0, 20_000);
      place.replaceChildren(text);
      delete place.dataset.explain;
    }
  }
}

document.addEventListener("refreshed", tell);
tell();
