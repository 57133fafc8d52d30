package testkit

// Version is the kit's. What is exported here, and what SimulatedChain offers in Python, changes incompatibly with its first number only, or, while that is 0,
// with its second; docs/testkit.md says what changed.
const Version = "0.3.0"
