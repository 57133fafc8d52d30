package cli

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// parseCBY reads a decimal number of CBY with at most nine places.
func parseCBY(text string) (unit.Amount, error) {
	amount, err := unit.ParseCBY(text)
	if err != nil {
		return 0, usageError{fmt.Errorf("%q is not an amount of CBY: %w", text, err)}
	}
	return amount, nil
}
