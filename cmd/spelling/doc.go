// Package spelling tells what a misspelt word was probably meant to be, for messages that suggest it.
package spelling
