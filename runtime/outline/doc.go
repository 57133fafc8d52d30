// Package outline describes an actor by its source alone: the handlers it answers with, what they take and give, who may call them, and what its author
// wrote about them. Nothing of the source is executed, so whoever asks pays nothing and risks nothing.
//
//	d, err := outline.Of(source)
//	d.Handler("transfer")
//
// What a program decides while it runs cannot be read off its text: handlers that it registers under computed names, methods of a class it imports.
// Document.Complete says whether there may be more than what is listed.
//
// Errors: *syntax.SyntaxError, with its line; pvm.ErrSourceTooLarge.
package outline
