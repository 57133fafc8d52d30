package tee

// VerifyCAE lets tests run the instruction in a block of their choice, since collateral takes 604,800 blocks to count.
var VerifyCAE = verifyCAE
