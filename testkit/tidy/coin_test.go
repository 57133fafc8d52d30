package tidy

import "testing"

// TestCoin holds the product to the one book of accounts. Spec: WP §8.1.
func TestCoin(t *testing.T) {
	loaded, err := Load(root, "./chain/...", "./runtime/...", "./actors/...", "./cmd/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range loaded {
		for _, p := range Coin(pkg) {
			t.Error(p)
		}
	}
}

// TestCoinFindsEachBreach shows that the check can fail.
func TestCoinFindsEachBreach(t *testing.T) {
	loaded, err := Load(root, "./testkit/tidy/testdata/coin")
	if err != nil {
		t.Fatal(err)
	}
	if found := Coin(loaded[0]); len(found) != 4 {
		t.Errorf("%d problems, want 4: %v", len(found), found)
	}
}
