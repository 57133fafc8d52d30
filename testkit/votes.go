package testkit

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/cbor"
)

// Votes is what becomes of a job that several runners answered, under majority_vote with the governed committee's threshold, or a strict majority of
// more runners than that: the result enough of them gave, or a failure that counts the votes. A runner that fails votes with an error.
//
// Spec: runner-marketplace §5 (majority_vote); WP §5.3, §13.1.
func Votes(results ...any) Answer {
	need := max(int(params.Genesis().Committee.Threshold), len(results)/2+1)
	best, most := 0, 0
	encoded := make([][]byte, len(results))
	for i, r := range results {
		if err, failed := r.(error); failed {
			r = "error: " + err.Error()
		}
		data, err := cbor.Append(nil, r)
		if err != nil {
			return Answer{Error: true, Result: "a runner's result is no plain value: " + err.Error()}
		}
		encoded[i] = data
	}
	for i := range results {
		if _, failed := results[i].(error); failed {
			continue
		}
		same := 0
		for j := range results {
			if _, failed := results[j].(error); !failed && bytes.Equal(encoded[i], encoded[j]) {
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
