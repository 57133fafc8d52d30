// Package bindings writes typed clients of actors from their interface documents: Go, Python and TypeScript.
//
//	files, err := bindings.Generate(bindings.Go, document, "counter")
//
// A client has a method for each handler that a transaction can call, twice: among its queries, which run on committed state and cost nothing, and among its
// calls, which are transactions. A result is decoded where the handler says what it returns, and is bytes where it does not. What a document holds comes from
// strangers: names become identifiers of ASCII letters, digits and underscores, texts become comments and literals that nothing in them ends.
package bindings
