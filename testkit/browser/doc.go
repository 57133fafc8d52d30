// Package browser tests the explorer the way people use it: a real node, headless Chromium, clicks. Without Chromium on the machine the tests
// are skipped.
//
//	go test ./testkit/browser -args -shots DIR    # keeps a picture of every page, light and dark, desktop and telephone
package browser
