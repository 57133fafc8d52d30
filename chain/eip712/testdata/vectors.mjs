// Makes vectors.json with ethers 6: npm install ethers@6; node vectors.mjs > vectors.json
import { SigningKey, TypedDataEncoder, computeAddress, keccak256, toUtf8Bytes } from 'ethers'

let state = 712n
const draw = (n) => {
  state = BigInt(keccak256('0x' + state.toString(16).padStart(64, '0')))
  return Number((state >> 8n) % BigInt(n))
}
const bits = (n) => {
  draw(2)
  return state & ((1n << BigInt(n)) - 1n)
}
const hexOf = (n) => '0x' + (n === 0 ? '' : bits(8 * n).toString(16).padStart(2 * n, '0'))
const pick = (list) => list[draw(list.length)]

const atomic = () => pick([
  'string', 'bytes', 'bool', 'address', `bytes${1 + draw(32)}`, `uint${8 * (1 + draw(32))}`, `int${8 * (1 + draw(32))}`, 'uint256', 'bytes32', 'int8',
])
const suffix = () => pick(['', '', '', '', '', '[]', '[2]', '[][3]', '[1][]'])

function value(kind, types) {
  const array = kind.match(/^(.*)\[(\d*)\]$/)
  if (array) return Array.from({ length: array[2] === '' ? draw(4) : Number(array[2]) }, () => value(array[1], types))
  if (types[kind]) return Object.fromEntries(types[kind].map((f) => [f.name, value(f.type, types)]))
  const sized = kind.match(/^(u?int|bytes)(\d+)$/)
  if (kind === 'string') return pick(['', 'a', 'Hello, Bob!', 'naïve ☕ 𝛑', 'x'.repeat(200)])
  if (kind === 'bytes') return hexOf(draw(70) % 33)
  if (kind === 'bool') return draw(2) === 1
  if (kind === 'address') return hexOf(20)
  if (sized[1] === 'bytes') return hexOf(Number(sized[2]))
  const n = Number(sized[2])
  const most = (1n << BigInt(sized[1] === 'uint' ? n : n - 1)) - 1n
  const least = sized[1] === 'uint' ? 0n : -most - 1n
  let x = pick([0n, 1n, most, least, bits(n - 1), -bits(n - 1)])
  if (x < least) x = -x
  return x >= -1000000n && x <= 1000000n && draw(2) ? Number(x) : pick([x.toString(), x >= 0n ? '0x' + x.toString(16) : x.toString()])
}

const cases = []
for (let n = 0; n < 80; n++) {
  const all = { name: ['string', 'A market'], version: ['string', '1'], chainId: ['uint256', 1 + draw(9)], verifyingContract: ['address', hexOf(20)],
    salt: ['bytes32', hexOf(32)] }
  const names = Object.keys(all).filter((_, i) => n === 0 || draw(2) || i === n % 5)
  const domain = Object.fromEntries(names.map((k) => [k, all[k][1]]))
  const structs = ['Zebra', 'Mail', 'apple', '_x', 'Person$1'].slice(0, 1 + draw(5))
  const types = {}
  structs.forEach((name, i) => {
    const fields = Array.from({ length: draw(5) + (i === 0 ? 1 : 0) }, (_, k) => ({ name: `f${k}`, type: atomic() + suffix() }))
    for (let j = i + 1; j < structs.length; j++) if (j === i + 1 || draw(3) === 0) fields.push({ name: `to${j}`, type: structs[j] + suffix() })
    types[name] = fields
  })
  const message = value(structs[0], types)
  const digest = TypedDataEncoder.hash(domain, types, message)
  const secret = keccak256(toUtf8Bytes(`secret ${n}`))
  const key = new SigningKey(secret)
  const typed = { types: { ...types }, primaryType: structs[0], domain, message }
  if (draw(2)) typed.types.EIP712Domain = names.map((k) => ({ name: k, type: all[k][0] }))
  cases.push({ typed, signer: computeAddress(key.publicKey), digest, signature: key.sign(digest).serialized })
}
console.log('[\n' + cases.map((c) => ' ' + JSON.stringify(c)).join(',\n') + '\n]')
