// The forms of an actor's page: reading runs a handler on the newest final state, for nothing; calling is for the command
// that is shown, or for call.js.
const hex = (text) => [...new TextEncoder().encode(text)].map((b) => b.toString(16).padStart(2, "0")).join("");
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function command(form) {
  const handler = form.closest("[data-handler]").dataset.handler;
  return `cowboy actor execute --actor ${form.dataset.actor} --handler ${handler} --payload-text ${quoted(form.payload.value)} --wait`;
}

async function read(form) {
  const out = form.querySelector("output");
  const handler = form.closest("[data-handler]").dataset.handler;
  out.className = "";
  out.textContent = "…";
  try {
    const answer = await fetch(`/actor/${form.dataset.actor}/read_handler`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ selector: handler, payload: hex(form.payload.value) }),
    });
    const said = await answer.json();
    out.className = answer.ok ? "good" : "bad";
    const printed = (said.printed || said.context?.printed || []).map((p) => p.text).join("\n");
    let text = answer.ok ? `${said.result_text || said.result || "nothing"}\n${said.cycles_used.toLocaleString("en")} cycles, after block ${said.block_height}`
      : said.context?.traceback || `${said.what}: ${said.why}`;
    if (said.context?.name === "READ_ONLY_VIOLATION") text = `It changes something, so it has to be called.\n${text}`;
    out.textContent = (printed ? `${text}\nprinted: ${printed}` : text).slice(0, 20_000);
  } catch (_) {
    out.className = "bad";
    out.textContent = "The node does not answer.";
  }
}

document.addEventListener("submit", (e) => {
  if (!e.target.matches("form.ask")) return;
  e.preventDefault();
  read(e.target);
});
function show(form) {
  form.querySelector(".command").textContent = command(form);
}
document.querySelectorAll("form.ask").forEach(show); // what was written before this script ran
document.addEventListener("input", (e) => {
  const form = e.target.closest?.("form.ask");
  if (form) show(form);
});
document.addEventListener("click", async (e) => {
  const form = e.target.matches?.("button.copy") && e.target.closest("form.ask");
  if (!form) return;
  try {
    await navigator.clipboard.writeText(command(form));
    e.target.textContent = "Copied";
  } catch (_) {
    getSelection().selectAllChildren(form.querySelector(".command")); // no clipboard here: it is marked instead
  }
});
