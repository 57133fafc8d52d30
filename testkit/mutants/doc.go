// Package mutants asks whether the tests notice a change of a rule: it makes one small change of the source at a time (a comparison that takes in its border,
// a condition turned round, a number one more, a statement left out) and runs the tests that should fail.
//
//	found, err := mutants.Find(root, []string{"chain", "runtime/drain"})
//	list := mutants.Pick(found, seed, 300)
//	runner, err := mutants.NewRunner(ctx, root, packages, list)
//	for i := range list {
//		verdict, by, err := runner.Try(ctx, i)
//	}
//
// All mutants of a list are compiled and linked once: each is a second copy of its function, and the function begins by calling the copy that an environment
// variable chooses. Each test is run once without a mutant to see which functions it reaches, so that a mutant costs the tests that reach it and nothing else.
// The source on disk is never touched: the compiler reads the changed files through an overlay. It must not change either until all mutants are tried.
//
// A mutant that every test lets pass has survived: either a test is missing, or the change makes no difference, in which case kept.txt lists it with the
// reason.
//
// Deliberately absent: changes of tests, of tables that golden files hold, and of several places at once.
package mutants
