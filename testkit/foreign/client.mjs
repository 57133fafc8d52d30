// A client of the chain that shares no line with it: it encodes, signs, sends and proves by the public documents alone (the whitepaper's sections 1, 2
// and appendix A, the digests "commonware" and "node-rpc-cli", the node's OpenAPI document).
//
//	node client.mjs vectors      print vectors.json
//	node client.mjs live URL     fund, send, wait, prove, and refuse what was tampered with
import { address, blake3, bytes, cat, fixed, hex, keccak256, order, sign, text, uint } from './primitives.mjs'
import { absent, listRoot, listed, member } from './proof.mjs'

// encode gives a transfer in canonical form; sigs are the signatures by signer, zero where one is missing.
function encode(tx, sigs = new Map()) {
  const zero = new Uint8Array(65)
  return cat(
    uint(tx.chain), uint(tx.nonce), [0, 1], tx.to, fixed(tx.amount, 8), uint(tx.cycles), uint(tx.cells),
    ...tx.fees.map(uint), tx.from, [0], text(tx.metadata), [0, 0, 0], sigs.get(hex(tx.from)) ?? zero,
    uint(tx.others.length), ...tx.others.flatMap(a => [a, sigs.get(hex(a)) ?? zero]),
  )
}

function signed(tx, keys) {
  const hash = keccak256(encode(tx))
  return { hash, raw: encode(tx, new Map(keys.map(k => [hex(address(k)), sign(k, hash)]))) }
}

// draw gives bytes from a name, so that the vectors are the same on every run.
const draw = (name, size) => {
  let out = new Uint8Array(0)
  for (let i = 0; out.length < size; i++) out = cat(out, keccak256(cat(Buffer.from(name), fixed(i, 4))))
  return out.subarray(0, size)
}

