// Package pytest runs tests that authors write in Python against cowboy_sdk.testing. A test file is loaded into a Python machine of its own;
// SimulatedChain inside it is a testkit.Chain: the node's own transition, drain, host and machine, so an actor behaves and costs in a test what
// it does and costs on the network.
//
// # Finding tests
//
// A test is a module-level function whose name begins with test_, or such a method of a class whose name begins with Test. A class is instantiated for
// each test; setup and teardown methods (setUp, tearDown, setup_method, teardown_method) are called around it. Async tests are driven to their end. Every test
// has a machine, a chain and an account book of its own, so tests cannot see each other and any subset runs alike.
//
// A class whose name begins with Fuzz and that has methods invariant_* says what must hold whatever is called. Among the tests it is one: twenty
// sequences of calls drawn from a fixed seed. Fuzz searches longer (package sequence). For each invariant that breaks, the calls are shortened and written
// as a test. A handler whose calls all fail makes the search fail: it has shown nothing.
//
// # Modules
//
// A test imports what an actor can, cowboy_sdk.testing, cowboy_sdk.mock_host for methods called without a chain, and the files of its own directory and of
// Options.Path by name. An actor's module that is imported is compiled as a deployment compiles it.
//
// Both exist in test runs only: a deployment whose source imports one of them is refused.
//
// Deliberately absent: parametrized tests, fixtures by argument, a second implementation of anything the chain does.
//
// Spec: sdk §21.
package pytest
