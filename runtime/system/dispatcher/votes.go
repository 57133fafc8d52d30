package dispatcher

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// Votes is what becomes of a job that several runners answered, under majority_vote with the threshold of a committee, or a strict majority of more
// runners than that: the result enough of them gave, or a failure that counts the votes. A runner whose result is an error failed and votes for nothing.
//
// Spec: runner-marketplace §5 (majority_vote); WP §5.3, §13.1.
func Votes(threshold int, results []any) Answer {
	need := max(threshold, len(results)/2+1)
	encoded := make([][]byte, len(results)) // nil: the runner failed
	for i, r := range results {
		if _, failed := r.(error); failed {
			continue
		}
		data, err := cbor.Append(nil, r)
		if err != nil {
			return Answer{Error: true, Result: "a runner's result is no plain value: " + err.Error()}
		}
		encoded[i] = data
	}
	best, most := 0, 0
	for i, one := range encoded {
		same := 0
		for _, other := range encoded {
			if one != nil && bytes.Equal(one, other) {
				same++
			}
		}
		if same > most {
			best, most = i, same
		}
	}
	if most < need {
		return Answer{Error: true, Result: fmt.Sprintf("runners disagree: %d of %d gave one result, %d must", most, len(results), need)}
	}
	return Answer{Result: results[best], Proof: fmt.Sprintf("%d of %d runners", most, len(results))}
}
