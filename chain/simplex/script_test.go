package simplex_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// TestScripts runs the scripts of testdata against one State each.
// Spec: commonware §3.2–§3.8; WP §6.1.
func TestScripts(t *testing.T) {
	golden.Scripts(t, func(t *testing.T) func(string) string {
		s := &script{t: t, names: map[digest.Hash]string{anchor: "genesis"}, blocks: map[string]blok{}}
		return func(command string) string {
			if effects := s.run(command); effects != "" {
				return effects
			}
			return "(nothing)"
		}
	})
}

// script is one State under test. Signatures asked for are given at once, and so is their durability: what is persisted is the journal.
type script struct {
	t       *testing.T
	cfg     simplex.Config
	keys    fake
	state   *simplex.State
	journal []simplex.Record
	names   map[digest.Hash]string
	blocks  map[string]blok
	out     strings.Builder
	quiet   bool // leaves out deadlines
}

// run executes the lines of a command and gives the effects of all of them.
func (s *script) run(command string) string {
	s.out.Reset()
	for _, line := range strings.Split(command, "\n") {
		words := strings.Fields(line)
		args := map[string]string{}
		var plain []string
		for _, w := range words[1:] {
			if k, v, ok := strings.Cut(w, "="); ok {
				args[k] = v
			} else {
				plain = append(plain, w)
			}
		}
		s.do(words[0], plain, args)
	}
	return s.out.String()
}

// do carries out one line: what happens to the State, or a message that somebody sends it.
func (s *script) do(verb string, plain []string, args map[string]string) {
	switch verb {
	case "new":
		s.open(args)
	case "block":
		s.block(plain[0], args)
	case "built":
		round := sig.Round{Epoch: s.num64(args["epoch"]), View: s.blocks[plain[0]].round.View}
		s.step(simplex.Built{Round: round, Ref: s.blocks[plain[0]].link()})
	case "declined":
		s.step(simplex.Declined{Round: sig.Round{View: s.num64(args["view"])}})
	case "checked":
		var claims []simplex.Claim
		if args["claim"] != "" {
			claims = s.blocks[plain[0]].claims(s.keys)
			if args["claim"] == "bad" {
				claims[0].Signature[0]++
			}
		}
		s.step(simplex.Checked{Subject: s.subject(plain[0], args), Valid: args["bad"] == "", Claims: claims, Flaw: flawNamed(args["flaw"])})
	case "unchecked":
		s.step(simplex.Unchecked{Subject: s.subject(plain[0], args)})
	case "certified":
		s.step(simplex.CertifiedBlock{
			Subject: s.subject(plain[0], args), Valid: args["bad"] == "", Ref: s.blocks[plain[0]].link(), Flaw: flawNamed(args["flaw"]),
		})
	case "expire":
		for timer := simplex.LeaderTimer; timer <= simplex.TellTimer; timer++ {
			if timer.String() == plain[0] {
				s.step(simplex.Expired{Timer: timer, View: s.num64(args["view"])})
			}
		}
	case "meet":
		s.step(simplex.Met{Peer: s.num(plain[0])})
	case "restart":
		s.restart(args)
	case "status":
		fmt.Fprintf(&s.out, "view %d leader %d highest %s committed %s final %s\n", s.state.Round().View, s.state.Leader(),
			s.name(s.state.Highest()), s.name(s.state.Committed()), s.name(s.state.Finalized()))
	default:
		if !s.send(verb, plain, args) {
			s.t.Fatalf("unknown command %q", verb)
		}
	}
}

