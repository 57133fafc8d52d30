package dispatcher

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// plain is the canonical CBOR of values.
func plain(t testing.TB, values ...any) [][]byte {
	t.Helper()
	list := make([][]byte, len(values))
	for i, v := range values {
		var err error
		if list[i], err = cbor.Append(nil, v); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestReplies: the rules of a reply, on both sides. Spec: sdk §9.4, §9.6.
func TestReplies(t *testing.T) {
	many := make([]any, MaxRunners+1)
	for _, c := range []struct {
		name  string
		reply Reply
		wrong string
	}{
		{"a result", Reply{OK, plain(t, "yes"), 0, 1}, ""},
		{"an error, late, twice", Reply{Error, plain(t, "no"), MaxLate, 2}, ""},
		{"votes", Reply{Vote, plain(t, many[1:]...), 0, MaxCopies}, ""},
		{"nothing", Reply{Ending: Lost}, ""},
		{"no result", Reply{OK, nil, 0, 1}, "ok has 1 to 1 results"},
		{"two results", Reply{OK, plain(t, 1, 2), 0, 1}, "not 2"},
		{"no runner", Reply{Vote, nil, 0, 1}, "votes has 1 to 21 results"},
		{"too many runners", Reply{Vote, plain(t, many...), 0, 1}, "not 22"},
		{"a lost result", Reply{Lost, plain(t, 1), 0, 0}, "lost has 0 to 0"},
		{"lost and late", Reply{Lost, nil, 1, 0}, "neither late nor delivered"},
		{"never delivered", Reply{OK, plain(t, 1), 0, 0}, "1 to 16 times"},
		{"delivered often", Reply{OK, plain(t, 1), 0, MaxCopies + 1}, "1 to 16 times"},
		{"too late", Reply{OK, plain(t, 1), MaxLate + 1, 1}, "86400 blocks"},
		{"a long integer of one", Reply{OK, [][]byte{{0x18, 1}}, 0, 1}, "canonical"},
		{"another ending", Reply{endings, plain(t, 1), 0, 1}, "ok, error, lost or votes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.reply.Check()
			if c.wrong == "" && err != nil || c.wrong != "" && (!errors.Is(err, ErrScript) || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("%s: %v", c.name, err)
			}
			if err != nil {
				return
			}
			r := codec.NewReader(c.reply.Append(nil))
			back := ReadReply(r)
			if err := r.Finish(); err != nil || !bytes.Equal(back.Append(nil), c.reply.Append(nil)) {
				t.Errorf("%s comes back as %+v, %v", c.name, back, err)
			}
		})
	}
	long := Script{Scope: Scope{Type: strings.Repeat("x", MaxType+1)}, Reply: Reply{Ending: Lost}}
	large := Script{Reply: Reply{OK, plain(t, strings.Repeat("x", MaxScriptBytes)), 0, 1}}
	for _, s := range []Script{long, large} {
		if err := s.Check(); !errors.Is(err, ErrScript) {
			t.Errorf("%v", err)
		}
	}
}

// TestVotes: the result a strict majority of the runners gave, the committee's threshold at least. Spec: runner-marketplace §5; WP §5.3, §13.1.
func TestVotes(t *testing.T) {
	failed := errors.New("x")
	for i, c := range []struct {
		threshold int
		results   []any
		want      any // nil: they disagree
		says      string
	}{
		{3, []any{"a", "a", "a"}, "a", "3 of 3"},
		{3, []any{"a", "b", "a", "a", failed}, "a", "3 of 5"},
		{3, []any{"a", "a"}, nil, "2 of 2 gave one result, 3 must"},
		{1, []any{"a", "b"}, nil, "1 of 2 gave one result, 2 must"},
		{1, []any{"a"}, "a", "1 of 1"},
		{3, []any{"a", "a", "a", "b", "b", "b"}, nil, "3 of 6 gave one result, 4 must"},
		{1, []any{failed}, nil, "0 of 1"},
		{1, nil, nil, "0 of 0"},
		{1, []any{struct{}{}}, nil, "no plain value"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			a := Votes(c.threshold, c.results)
			says, _ := a.Proof.(string)
			if a.Error {
				says, _ = a.Result.(string)
			}
			if a.Error != (c.want == nil) || !a.Error && a.Result != c.want || !strings.Contains(says, c.says) {
				t.Errorf("%v: %+v", c.results, a)
			}
		})
	}
}

// TestScopes: what a scope holds and covers. Spec: governance-staking B10.
func TestScopes(t *testing.T) {
	a, b := account.Address{1}, account.Address{2}
	scopes := []Scope{{}, {Type: "llm"}, {Actor: &a}, {&a, "llm"}, {&b, "llm"}, {Type: "http"}}
	for at, c := range []struct {
		job  Job
		held string
	}{
		{Job{Actor: a, Type: "llm"}, "yyyynn"},
		{Job{Actor: b, Type: "http"}, "ynnnny"},
		{Job{Actor: b}, "ynnnnn"},
	} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			for i := range scopes {
				if got := scopes[i].holds(&c.job); got != (c.held[i] == 'y') {
					t.Errorf("%+v holds %+v: %v", scopes[i], c.job, got)
				}
			}
		})
	}
	for i, covered := range []string{"yyyyyy", "nynyyn", "nnyynn", "nnnynn", "nnnnyn", "nnnnny"} {
		for j := range scopes {
			if got := scopes[i].covers(&scopes[j]); got != (covered[j] == 'y') {
				t.Errorf("%+v covers %+v: %v", scopes[i], scopes[j], got)
			}
		}
	}
}

// FuzzScripts: any bytes are a script, an answer by hand, or a typed error, and what is read is written as it was.
func FuzzScripts(f *testing.F) {
	script := Script{Scope: Scope{&account.Address{1}, "llm"}, Jobs: 2, Reply: Reply{Vote, plain(f, "a", nil), 3, 1}}
	hand := ByHand{Actor: &account.Address{1}, Job: "cid", Reply: Reply{OK, plain(f, "a"), 0, 1}}
	f.Add(script.Append(nil))
	f.Add(hand.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := codec.NewReader(data)
		if s := ReadScript(r); r.Finish() == nil {
			if !bytes.Equal(s.Append(nil), data) {
				t.Error("a script is written another way")
			}
			if s.Check() == nil {
				if _, err := s.Reply.answer(3); err != nil {
					t.Error(err)
				}
			}
		}
		r = codec.NewReader(data)
		if h := ReadByHand(r); r.Finish() == nil && !bytes.Equal(h.Append(nil), data) {
			t.Error("an answer is written another way")
		}
	})
}
