//go:build !examplechapter

package tx

// extraRows is where a build with the tag examplechapter adds its instructions.
var extraRows []Row