// send has somebody send a message, and reports whether there is one of that name.
func (s *script) send(verb string, plain []string, args map[string]string) bool {
	switch verb {
	case "propose":
		b := s.blocks[plain[0]]
		v := s.spoil(s.vote(sig.Notarization, s.subject(plain[0], args), s.num(args["from"]), args["half"]), args["bad"])
		m := &simplex.Propose{Vote: *v, Block: b.encode(), Ref: b.link()}
		if args["again"] != "" {
			m.Block, m.Ref = nil, simplex.BlockRef{}
		}
		m.Spoilt = args["spoilt"] != ""
		from := args["from"]
		if args["via"] != "" {
			from = args["via"]
		}
		s.receive(from, m)
	case "notarize":
		for _, from := range strings.Split(args["from"], ",") {
			if args["as"] != "" {
				s.receive(from, s.vote(sig.Notarization, s.subject(plain[0], args), s.num(args["as"]), ""))
				continue
			}
			s.receive(from, s.spoil(s.vote(sig.Notarization, s.subject(plain[0], args), s.num(from), args["half"]), args["bad"]))
		}
	case "commit":
		for _, from := range strings.Split(args["from"], ",") {
			s.receive(from, s.spoil(s.vote(sig.Finalization, s.subject(plain[0], args), s.num(from), ""), args["bad"]))
		}
	case "nullify":
		for _, from := range strings.Split(args["from"], ",") {
			m := &simplex.NewView{Round: sig.Round{View: s.num64(args["view"])}, Signer: s.num(from)}
			if args["highest"] != "" {
				m.Highest = s.certificate(sig.Notarization, s.blocks[args["highest"]].subject())
			}
			s.receive(from, s.keys.SignNewView(m.Signer, m))
		}
	case "certificate":
		s.sendCertificate(plain, args)
	case "accuse":
		for _, from := range strings.Split(args["from"], ",") {
			s.receive(from, s.accusation(plain[0], s.num(from), args))
		}
	case "request":
		m := &simplex.Request{ID: s.num64(args["id"])}
		for _, v := range strings.Split(args["views"], ",") {
			m.Views = append(m.Views, s.num64(v))
		}
		s.receive(args["from"], m)
	case "respond":
		m := &simplex.Response{ID: s.num64(args["id"])}
		for _, v := range plain {
			if b, ok := s.blocks[v]; ok {
				m.Certificates = append(m.Certificates, s.certificate(sig.Notarization, b.subject()))
				continue
			}
			m.Certificates = append(m.Certificates, s.certificate(sig.Nullification, sig.Subject{Round: sig.Round{View: s.num64(v)}}))
		}
		s.receive(args["from"], m)
	default:
		return false
	}
	return true
}

// sendCertificate sends one of a kind, of a block or of a view, spoilt as "bad" says, over that of another block where "over" names one.
func (s *script) sendCertificate(plain []string, args map[string]string) {
	subject := sig.Subject{Round: sig.Round{View: s.num64(args["view"])}}
	kind := map[string]sig.CertificateKind{
		"notarization": sig.Notarization, "nullification": sig.Nullification, "finalization": sig.Finalization,
	}[plain[0]]
	if len(plain) > 1 {
		subject = s.subject(plain[1], args)
	}
	c := s.certificate(kind, subject)
	if args["signers"] != "" {
		var signers []int
		for _, i := range strings.Split(args["signers"], ",") {
			signers = append(signers, int(s.num(i)))
		}
		c = newFake(len(s.cfg.Stakes)).Certificate(kind, subject, signers...)
	}
	if args["bad"] != "" {
		c.Aggregate[0]++
	}
	m := &simplex.Certificate{Certificate: c}
	if args["over"] != "" {
		m.Under = s.certificate(sig.Finalization, s.blocks[args["over"]].subject())
		if args["bad"] == "under" {
			m.Under.Aggregate[0]++
			c.Aggregate[0]--
		}
	}
	s.receive(args["from"], m)
}

// accusation is a validator's, of the leader "of", by default for an invalid block; bad=vote or bad=signature spoils it.
func (s *script) accusation(name string, from uint32, args map[string]string) *simplex.Accusation {
	accused := s.num(args["of"])
	flaw := flawNamed(args["flaw"])
	if flaw == simplex.NoFlaw {
		flaw = simplex.FlawedBlock
	}
	a := &simplex.Accusation{Subject: s.subject(name, args), Accused: accused, Flaw: flaw, Signer: from}
	a.Vote = s.vote(sig.Notarization, a.Subject, accused, "").Signature
	if args["bad"] == "vote" {
		a.Vote[3]++
	}
	a = s.keys.SignAccusation(from, a)
	if args["bad"] == "signature" {
		a.Signature[3]++
	}
	return a
}

// flawNamed is a flaw by the word scripts have for it.
func flawNamed(word string) simplex.Flaw {
	return map[string]simplex.Flaw{"block": simplex.FlawedBlock, "body": simplex.FlawedBody}[word]
}

func (s *script) open(args map[string]string) {
	n := int(s.num(args["n"]))
	s.keys = newFake(n)
	timeouts, scheme := quick, simplex.Scheme(s.keys)
	if args["settle"] != "" {
		timeouts.Settle, scheme = simplex.Millis(s.num64(args["settle"])), newThrifty(n)
	}
	timeouts.Patience, timeouts.Relay = simplex.Millis(s.num64(args["patience"])), simplex.Millis(s.num64(args["relay"]))
	timeouts.Tell, timeouts.Leave = simplex.Millis(s.num64(args["tell"])), simplex.Millis(s.num64(args["leave"]))
	s.cfg = simplex.Config{
		Namespace: namespace, Self: s.num(args["self"]), Anchor: anchor, Timeouts: timeouts, Retention: 3, Scheme: scheme,
		LastHeight: s.num64(args["last"]),
	}
	for range n {
		s.cfg.Stakes = append(s.cfg.Stakes, unit.Amount(100))
	}
	if args["stakes"] != "" {
		for i, w := range strings.Split(args["stakes"], ",") {
			s.cfg.Stakes[i] = unit.Amount(s.num64(w))
		}
	}
	s.journal, s.quiet = nil, args["quiet"] != ""
	s.restart(nil)
}