const source = s => keccak256(Buffer.from(s.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n').normalize('NFC')))

function vectors() {
  const edges = [0n, 1n, 127n, 128n, 16383n, 16384n, 50000n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 1n]
  const sizes = [0, 1, 32, 127, 128, 129, 300, 2000]
  const transfers = Array.from({ length: 40 }, (_, i) => {
    const key = draw(`key ${i}`, 32)
    const others = Array.from({ length: i % 4 }, (_, j) => draw(`other ${i} ${j}`, 32)).sort((a, b) => order(address(a), address(b)))
    const pick = (list, salt) => list[(i * 7 + salt) % list.length]
    const tx = {
      chain: pick(edges, 1), nonce: pick(edges, 2), to: draw(`to ${i}`, 20), amount: pick(edges, 3), cycles: pick(edges, 4), cells: pick(edges, 5),
      fees: [6, 7, 8, 9].map(s => pick(edges, s)), from: address(key), metadata: draw(`metadata ${i}`, pick(sizes, i)), others: others.map(address),
    }
    const { hash, raw } = signed(tx, [key, ...others])
    return {
      keys: [key, ...others].map(hex), signers: [key, ...others].map(k => hex(address(k))), chain: `${tx.chain}`, nonce: `${tx.nonce}`, to: hex(tx.to), amount: `${tx.amount}`,
      cycles: `${tx.cycles}`, cells: `${tx.cells}`, fees: tx.fees.map(String), metadata: hex(tx.metadata), unsigned: hex(encode(tx)), hash: hex(hash), signed: hex(raw),
    }
  })
  const sources = ['', 'x = 1\n', '\ufeffx = 1\r\ny = 2\r', 'name = "e\u0301"\n', 's = "\ufb01 \u1e9b\u0323 \uac00"\n', '# \u4e2d\u6587\r\n']
  const actors = sources.map((s, i) => {
    const [creator, salt] = [draw(`creator ${i}`, 20), draw(`salt ${i}`, 32)]
    const code = source(s)
    return { source: hex(Buffer.from(s)), creator: hex(creator), salt: hex(salt), code_hash: hex(code), address: hex(keccak256(cat(creator, salt, code)).subarray(12)) }
  })
  const hashes = [0, 1, 63, 64, 65, 135, 136, 137, 1023, 1024, 1025, 2048, 3073].map(size => {
    const data = draw(`data ${size}`, size)
    return { size, data: hex(data), keccak256: hex(keccak256(data)), blake3: hex(blake3(data)) }
  })
  const lists = [0, 1, 2, 3, 4, 5, 8, 9, 33].map(n => ({ n, root: hex(listRoot(Array.from({ length: n }, (_, i) => keccak256(fixed(i, 8))))) }))
  return { transfers, actors, hashes, lists }
}

const refused = (what, run) => {
  let root
  try { root = run() } catch { return }
  throw new Error(`${what} was accepted: ${hex(root)}`)
}

const check = (ok, what) => { if (!ok) throw new Error(what) }

async function live(url) {
  const get = async path => {
    const reply = await fetch(url + path)
    return reply.ok ? reply.json() : { status: reply.status }
  }
  const post = async (path, body, type) => (await fetch(url + path, { method: 'POST', body, headers: { 'content-type': type } })).json()
  const until = async (what, run) => {
    for (let i = 0; i < 300; i++) {
      const got = await run()
      if (got) return got
      await new Promise(done => setTimeout(done, 100))
    }
    throw new Error(`waited for ${what} in vain`)
  }
  const key = draw('live', 32)
  const from = address(key)
  await post('/faucet', JSON.stringify({ address: `0x${hex(from)}` }), 'application/json')
  const account = await until('the faucet', async () => { const a = await get(`/account/${hex(from)}`); return a.balance > 0 && a })
  const fee = await get('/basefee')
  const hashes = []
  for (let i = 0; i < 8; i++) {
    const tx = {
      chain: 1n, nonce: BigInt(account.nonce + i), to: draw(`live ${i}`, 20), amount: 1000n + BigInt(i), cycles: 100000n, cells: 10000n,
      fees: [BigInt(fee.cycle_basefee) * 2n, BigInt(fee.cell_basefee) * 2n, 1n, 1n], from, metadata: draw(`note ${i}`, i * 50), others: [],
    }
    const { hash, raw } = signed(tx, [key])
    const spoiled = raw.slice()
    spoiled[30] ^= 1
    const bad = await post('/submit', spoiled, 'application/octet-stream')
    check(!(bad.added > 0), 'a spoiled transaction was taken')
    // One transaction alone, or the tagged list of one.
    const body = i % 2 ? cat([1], uint(1), raw) : raw
    const reply = await post('/submit', body, 'application/octet-stream')
    check(reply.added === 1 && reply.hashes[0].replace('0x', '') === hex(hash), `not taken: ${JSON.stringify(reply)}`)
    hashes.push(hash)
  }
  let proven = 0
  for (const [i, hash] of hashes.entries()) {
    const receipt = await until('a receipt', async () => { const r = await get(`/transaction/${hex(hash)}/receipt`); return r.block_height && r })
    const block = await until('the block', async () => { const b = await get(`/block/height/${receipt.block_height}`); return b.hash && b })
    const p = await get(`/proof/tx/${hex(hash)}`)
    check(hex(listed(bytes(p.encoded), p.index ?? 0, hash)) === block.tx_root.slice(2), 'the transaction is not in its block')
    check(hex(listRoot(block.transactions.map(bytes))) === block.tx_root.slice(2), 'the list of transactions has another root')
    const q = await get(`/proof/receipt/${hex(hash)}`)
    check(hex(listed(bytes(q.encoded), q.index ?? 0, bytes(q.leaf))) === block.receipt_root.slice(2), 'the receipt is not in its block')
    const wrong = hash.slice()
    wrong[0] ^= 1
    check(hex(listed(bytes(p.encoded), p.index ?? 0, wrong)) !== block.tx_root.slice(2), 'another transaction has the same proof')
    proven += 3
    const to = draw(`live ${i}`, 20)
    proven += await paid(get, to, 1000n + BigInt(i))
  }
  proven += await paid(get, from, null)
  for (let i = 0; i < 8; i++) proven += await nobody(get, draw(`nobody ${i}`, 20))
  console.log(`${proven} proofs hold`)
}

// stateProof fetches a proof and the root that the header of its block names.
async function stateProof(get, addr) {
  const p = await get(`/proof/account/${hex(addr)}`)
  const block = await get(`/block/height/${p.height}`)
  return { p, root: block.state_root.slice(2), encoded: bytes(p.encoded), key: bytes(p.state_key) }
}

async function paid(get, addr, balance) {
  const { p, root, encoded, key } = await stateProof(get, addr)
  check(p.kind === 'membership', 'an account that has coins is missing')
  const value = bytes(p.value)
  check(hex(member(encoded, key, value)) === root, 'the proof of an account does not hold')
  check(balance === null || hex(value) === hex(cat([0], uint(balance), [0])), `another account: ${p.value}`)
  const other = value.slice()
  other[0] ^= 1
  check(hex(member(encoded, key, other)) !== root, 'another value has the same proof')
  for (let at = 0; at < encoded.length; at += 17) {
    const spoiled = encoded.slice()
    spoiled[at] ^= 1
    refused(`a proof with byte ${at} spoiled`, () => { const got = member(spoiled, key, value); if (hex(got) !== root) throw new Error('refused'); return got })
  }
  return 1
}

async function nobody(get, addr) {
  const { p, root, encoded, key } = await stateProof(get, addr)
  check(p.kind === 'exclusion', 'an account that nobody paid is there')
  check(hex(absent(encoded, key)) === root, 'the proof of an absence does not hold')
  return 1
}

const [mode, url] = process.argv.slice(2)
if (mode === 'vectors') console.log(JSON.stringify(vectors(), null, 1))
else if (mode === 'live') await live(url)
else process.exitCode = 2
