from cowboy_sdk import actor, http, payments, public, routes

PAGE = """<!doctype html>
<html lang="en"><title>A stall on the chain</title>
<h1>Hay</h1>
<button id="buy">Buy a bale</button>
<p id="price"></p>
<p id="bale"></p>
<p id="proof"></p>
<script type="module" src="/stall.mjs"></script>
</html>
"""

# What a page needs of Node for the verifier, which is written for it.
SHIM = """
const octets = (x, coding) => coding === "hex" ? Uint8Array.from(x.match(/../g) ?? [], (d) => parseInt(d, 16))
  : typeof x === "string" ? new TextEncoder().encode(x) : Uint8Array.from(x)
const made = (u) => Object.assign(u, { toString: () => Array.from(u, (b) => b.toString(16).padStart(2, "0")).join("") })
globalThis.Buffer = {
  from: (x, coding) => made(octets(x, coding)),
  concat: (list) => made(Uint8Array.from(list.flatMap((u) => [...u]))),
  compare: (a, b) => { for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1
    return Math.sign(a.length - b.length) },
}
"""

PRIMITIVES = @PRIMITIVES@
PROOF = @PROOF@

SCRIPT = """
import "/shim.mjs"
const { bytes, hex, keccak256 } = await import("/primitives.mjs")
const { listed } = await import("/proof.mjs")
const read = (header) => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(header), (c) => c.charCodeAt(0))))
const show = (id, text) => { document.getElementById(id).textContent = text }

// pay lets the visitor's wallet sign what x402's scheme "exact" asks for.
async function pay(required) {
  const want = required.accepts.find((a) => a.scheme === "exact")
  const [from] = await window.ethereum.request({ method: "eth_requestAccounts" })
  const now = Math.floor(Date.now() / 1000)
  const nonce = "0x" + hex(crypto.getRandomValues(new Uint8Array(32)))
  const authorization = { from, to: want.payTo, value: want.amount, validAfter: String(now - 600),
    validBefore: String(now + want.maxTimeoutSeconds), nonce }
  const field = (type, name) => ({ name, type })
  const typed = {
    domain: { name: want.extra.name, version: want.extra.version, chainId: Number(want.network.split(":")[1]), verifyingContract: want.asset },
    primaryType: "TransferWithAuthorization", message: authorization,
    types: {
      EIP712Domain: [field("string", "name"), field("string", "version"), field("uint256", "chainId"), field("address", "verifyingContract")],
      TransferWithAuthorization: [field("address", "from"), field("address", "to"), field("uint256", "value"), field("uint256", "validAfter"),
        field("uint256", "validBefore"), field("bytes32", "nonce")],
    },
  }
  const signature = await window.ethereum.request({ method: "eth_signTypedData_v4", params: [from, JSON.stringify(typed)] })
  return btoa(JSON.stringify({ x402Version: 2, resource: required.resource, accepted: want, payload: { signature, authorization } }))
}

// prove holds the receipt of a transaction to the header of its block.
async function prove(hash) {
  const proof = await (await fetch("/_cowboy/chain/proof/receipt/" + hash)).json()
  const root = hex(listed(bytes(proof.encoded), proof.index ?? 0, bytes(proof.leaf)))
  const final = await (await fetch("/_cowboy/chain/light/final/" + proof.height)).json()
  const header = final.headers[0]
  if (!header.replace(/^0x/, "").includes(root)) throw new Error("the receipt is not in the block")
  return `block ${proof.height} 0x${hex(keccak256(bytes(header)))}`
}

document.getElementById("buy").onclick = async () => {
  const first = await fetch("/hay/1")
  show("price", `${first.status}`)
  const reply = await fetch("/hay/1", { headers: { "PAYMENT-SIGNATURE": await pay(read(first.headers.get("PAYMENT-REQUIRED"))) } })
  show("bale", `${reply.status} ${await reply.text()}`)
  const done = read(reply.headers.get("PAYMENT-RESPONSE"))
  show("proof", `${done.transaction} ${await prove(done.transaction)}`)
}
"""

KIND = {"content-type": "text/javascript; charset=utf-8"}


@actor
class Stall:
    @public
    def init(self, payload):
        payments.set_policy([payments.price("/hay/**", 100_000_000)], treasury="0x00000000000000000000000000000000000a11ce")

    @routes.get("/")
    def page(self, request):
        return http.Response(200, PAGE, {"content-type": "text/html; charset=utf-8"})

    @routes.get("/stall.mjs")
    def script(self, request):
        return http.Response(200, SCRIPT, KIND)

    @routes.get("/shim.mjs")
    def shim(self, request):
        return http.Response(200, SHIM, KIND)

    @routes.get("/primitives.mjs")
    def primitives(self, request):
        return http.Response(200, PRIMITIVES, KIND)

    @routes.get("/proof.mjs")
    def proof(self, request):
        return http.Response(200, PROOF.replace("./primitives.mjs", "/primitives.mjs"), KIND)

    @routes.get("/favicon.ico")
    def icon(self, request):
        return http.Response(204, b"")

    @routes.get("/hay/{n}")
    def hay(self, request):
        return "a bale of hay for " + str(payments.payer(request))
