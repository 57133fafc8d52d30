// Hashes, curve and codec that the client needs, each written from its public specification and with no package but Node's own:
// keccak256 (FIPS 202's permutation with the original padding), BLAKE3 (its paper, section 2), secp256k1 (SEC 2) with nonces by RFC 6979, and
// the canonical encoding of the whitepaper, section 2.5.
import { createHmac } from 'node:crypto'

export const hex = b => Buffer.from(b).toString('hex')
export const bytes = h => new Uint8Array(Buffer.from(h.replace(/^0x/, ''), 'hex'))
export const cat = (...parts) => new Uint8Array(Buffer.concat(parts.map(p => Buffer.from(p))))
export const same = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0
export const order = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))

// ---- keccak256

const lanes = 1n << 64n
const rotate = (x, n) => n === 0n ? x : ((x << n) | (x >> (64n - n))) % lanes

function constants() {
  const round = []
  let r = 1
  const bit = () => { const out = r & 1; r = r & 0x80 ? (r << 1) ^ 0x171 : r << 1; return out }
  for (let i = 0; i < 24; i++) {
    let c = 0n
    for (let j = 0; j < 7; j++) if (bit()) c |= 1n << ((1n << BigInt(j)) - 1n)
    round.push(c)
  }
  return round
}
const iota = constants()

function permute(a) {
  for (let i = 0; i < 24; i++) {
    const c = [0, 1, 2, 3, 4].map(x => a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20])
    for (let x = 0; x < 5; x++) {
      const d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1n)
      for (let y = 0; y < 25; y += 5) a[x + y] ^= d
    }
    const b = new Array(25)
    b[0] = a[0]
    for (let t = 0, x = 1, y = 0; t < 24; t++) {
      const [u, v] = [y, (2 * x + 3 * y) % 5]
      b[u + 5 * v] = rotate(a[x + 5 * y], BigInt((((t + 1) * (t + 2)) / 2) % 64))
      ;[x, y] = [u, v]
    }
    for (let y = 0; y < 25; y += 5) {
      for (let x = 0; x < 5; x++) a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & (lanes - 1n) & b[(x + 2) % 5 + y])
    }
    a[0] ^= iota[i]
  }
}

export function keccak256(data) {
  const rate = 136
  const padded = new Uint8Array(Math.ceil((data.length + 1) / rate) * rate)
  padded.set(data)
  padded[data.length] ^= 0x01
  padded[padded.length - 1] ^= 0x80
  const view = new DataView(padded.buffer)
  const a = new Array(25).fill(0n)
  for (let at = 0; at < padded.length; at += rate) {
    for (let i = 0; i < rate / 8; i++) a[i] ^= view.getBigUint64(at + 8 * i, true)
    permute(a)
  }
  const out = new Uint8Array(32)
  for (let i = 0; i < 4; i++) new DataView(out.buffer).setBigUint64(8 * i, a[i], true)
  return out
}

// ---- BLAKE3

const iv = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
const shuffle = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
const start = 1, end = 2, parent = 4, root = 8

function compress(chain, words, counter, length, flags) {
  const s = [...chain, ...iv.slice(0, 4), counter, 0, length, flags]
  const turn = (x, n) => (x >>> n) | (x << (32 - n))
  const mix = (a, b, c, d, x, y) => {
    s[a] = (s[a] + s[b] + x) | 0; s[d] = turn(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) | 0; s[b] = turn(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b] + y) | 0; s[d] = turn(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) | 0; s[b] = turn(s[b] ^ s[c], 7)
  }
  let m = words
  for (let r = 0; r < 7; r++) {
    for (let i = 0; i < 4; i++) mix(i, i + 4, i + 8, i + 12, m[2 * i], m[2 * i + 1])
    for (let i = 0; i < 4; i++) mix(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[2 * i + 8], m[2 * i + 9])
    m = shuffle.map(i => m[i])
  }
  return s.slice(0, 8).map((x, i) => x ^ s[i + 8])
}

function words(block) {
  const padded = new Uint8Array(64)
  padded.set(block)
  const view = new DataView(padded.buffer)
  return Array.from({ length: 16 }, (_, i) => view.getUint32(4 * i, true))
}

