package verify

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// at is the address of runner n.
func at(n byte) account.Address { return account.Address{19: n} }

// plain is a job that asks for nothing in particular.
func plain(mode job.Mode, checks ...job.Check) *job.Spec {
	return &job.Spec{
		Kind: job.MCP, MCP: &job.MCPJob{Server: "s", Tool: "t", Arguments: "{}"}, Schema: job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		Verification: job.Verification{Mode: mode, Checks: checks}, MaxPrice: 1_000,
	}
}

// fetch is a job for data from outside.
func fetch(mode job.Mode, h job.HTTPJob, checks ...job.Check) *job.Spec {
	s := plain(mode, checks...)
	s.Kind, s.MCP, s.HTTP = job.HTTP, nil, &h
	return s
}

// said are results of runners 1, 2, … that succeeded, and that say where they are from.
func said(data ...string) (list []Result) {
	for i, d := range data {
		list = append(list, Result{Runner: at(byte(i + 1)), Output: &Output{Data: []byte(d), Source: &Source{}}, Index: uint32(i)})
	}
	return list
}

func runners(n ...byte) (list []account.Address) {
	for _, one := range n {
		list = append(list, at(one))
	}
	return list
}

// judge is Judge in every order of up to four results, and in several of more: the verdict is always the same.
func judge(t testing.TB, terms *Terms, results []Result) *Verdict {
	t.Helper()
	first, err := Judge(terms, results)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%+v", first)
	permute(slices.Clone(results), 0, 24, func(order []Result) int {
		v, err := Judge(terms, order)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%+v", v); got != want {
			t.Fatalf("in another order:\n%s\n%s", got, want)
		}
		return 1
	})
	return first
}

// permute visits orders of a list, at most so many, and gives how many it visited.
func permute(list []Result, from, most int, visit func([]Result) int) (n int) {
	if from == len(list) {
		return visit(list)
	}
	for i := from; i < len(list) && n < most; i++ {
		list[from], list[i] = list[i], list[from]
		n += permute(list, from+1, most-n, visit)
		list[from], list[i] = list[i], list[from]
	}
	return n
}
