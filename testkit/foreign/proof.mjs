// Verifiers of the two kinds of proofs: of state (QMDB "Current, ordered, variable" over BLAKE3) and of membership in a list (binary Merkle tree over
// keccak256). Written from section 5 and 6 of the digest "commonware" alone.
import { Reader, blake3, cat, fixed, hex, keccak256, order, same, text, uint } from './primitives.mjs'

const chunkBits = 256n
const chunkHeight = 8n

const ones = n => BigInt(n.toString(2).replaceAll('0', '').length)
const position = (leaf, height) => 2n * leaf - ones(leaf) + 2n * (1n << height) - 2n

// peaks lists the perfect trees over n leaves, largest first.
function peaks(n) {
  const list = []
  for (let height = 63n, first = 0n; height >= 0n; height--) {
    if (n >> height & 1n) {
      list.push({ first, height })
      first += 1n << height
    }
  }
  return list
}

// climb gives the digest of a peak from one of its leaves. Siblings are in depth-first order: those on the left from the top down, then those on the
// right from the bottom up.
function climb(peak, location, chunk, complete, operation, next) {
  const descend = (first, height) => {
    if (height === 0n) return blake3(cat(fixed(position(location, 0n), 8), operation))
    const middle = first + (1n << (height - 1n))
    const outer = location < middle ? null : next()
    const inner = descend(outer ? middle : first, height - 1n)
    const node = blake3(cat(fixed(position(first, height), 8), ...(outer ? [outer, inner] : [inner, next()])))
    return height === chunkHeight && complete && chunk.some(b => b) ? blake3(cat(chunk, node)) : node
  }
  return descend(peak.first, peak.height)
}

// located verifies that an operation stands at a location, and is active, and gives the state root that follows.
function located(r, operation) {
  const location = r.uint()
  const chunk = r.take(32)
  const leaves = r.uint()
  const inactive = Number(r.uint())
  const digests = r.list(() => r.take(32))
  const partial = r.option(() => r.take(32))
  const opsRoot = r.take(32)
  return tail => {
    if (location >= leaves) throw new Error('a location beyond the log')
    const bit = Number(location % chunkBits)
    if (!(chunk[bit >> 3] >> (bit & 7) & 1)) throw new Error('the operation is not active')
    const all = peaks(leaves)
    const own = all.findIndex(p => location < p.first + (1n << p.height))
    if (inactive > all.length) throw new Error('more inactive peaks than peaks')
    let used = 0
    const next = () => {
      if (used === digests.length) throw new Error('a digest is missing')
      return digests[used++]
    }
    const before = own < inactive ? own : inactive
    const ahead = before > 0 ? [next()] : []
    const left = all.slice(inactive, Math.max(own, inactive)).map(next)
    const waiting = all.slice(own + 1, Math.max(inactive, own + 1)).map(next)
    const right = all.length > Math.max(own + 1, inactive) ? [next()] : []
    const complete = (location / chunkBits + 1n) * chunkBits <= leaves
    const self = climb(all[own], location, chunk, complete, operation, next)
    if (used !== digests.length) throw new Error('digests are left over')
    const prefix = own < inactive ? [...ahead, self, ...waiting] : ahead
    const acc = prefix.length > 0 ? [prefix.reduce((a, p) => blake3(cat(a, p)))] : []
    const folded = [...acc, ...left, ...(own < inactive ? [] : [self]), ...right].reduceRight((a, p) => blake3(cat(p, a)))
    const grafted = blake3(cat(fixed(leaves, 8), inactive > 0 ? fixed(inactive, 8) : [], folded))
    const rest = leaves % chunkBits
    if ((rest > 0n) !== (partial !== null)) throw new Error('the last chunk is there without need, or missing')
    if (!complete && !same(blake3(chunk), partial)) throw new Error('the last chunk is another one')
    tail(r)
    return blake3(cat(opsRoot, grafted, rest > 0n ? cat(fixed(rest, 8), partial) : []))
  }
}

const update = (key, value, next) => cat([0xd2], text(key), text(value), text(next))

// after gives what follows an operation proof, without verifying the proof.
function after(proof, skip) {
  const r = new Reader(proof)
  r.take(skip)
  located(r, null)
  return r
}

// member gives the state root under which key has value.
export function member(proof, key, value) {
  const next = after(proof, 0).text()
  return located(new Reader(proof), update(key, value, next))(r => { r.text(); r.end() })
}

// absent gives the state root under which there is no key.
export function absent(proof, key) {
  const r = new Reader(proof)
  const kind = r.take(1)[0]
  if (kind === 1) {
    const last = after(proof, 1)
    const metadata = last.option(() => last.text())
    const location = new Reader(proof.subarray(1)).uint()
    const commit = cat([0xd3], metadata === null ? [0] : cat([1], text(metadata)), uint(location))
    return located(r, commit)(t => { t.option(() => t.text()); t.end() })
  }
  if (kind !== 0) throw new Error('an unknown kind of absence')
  const last = after(proof, 1)
  const [low, value, next] = [last.text(), last.text(), last.text()]
  const [above, below] = [order(low, key) < 0, order(key, next) < 0]
  const inside = order(low, next) < 0 ? above && below : order(low, next) > 0 ? above || below : order(low, key) !== 0
  if (!inside) throw new Error('the key is outside the gap')
  return located(r, update(low, value, next))(t => { t.text(); t.text(); t.text(); t.end() })
}

// listed gives the root of the list of digests in which digest stands at index.
export function listed(proof, index, digest) {
  const r = new Reader(proof)
  const count = Number(BigInt('0x' + hex(r.take(4))))
  const siblings = r.list(() => r.take(32))
  r.end()
  if (count === 0 || index >= count) throw new Error('an index beyond the list')
  let node = keccak256(cat(fixed(index, 4), digest))
  for (let width = count, at = index; width > 1; width = Math.ceil(width / 2), at >>= 1) {
    if (at % 2 === 1) node = keccak256(cat(siblings.shift() ?? missing(), node))
    else node = keccak256(cat(node, at + 1 < width ? siblings.shift() ?? missing() : node))
  }
  if (siblings.length > 0) throw new Error('siblings are left over')
  return keccak256(cat(fixed(count, 4), node))
}

function missing() { throw new Error('a sibling is missing') }

// listRoot is the root of a whole list.
export function listRoot(digests) {
  let level = digests.map((d, i) => keccak256(cat(fixed(i, 4), d)))
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => keccak256(cat(level[2 * i], level[2 * i + 1] ?? level[2 * i])))
  }
  return keccak256(cat(fixed(digests.length, 4), level[0] ?? keccak256([])))
}
