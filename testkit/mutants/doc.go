// Package mutants asks whether the tests notice a change of a rule: it makes one small change of the source at a time (a comparison that takes in its border,
// a condition turned round, a number one more, a statement left out), builds the package with it, and runs the tests that should fail.
//
//	found, err := mutants.Find(root, []string{"chain", "runtime/drain"})
//	for _, m := range mutants.Pick(found, seed, 300) {
//		verdict, err := runner.Try(ctx, m)
//	}
//
// A mutant that every test lets pass has survived: either a test is missing, or the change makes no difference, in which case kept.txt lists it with the
// reason. The source on disk is never touched: the compiler reads the changed file through an overlay.
//
// Deliberately absent: changes of tests, of tables that golden files hold, and of several places at once.
package mutants