// tree gives the chaining value of data that begins at a chunk; the flag root goes to its last compression.
function tree(data, chunk, flags) {
  if (data.length > 1024) {
    const left = 1024 * 2 ** Math.floor(Math.log2((data.length - 1) / 1024))
    const below = [tree(data.subarray(0, left), chunk, 0), tree(data.subarray(left), chunk + left / 1024, 0)]
    return compress(iv, below.flat(), 0, 64, parent | flags)
  }
  let chain = iv
  for (let at = 0, first = true; first || at < data.length; at += 64, first = false) {
    const block = data.subarray(at, at + 64)
    const last = at + 64 >= data.length
    chain = compress(chain, words(block), chunk, block.length, (first ? start : 0) | (last ? end | flags : 0))
  }
  return chain
}

export function blake3(data) {
  const out = new Uint8Array(32)
  tree(data, 0, root).forEach((w, i) => new DataView(out.buffer).setUint32(4 * i, w, true))
  return out
}

// ---- secp256k1

const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G = [0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n, 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n]
const modulo = (x, m) => ((x % m) + m) % m

function inverse(x, m) {
  let [a, b, u, v] = [modulo(x, m), m, 1n, 0n]
  while (a !== 0n) {
    const q = b / a
    ;[a, b, u, v] = [b - q * a, a, v - q * u, u]
  }
  return modulo(v, m)
}

function add(p, q) {
  if (p === null) return q
  if (q === null) return p
  if (p[0] === q[0] && p[1] !== q[1]) return null
  const slope = p[0] === q[0] ? 3n * p[0] * p[0] * inverse(2n * p[1], P) : (q[1] - p[1]) * inverse(q[0] - p[0], P)
  const x = modulo(slope * slope - p[0] - q[0], P)
  return [x, modulo(slope * (p[0] - x) - p[1], P)]
}

function times(k, p) {
  let sum = null
  for (; k > 0n; k >>= 1n, p = add(p, p)) if (k & 1n) sum = add(sum, p)
  return sum
}

export const integer = b => BigInt('0x' + (hex(b) || '0'))
const word = x => bytes(x.toString(16).padStart(64, '0'))

// nonce is RFC 6979, section 3.2, with HMAC-SHA256 over a digest of the curve's size.
function nonce(key, digest) {
  const mac = (k, ...parts) => new Uint8Array(createHmac('sha256', k).update(cat(...parts)).digest())
  const seed = cat(key, word(modulo(integer(digest), N)))
  let k = new Uint8Array(32)
  let v = new Uint8Array(32).fill(1)
  for (const tag of [0, 1]) {
    k = mac(k, v, [tag], seed)
    v = mac(k, v)
  }
  for (;;) {
    v = mac(k, v)
    if (integer(v) > 0n && integer(v) < N) return integer(v)
    k = mac(k, v, [0])
    v = mac(k, v)
  }
}

export const address = key => {
  const [x, y] = times(integer(key), G)
  return keccak256(cat(word(x), word(y))).subarray(12)
}

// sign gives r, s and the recovery id, with s in the lower half.
export function sign(key, digest) {
  const k = nonce(key, digest)
  const [x, y] = times(k, G)
  const r = modulo(x, N)
  let s = modulo(inverse(k, N) * (integer(digest) + r * integer(key)), N)
  let v = Number(y & 1n) | (x >= N ? 2 : 0)
  if (s > N / 2n) [s, v] = [N - s, v ^ 1]
  return cat(word(r), word(s), [v])
}

// ---- canonical encoding, whitepaper section 2.5

export function uint(x) {
  const out = []
  for (x = BigInt(x); x > 127n; x >>= 7n) out.push(Number(x & 127n) | 128)
  out.push(Number(x))
  return new Uint8Array(out)
}

export function fixed(x, size) {
  return bytes(BigInt(x).toString(16).padStart(2 * size, '0'))
}

export const text = b => cat(uint(b.length), b)

// Reader decodes strictly: nothing may be missing, left over or written in more bytes than needed.
export class Reader {
  constructor(data) { this.data = data; this.at = 0 }
  take(n) {
    if (this.at + n > this.data.length) throw new Error('the input ends early')
    return this.data.subarray(this.at, this.at += n)
  }
  uint() {
    let x = 0n
    for (let shift = 0n; ; shift += 7n) {
      const b = this.take(1)[0]
      if (shift > 0n && b === 0) throw new Error('a number in more bytes than needed')
      x |= BigInt(b & 127) << shift
      if (x >= lanes) throw new Error('a number above 64 bits')
      if (b < 128) return x
    }
  }
  text() { return this.take(Number(this.uint())) }
  option(read) {
    const tag = this.take(1)[0]
    if (tag > 1) throw new Error('an option is neither there nor absent')
    return tag ? read() : null
  }
  list(read) { return Array.from({ length: Number(this.uint()) }, read) }
  end() { if (this.at !== this.data.length) throw new Error('bytes are left over') }
}
