// Package fleet runs the runners of a development network inside cowboyd, against stand-in servers for a model, tools and a site.
//
// Each runner is the real one: a dispatcher with a journal, workers, a queue, a key, a stake on the chain (actors/runner). All hang in one supervision tree,
// beside the node's and not below it: nothing a runner does can stop a node. A runner that is not registered takes what it stakes from the faucet of the
// network, whose key everybody has, and registers itself.
//
// The servers are one listener on loopback: a model that speaks OpenAI's protocol (Model), tools over MCP, and a site. The same question has the same answer,
// so that honest runners agree.
//
// A runner does as it is told (Conduct): it answers otherwise than its tools did, fails, is slow, reveals another result than the one it committed itself
// to, or is away. What the chain makes of it is the chain's own business; package runner knows nothing of it.
//
// Spec: governance-staking B10 (development networks); runner-marketplace §5, §9.
package fleet
