// Package suite finds and runs the tests of a project: stories (*.txtar, package testkit/scenario) and Python tests (test_*.py and *_test.py,
// package testkit/pytest), several files at a time, and keeps what they used for comparison.
package suite