// restart begins again with the journal, of which the last drop records were lost.
func (s *script) restart(args map[string]string) {
	s.journal = s.journal[:len(s.journal)-int(s.num(args["drop"]))]
	var journal []simplex.Record
	for _, r := range s.journal {
		again, err := simplex.DecodeRecord(simplex.EncodeRecord(r))
		if err != nil {
			s.t.Fatal(err)
		}
		journal = append(journal, again)
	}
	s.state = nil
	state, effects, err := simplex.New(s.cfg, journal)
	if err != nil {
		fmt.Fprintln(&s.out, err)
		return
	}
	s.state = state
	s.perform(effects)
}

func (s *script) block(name string, args map[string]string) {
	b := blok{height: 1, parentHash: anchor, round: sig.Round{View: s.num64(args["view"])}, proposer: s.num(args["by"])}
	b.label = uint64(len(s.blocks))
	if args["idle"] != "" {
		b.label |= idle
	}
	if p, ok := s.blocks[args["on"]]; ok {
		b.height, b.parentHash, b.parentView = p.height+1, p.hash(), p.round.View
	}
	s.blocks[name], s.names[b.hash()] = b, name
}

func (s *script) step(e simplex.Event) { s.perform(s.state.Step(e)) }

func (s *script) receive(from string, m simplex.Message) {
	rank := simplex.Observer
	if from != "observer" {
		rank = s.num(from)
	}
	again := reencode(m)
	if p, ok := m.(*simplex.Propose); ok { // not on the wire
		again.(*simplex.Propose).Spoilt = p.Spoilt
	}
	s.step(simplex.Received{From: rank, Message: again})
}

func (s *script) num(text string) uint32 { return uint32(s.num64(text)) }

func (s *script) num64(text string) uint64 {
	if text == "" {
		return 0
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

// subject is a block's, or with view= that of the block proposed again.
func (s *script) subject(name string, args map[string]string) sig.Subject {
	subject := s.blocks[name].subject()
	if args["view"] != "" {
		subject.Round.View = s.num64(args["view"])
	}
	subject.Round.Epoch = s.num64(args["epoch"])
	if args["height"] != "" {
		subject.Height = s.num64(args["height"])
	}
	return subject
}

func (s *script) vote(kind sig.CertificateKind, subject sig.Subject, from uint32, half string) *simplex.Vote {
	v := &simplex.Vote{Kind: kind, Subject: subject, Signer: from}
	if half != "" {
		v.Half = &simplex.Half{Parent: s.blocks[half].subject()}
	}
	return newFake(int(from)+1).SignVote(from, v) // its keys are those of s.keys, and of ranks that no validator has
}

func (s *script) spoil(v *simplex.Vote, what string) *simplex.Vote {
	switch what {
	case "vote":
		v.Signature[0]++
	case "seed":
		v.Partial[0]++
	case "half":
		v.Half.Signature[0]++
	}
	return v
}

func (s *script) certificate(kind sig.CertificateKind, subject sig.Subject) *sig.Certificate {
	signers := make([]int, sig.Quorum(len(s.cfg.Stakes)))
	for i := range signers {
		signers[i] = i
	}
	return newFake(len(s.cfg.Stakes)).Certificate(kind, subject, signers...)
}

func (s *script) perform(effects []simplex.Effect) {
	for _, e := range effects {
		if text := s.describe(e); text != "" {
			fmt.Fprintln(&s.out, text)
		}
		if p, ok := e.(simplex.Persist); ok {
			s.journal = append(s.journal, p.Record)
		}
	}
	for _, e := range effects {
		switch e := e.(type) {
		case simplex.SignVote:
			s.step(simplex.VoteSigned{Vote: s.keys.SignVote(s.cfg.Self, e.Vote)})
		case simplex.SignNewView:
			s.step(simplex.NewViewSigned{NewView: s.keys.SignNewView(s.cfg.Self, e.NewView)})
		case simplex.SignAccusation:
			s.step(simplex.AccusationSigned{Accusation: s.keys.SignAccusation(s.cfg.Self, e.Accusation)})
		}
	}
}
