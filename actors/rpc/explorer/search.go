package explorer

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// Bounds of a search for a word.
const (
	maxWord       = 64  // bytes
	searchActors  = 300 // the newest
	searchTokens  = 500
	searchedFinds = 25 // of each kind
)

// found is what a word is part of.
type found struct {
	Word      string
	Actors    []foundActor
	Topics    []wire.Topic
	Tokens    []wire.Token
	Proposals []wire.Proposal
	Looked    int // actors whose programs were looked at
	Known     uint64
}

// foundActor is an actor whose name has the word in it, or one of its handlers'.
type foundActor struct {
	Actor    wire.ActorSummary
	Program  *program
	Handlers []handler
}

// Nothing tells whether there is nothing to show.
func (f *found) Nothing() bool {
	return len(f.Actors)+len(f.Topics)+len(f.Tokens)+len(f.Proposals) == 0
}

// search goes to the page of the number, hash or address that was typed, and lists what a word is part of.
func (s *site) search(w http.ResponseWriter, r *http.Request) {
	q := strings.TrimSpace(r.URL.Query().Get("q"))
	if target, ok := s.find(q); ok {
		http.Redirect(w, r, Path+target, http.StatusSeeOther)
		return
	}
	if q == "" || len(q) > maxWord || !utf8.ValidString(q) {
		s.render(w, http.StatusNotFound, view{Page: "missing", Title: "Not found", Data: "nothing is known by the name " + strconv.Quote(shorten(q)) +
			": search for a height, a hash, an address, or a word of at most 64 letters"})
		return
	}
	f, err := s.look(q)
	switch {
	case err != nil:
		s.render(w, http.StatusInternalServerError, view{Page: "missing", Title: "Not found", Data: err.Error()})
	case f.Nothing():
		s.render(w, http.StatusNotFound, view{Page: "missing", Title: "Not found", Data: "nothing is known by the name " + strconv.Quote(shorten(q)) +
			": no name, handler, topic, token or proposal has it"})
	default:
		s.render(w, http.StatusOK, view{Page: "found", Title: "Found", Data: f})
	}
}

// find names the page of a height, an address or a hash.
func (s *site) find(q string) (string, bool) {
	if n, err := strconv.ParseUint(q, 10, 64); err == nil && len(q) < 20 {
		return "block/" + strconv.FormatUint(n, 10), true
	}
	if addr, err := account.ReadAddress(q); err == nil {
		return "account/" + addr.String(), true
	}
	hash, err := parseHash(q)
	if err != nil {
		return "", false
	}
	if _, err := s.source.BlockByHash(hash); err == nil {
		return "block/" + wire.Hash(hash), true
	}
	if s.source.Known(hash) {
		return "tx/" + wire.Hash(hash), true
	}
	if _, err := s.source.Token(hash); err == nil {
		return "token/" + wire.Hash(hash), true
	}
	if j, err := s.source.Job(hash); err == nil {
		return "job/" + j.JobID, true
	}
	if _, err := s.source.Session(hash); err == nil {
		return "session/" + wire.Hash(hash), true
	}
	if _, err := s.source.Stream(hash); err == nil {
		return "stream/" + wire.Hash(hash), true
	}
	return "", false
}

// look finds a word in names and handlers of the newest actors, at the beginning of topics, in tokens and in the newest proposals.
func (s *site) look(word string) (*found, error) {
	f := &found{Word: word}
	has := func(texts ...string) bool {
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
				return true
			}
		}
		return false
	}
	if err := s.lookActors(f, has); err != nil {
		return nil, err
	}
	var err error
	if f.Topics, err = s.source.Topics(word, searchedFinds); err != nil {
		return nil, err
	}
	tokens, err := s.source.Tokens(nil, searchTokens)
	if err != nil {
		return nil, err
	}
	for i := range tokens.Tokens {
		if t := &tokens.Tokens[i]; len(f.Tokens) < searchedFinds && has(t.Name, t.Symbol) {
			f.Tokens = append(f.Tokens, *t)
		}
	}
	proposals, err := s.source.Proposals(0, pageRows)
	if err != nil {
		return nil, err
	}
	for i := range proposals.Proposals {
		if p := &proposals.Proposals[i]; len(f.Proposals) < searchedFinds && has(p.Title, p.Kind) {
			f.Proposals = append(f.Proposals, *p)
		}
	}
	return f, nil
}

func (s *site) lookActors(f *found, has func(...string) bool) error {
	actors, err := s.source.NewestActors("", searchActors)
	if err != nil {
		return err
	}
	f.Looked, f.Known = len(actors.Actors), actors.TotalCount
	budget := readAtOnce
	for _, a := range actors.Actors {
		p := s.named(a.Address, a.CodeHash, &budget)
		if p == nil || len(f.Actors) == searchedFinds {
			continue
		}
		one := foundActor{Actor: a, Program: p}
		for _, h := range p.Handlers {
			if has(h.Name) {
				one.Handlers = append(one.Handlers, h)
			}
		}
		if len(one.Handlers) > 0 || has(p.Name) {
			f.Actors = append(f.Actors, one)
		}
	}
	return nil
}
