// Calls of a handler with the key of a wallet file. The file is read in the page and sent nowhere; the key is forgotten with the page. A call is tried by the
// node first: what it would cost and how it would end is shown, and only then signed and sent. Whoever is not in a secure context (https, or this machine)
// is not asked for a key at all, since somebody between may have changed the page.
import { addressOf, execution, hex, keccak256, readKey, sign } from "./wallet.js";

const TRIAL = { cycles: 10_000_000, cells: 500_000 }; // tried with, as far as the balance reaches
const UNITS = 1_000_000_000n; // base units of a coin
let wallet = null; // { key, from }

const coins = (units) => {
  const value = BigInt(units), part = (value % UNITS).toString().padStart(9, "0").replace(/0+$/, "");
  return `${(value / UNITS).toLocaleString("en")}${part && "." + part} CBY`;
};
const units = (text) => {
  const found = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text.trim() || "0");
  if (!found) throw new Error("The amount is a number of coins, with at most nine places.");
  return BigInt(found[1]) * UNITS + BigInt((found[2] || "").padEnd(9, "0"));
};

async function ask(path, body) {
  const answer = await fetch(path, body && { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });
  const said = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(`${said.what || "refused"}: ${said.why || answer.status}`), { status: answer.status });
  return said;
}

// draft is the transaction without its signature, with limits that the balance covers.
async function draft(form) {
  const [health, fees] = await Promise.all([ask("/health/detailed"), ask("/basefee")]);
  const account = await ask(`/account/${hex(wallet.from)}`).catch((e) => { if (e.status === 404) return { balance: 0, nonce: 0 }; throw e; });
  const amount = units(form.amount.value), spare = BigInt(account.balance) - amount;
  if (spare <= 0n) throw new Error(`0x${hex(wallet.from)} holds ${coins(account.balance)}, which does not cover the call.`);
  const perCycle = 2 * fees.cycle_basefee, perCell = 2 * fees.cell_basefee;
  const most = BigInt(TRIAL.cycles) * BigInt(perCycle) + BigInt(TRIAL.cells) * BigInt(perCell);
  const part = (limit) => (most <= spare ? BigInt(limit) : BigInt(limit) * spare / most);
  const encoder = new TextEncoder();
  return {
    chain: health.chain_id, nonce: account.nonce, actor: form.dataset.actor, amount, from: wallet.from, perCycle, perCell,
    handler: encoder.encode(form.closest("[data-handler]").dataset.handler), payload: encoder.encode(form.payload.value),
    cycles: part(TRIAL.cycles), cells: part(TRIAL.cells),
  };
}

// told says what an exception was and where, the innermost place last.
const told = (failure) => [`${failure.type || "it ended"}: ${failure.text}`,
  ...failure.places.map((place) => `  line ${place.line}${place.function ? ` in ${place.function}` : ""}${place.source ? `: ${place.source.trim()}` : ""}`)].join("\n");

// attempt has the node try the call and shows what it would do.
async function attempt(form, out) {
  const t = await draft(form);
  const said = await ask("/estimate", execution(t));
  if (said.refused) throw new Error(`No block would take it: ${said.refused.why}`);
  if (!said.success) throw new Error(`It would fail: ${said.failure ? told(said.failure) : said.error?.why || "the node does not say why"}`);
  const follows = said.more || said.follows.length > 0; // what follows may lead to more than was tried
  t.cycles = follows ? t.cycles : BigInt(said.cycles_limit);
  t.cells = follows ? t.cells : BigInt(said.cells_limit);
  const result = said.return_text || said.return_data;
  out.className = "good";
  out.textContent = `It would succeed${result && result !== "0x" ? ` with ${result}` : ""}, for a fee of ${coins(said.fee)}` +
    `${follows ? `, and lead to ${said.follows.length} messages` : ""}.${t.amount ? `\n${coins(t.amount)} go to the actor.` : ""}`;
  return t;
}

// send signs and sends, and follows the transaction to its receipt.
async function send(t, out) {
  const hash = keccak256(execution(t));
  const raw = execution(t, sign(wallet.key, hash));
  const took = await ask("/submit", raw);
  if (took.added !== 1) throw new Error(took.errors?.[0]?.why || "The node did not take the transaction.");
  const id = hex(hash);
  out.className = "";
  out.textContent = "Sent. Waiting for a block…";
  for (let waited = 0; waited < 120; waited++) {
    await new Promise((done) => setTimeout(done, 500));
    const receipt = await ask(`/transaction/${id}/receipt`).catch((e) => { if (e.status === 404) return null; throw e; });
    if (!receipt) continue;
    const good = receipt.success;
    out.className = good ? "good" : "bad";
    const link = Object.assign(document.createElement("a"), { href: `/explorer/tx/0x${id}`, textContent: `transaction 0x${id.slice(0, 8)}…` });
    out.replaceChildren(good ? "Done in block " : "It failed in block ", `${receipt.block_height}: `, link);
    return;
  }
  throw new Error(`No block has it yet. Its hash is 0x${id}.`);
}

async function guarded(out, work) {
  try {
    return await work();
  } catch (e) {
    out.className = "bad";
    out.textContent = (e instanceof TypeError ? "The node does not answer." : e.message).slice(0, 20_000);
    return null;
  }
}

function panel(form) {
  const box = document.getElementById("call").content.firstElementChild.cloneNode(true);
  form.querySelector("output").before(box);
  let ready = null;
  const out = form.querySelector("output"), sendButton = box.querySelector(".send");
  const reset = () => { ready = null; sendButton.hidden = true; };
  const who = () => { box.querySelector(".who").textContent = wallet ? `Signs as 0x${hex(wallet.from)}. The key stays in this page and is forgotten with it.` : ""; };
  who();
  form.addEventListener("input", reset);
  box.querySelector("[name=wallet]").addEventListener("change", (e) => guarded(out, async () => {
    reset();
    wallet = null;
    const file = e.target.files[0];
    if (file && file.size > 4096) throw new Error("This is no wallet file.");
    if (file) {
      const key = await readKey(await file.text());
      wallet = { key, from: addressOf(key) };
    }
    out.textContent = "";
    document.querySelectorAll(".call").forEach((other) => other.dispatchEvent(new Event("wallet")));
  }).then(who));
  box.addEventListener("wallet", who);
  box.querySelector(".try").addEventListener("click", () => guarded(out, async () => {
    reset();
    if (!wallet) throw new Error("Choose the file of a wallet first; `cowboy init` writes one.");
    out.className = "";
    out.textContent = "…";
    ready = await attempt(form, out);
    sendButton.hidden = false;
  }));
  sendButton.addEventListener("click", () => guarded(out, async () => {
    const t = ready;
    reset();
    if (t) await send(t, out);
  }));
}

if (isSecureContext) {
  document.addEventListener("toggle", (e) => {
    const form = e.target.matches?.("details.handler[open]") && e.target.querySelector("form.ask");
    if (form && !form.querySelector(".call")) panel(form);
  }, true);
}
