package secret

import (
	"errors"
	"maps"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// library is a world with a relay, the owner's private volume "docs", a reader, a writer, a borrower, and jobs of the owner's and the borrower's that have the
// volume attached.
type library struct {
	*world
	volumes   *volume.Manager
	relays    *relay.Registry
	docs      digest.Hash
	key       *ReleaseKey
	job       digest.Hash
	lent      digest.Hash // the borrower's, which has the volume attached as well
	committee []*party
	tokens    map[account.Address][cbfs.TokenIDSize]byte
}

func reader() *sig.PrivateKey { return keyOf("reader", 0) }
func writer() *sig.PrivateKey { return keyOf("writer", 0) }

// borrower has a grant for half as long, and jobs of its own.
func borrower() *sig.PrivateKey { return keyOf("borrower", 0) }

// holderKey and heirKey are those of accounts that own volumes, and sign for themselves.
func holderKey() *sig.PrivateKey { return keyOf("holder", 0) }
func heirKey() *sig.PrivateKey   { return keyOf("heir", 0) }

// mounting is the volumes' side of the market.
type mounting struct{ *library }

func (m mounting) list(t *market.Task) (list []volume.Attachment) {
	for _, v := range t.Spec.Volumes {
		list = append(list, volume.Attachment{Name: v.Name, Mode: v.AccessMode, MaxBytes: v.MaxBytes})
	}
	return list
}

func (m mounting) Attach(t *market.Task) error {
	return m.volumes.Attach(t.Job.Submitter, m.list(t), 1)
}

func (m mounting) Mint(t *market.Task) error {
	return m.volumes.Mint(t.Job.Submitter, t.ID, m.list(t), t.Selection.Selected, t.Job.Deadline)
}

func (m mounting) Unmint(t *market.Task) error {
	return m.volumes.Unmint(t.Job.Submitter, t.ID, m.list(t), t.Selection.Selected, t.Job.Assigned)
}

func newLibrary(t testing.TB) *library {
	t.Helper()
	l := &library{world: newWorld(t, 9), tokens: map[account.Address][cbfs.TokenIDSize]byte{}}
	terms := relay.Genesis()
	terms.Policy.StaleMs = 1 << 40
	silent := func(string, []byte) {}
	l.relays = &relay.Registry{State: l.overlay, Terms: terms, Beacon: make([]byte, 48), Emit: silent}
	l.volumes = &volume.Manager{State: l.overlay, Relays: l.relays, Development: true, Keys: l.HoldKey, Emit: silent}
	l.market.Volumes = mounting{l}
	for _, k := range [...]*sig.PrivateKey{reader(), writer(), borrower(), holderKey(), heirKey()} {
		l.fund(k.Address(), 100_000*unit.CBY)
	}
	l.heights()
	l.must(account.Move(l.overlay, nobody, relay.Home(), 5_000*unit.CBY))
	l.must(l.relays.Register(nobody, relay.Profile{Node: digest.Hash{1}, Key: digest.Hash{9}, Endpoint: "relay:4433", Capacity: 1 << 40}, 5_000*unit.CBY))
	l.must(l.relays.Heartbeat(nobody))
	l.key = l.accountKey(holderKey().Address())
	l.committee = l.world.committee(&l.key.Generation)
	l.heights()
	l.docs = l.private(holderKey().Address(), "docs", 1)
	for mode, k := range map[cbfs.Mode]*sig.PrivateKey{cbfs.ReadOnly: reader(), cbfs.WriteOnly: writer()} {
		l.grant(k.Address(), mode, l.Height+1_000)
	}
	l.grant(borrower().Address(), cbfs.ReadOnly, l.Height+500)
	l.job = l.attached(holderKey().Address(), "docs")
	l.lent = l.attached(borrower().Address(), cbfs.PublicAddress(holderKey().Address(), "docs"))
	l.next()
	return l
}

// heights tells the volumes' side the height, and takes what it burned.
func (l *library) heights() {
	l.volumes.Height, l.relays.Height, l.relays.TimeMs = l.Height, l.Height, uint64(l.Height)*1_000
	l.burned += l.relays.Burned
	l.relays.Burned = 0
}

func (l *library) next() {
	l.t.Helper()
	l.heights()
	l.end()
	l.heights()
}

// sealed wraps the data key for an account, as a wrap of a volume's key.
func (l *library) sealed(by account.Address, of digest.Hash, version uint64, k *ReleaseKey) volume.Wrap {
	l.t.Helper()
	to := cbss.SecretID{Account: by, KeyHash: cbss.VolumeKeyHash(of)}
	return volume.Wrap{DEK: l.wrap(to, version, k).Wrapped, Epoch: k.Epoch}
}

func (l *library) private(by account.Address, name string, version uint64) digest.Hash {
	l.t.Helper()
	id := cbfs.VolumeID(by, name)
	l.must(account.Move(l.overlay, by, volume.Home(), 1_100*unit.CBY))
	_, err := l.volumes.Create(by, volume.Request{Name: name, Private: true, K: 1, Wrap: l.sealed(by, id, version, l.key)}, 1_100*unit.CBY)
	l.must(err)
	return id
}

func (l *library) grant(to account.Address, mode cbfs.Mode, until unit.Height) {
	l.t.Helper()
	token, err := l.volumes.Grant(holderKey().Address(), l.docs, digest.SHA256(to[:]), volume.Permission{Grantee: to, Mode: mode, Until: until})
	l.must(err)
	l.tokens[to] = token
}

// attached submits a job that has volumes attached, and gives it to the runner.
func (l *library) attached(by account.Address, names ...string) digest.Hash {
	l.t.Helper()
	l.must(l.market.Registry.Heartbeat(runnerKey().Address(), true))
	l.sources++
	spec := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds: job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30, MaxRetries: 3}, Schema: job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		MaxPrice: 10 * unit.CBY, TimeoutBlocks: 1_000, Verification: job.Verification{DisputeBlocks: 75},
	}
	for _, name := range names {
		spec.Volumes = append(spec.Volumes, job.Volume{Name: name, AccessMode: "RO"})
	}
	t, err := l.market.Submit(digest.SHA256([]byte{0xee, l.sources}), spec, by, nil, 0)
	l.must(err)
	if chosen, err := market.LoadSelection(l.overlay, t.ID); err != nil || chosen.Place(runnerKey().Address()) < 0 {
		l.t.Fatal("the job has no runner", err)
	}
	return t.ID
}

// ask asks a proxy for its partial of the volume's key: for an account itself, or, where there is a job, as its runner.
func (l *library) ask(by *sig.PrivateKey, of digest.Hash, p *party, edit ...func(*cbss.Request)) *cbss.Request {
	q := &cbss.Request{
		ChainID: chainID, Secret: cbss.SecretID{Account: holderKey().Address(), KeyHash: cbss.VolumeKeyHash(l.docs)}, Version: 1, Actor: by.Address(),
		Runner: by.Address(), Recipient: uint8(OfVolume), Job: of, Nonce: digest.Hash{1}, Block: uint64(l.Height), Epoch: 1, RunnerKey: [32]byte{9},
		Proxy: p.id,
	}
	if !of.IsZero() {
		q.Actor = holderKey().Address()
	}
	for _, e := range edit {
		e(q)
	}
	return q
}

// paper is the receipt of a request that somebody signed.
func (l *library) paper(q *cbss.Request, by *sig.PrivateKey, p *party) *Proof {
	return l.receipt(q, p, func(f *Proof) { f.Request = q.Signed(by) })
}

// entry is a request for the volume's key, what is done before, and what the proxy says.
type entry struct {
	by   *sig.PrivateKey
	job  bool
	edit func(q *cbss.Request)
	do   func()
	err  error
}

// entries are who is let in, and who is not.
func (l *library) entries() map[string]entry {
	m, self, heir := l.volumes, holderKey().Address(), heirKey().Address()
	elsewhere, unasked := l.attached(self, "other"), l.attached(self)
	revoke := func(of account.Address) func() { return func() { l.must(m.Revoke(self, l.tokens[of])) } }
	later := func(blocks unit.Height) func() { return func() { l.at(l.Height + blocks); l.heights() } }
	now := func(q *cbss.Request) { q.Block = uint64(l.Height) }
	moved := func() { l.must(m.Transfer(self, l.docs, heir)); l.must(m.Accept(heir, l.docs)) }
	poor := func(coins unit.Amount) func() {
		return func() { l.must(account.Move(l.overlay, reader().Address(), nobody, 100_000*unit.CBY-coins)) }
	}
	return map[string]entry{
		"its owner":                      {by: holderKey()},
		"who may read":                   {by: reader()},
		"who may write":                  {by: writer()},
		"a runner":                       {by: runnerKey(), job: true},
		"who may not":                    {by: keyOf("nobody", 1), err: ErrAccess},
		"whose token was revoked":        {by: reader(), do: revoke(reader().Address()), err: ErrAccess},
		"in the last block of a token":   {by: reader(), do: later(998), edit: now},
		"whose token has expired":        {by: reader(), do: later(999), edit: now, err: ErrAccess},
		"a runner, at the job's end":     {by: runnerKey(), job: true, do: later(998), edit: now},
		"a runner, after the job's end":  {by: runnerKey(), job: true, do: later(999), edit: now, err: ErrAccess},
		"at another's cost":              {by: reader(), edit: func(q *cbss.Request) { q.Actor = self }, err: ErrAccess},
		"a runner for itself":            {by: runnerKey(), err: ErrAccess},
		"a runner of another volume":     {by: runnerKey(), job: true, edit: func(q *cbss.Request) { q.Job = elsewhere }, err: ErrAccess},
		"a runner of another job":        {by: runnerKey(), job: true, edit: func(q *cbss.Request) { q.Job = unasked }, err: ErrAccess},
		"a runner of no job":             {by: runnerKey(), job: true, edit: func(q *cbss.Request) { q.Job = digest.Hash{7} }, err: ErrAccess},
		"a runner in another's name":     {by: runnerKey(), job: true, edit: func(q *cbss.Request) { q.Actor = owner }, err: ErrAccess},
		"no runner of the job":           {by: reader(), job: true, err: ErrAccess},
		"the key of another volume":      {by: reader(), edit: func(q *cbss.Request) { q.Secret.KeyHash = l.other() }, err: ErrAccess},
		"the key of no volume":           {by: reader(), edit: func(q *cbss.Request) { q.Secret.KeyHash[0]++ }, err: ErrNotFound},
		"another account's":              {by: reader(), edit: func(q *cbss.Request) { q.Secret.Account = owner }, err: ErrNotFound},
		"a wrap to come":                 {by: reader(), edit: func(q *cbss.Request) { q.Version = 2 }, err: ErrNotFound},
		"as a secret":                    {by: reader(), edit: func(q *cbss.Request) { q.Recipient = uint8(OfAccount) }, err: ErrAccess},
		"as a secret, by a runner":       {by: runnerKey(), job: true, edit: func(q *cbss.Request) { q.Recipient = 0 }, err: ErrAccess},
		"a deleted volume":               {by: reader(), do: func() { l.must(m.Delete(self, l.docs)) }, err: ErrDeleted},
		"a deleted volume, its owner":    {by: holderKey(), do: func() { l.must(m.Delete(self, l.docs)) }, err: ErrDeleted},
		"a volume in grace":              {by: reader(), do: func() { l.status(volume.Grace) }},
		"a volume that is collected":     {by: reader(), do: func() { l.status(volume.Collecting) }, err: ErrDeleted},
		"given away, the owner before":   {by: holderKey(), do: moved, err: ErrAccess},
		"given away, who might read":     {by: reader(), do: moved, err: ErrAccess},
		"given away, a runner":           {by: runnerKey(), job: true, do: moved, err: ErrAccess},
		"given away, the new owner":      {by: heirKey(), do: moved},
		"another epoch":                  {by: reader(), edit: func(q *cbss.Request) { q.Epoch = 2 }, err: ErrStaleEpoch},
		"too long ago":                   {by: reader(), edit: func(q *cbss.Request) { q.Block -= 385 }, err: ErrStale},
		"who can pay four receipts":      {by: reader(), do: poor(4 * unit.CBY)},
		"who can nearly pay them":        {by: reader(), do: poor(4*unit.CBY - 1), err: ErrFunds},
		"who owes one, and can pay five": {by: reader(), do: func() { poor(5 * unit.CBY)(); l.owes(reader().Address()) }},
		"who owes one, and cannot":       {by: reader(), do: func() { poor(5*unit.CBY - 1)(); l.owes(reader().Address()) }, err: ErrFunds},
		"eight releases before":          {by: reader(), do: func() { l.had(reader(), 8, nil) }, err: ErrReleases},
		"seven releases before":          {by: reader(), do: func() { l.had(reader(), 7, nil) }},
		"the eighth, of a second proxy":  {by: reader(), do: func() { l.had(reader(), 8, nil) }, edit: func(q *cbss.Request) { q.Nonce = digest.Hash{2, 7} }},
	}
}

func (l *library) other() digest.Hash {
	return cbss.VolumeKeyHash(cbfs.VolumeID(holderKey().Address(), "other"))
}

func (l *library) status(s volume.Status) {
	v, err := volume.Load(l.overlay, l.docs)
	l.must(err)
	v.Status = s
	l.overlay.Set(account.RecordKey(volume.Home(), "ras:volume:", l.docs[:]), v.Encode())
}

func (l *library) owes(who account.Address) {
	l.overlay.Set(under(underDebt, who[:]), (&Debt{Owed: []Owed{{nobody, unit.CBY}}}).Encode())
}

// had has somebody have had so many releases, of one receipt each; edit is nil for those of an account itself.
func (l *library) had(by *sig.PrivateKey, releases int, edit func(q *cbss.Request)) {
	for n := range releases {
		q := l.ask(by, digest.Hash{}, l.committee[0], func(q *cbss.Request) { q.Nonce = digest.Hash{2, byte(n)} })
		if edit != nil {
			edit(q)
		}
		l.must(l.Record(l.paper(q, by, l.committee[0])))
	}
}

// Whom the grants on a volume let have its key, as the proxy finds it in its own state.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (5), §11; storage-cbfs §2.5, §4.
func TestAdmissionToAVolume(t *testing.T) {
	l := newLibrary(t)
	l.private(holderKey().Address(), "other", 1)
	entries := l.entries()
	maps.Copy(entries, l.borrowed())
	for name, c := range entries {
		t.Run(name, func(t *testing.T) {
			height, mark, held := l.Height, l.overlay.Mark(), l.Held
			defer func() { l.at(height); l.heights(); l.overlay.Revert(mark); l.Held = held }()
			of := digest.Hash{}
			if c.job {
				of = l.job
			}
			if c.do != nil {
				c.do()
			}
			var edits []func(*cbss.Request)
			if c.edit != nil {
				edits = append(edits, c.edit)
			}
			q := l.ask(c.by, of, l.committee[1], edits...)
			a, err := l.Admit(q.Signed(c.by), q.Proxy)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("%v, want %v", err, c.err)
			}
			if text, ok := Rejected(err); ok != (c.err != nil) || ok && text != c.err.Error() {
				t.Errorf("it is told as %q, %v", text, ok)
			}
			want := cbss.Identity{ChainID: chainID, Secret: q.Secret, Version: 1, Epoch: 1, Master: l.key.Master}
			if err == nil && (a.Pending || *a.Identity != want || a.Scope != AccountScope(holderKey().Address())) {
				t.Errorf("%+v", a)
			}
		})
	}
}

// A release of a volume's key: who asks for itself pays, of a job its owner does, also when the job is over and its runner's token gone; a token that was
// revoked ends it in the next block; the partials open the volume's key, one less than the threshold opens nothing.
//
// Spec: secrets-cbss §3, §5 (the chain validates a receipt), §6 (RELEASE_FEE_PER_RECEIPT), §11.
func TestReleaseOfAVolumesKey(t *testing.T) {
	l := newLibrary(t)
	var partials []cbss.Partial
	before := l.balance(reader().Address())
	for n, p := range l.committee[:4] {
		q := l.ask(reader(), digest.Hash{}, p)
		if _, err := l.Admit(q.Signed(reader()), p.id); err != nil {
			t.Fatal(err)
		}
		l.must(l.try(func() error { return l.Record(l.paper(q, reader(), p)) }))
		if l.balance(p.operator) != unit.CBY || before-l.balance(reader().Address()) != unit.Amount(n+1)*unit.CBY {
			t.Errorf("a proxy has %d", l.balance(p.operator))
		}
		share, to, _ := l.share(q, p)
		partials = append(partials, cbss.Partial{Place: uint32(n + 1), Point: cbss.Sign(share, to)})
	}
	if l.told(TopicReleased) != 1 {
		t.Error(l.told(TopicReleased), "releases")
	}
	v, err := volume.Load(l.overlay, l.docs)
	l.must(err)
	e, err := cbss.ParseEnvelope(v.Wrap.DEK)
	l.must(err)
	for n := 3; n <= 4; n++ {
		sigma, err := cbss.Combine(partials[:n])
		l.must(err)
		got, err := e.Open(sigma)
		if opens := err == nil && got == dataKey; opens != (n == 4) {
			t.Errorf("%d partials: %x %v", n, got, err)
		}
	}
	q := l.ask(reader(), digest.Hash{}, l.committee[0], func(q *cbss.Request) { q.Nonce[0]++ })
	l.must(l.volumes.Revoke(holderKey().Address(), l.tokens[reader().Address()]))
	l.next()
	_, err = l.Admit(q.Signed(reader()), q.Proxy)
	if !errors.Is(err, ErrAccess) {
		t.Error(err)
	}
	l.refused(ErrAccess, func() error { return l.Record(l.paper(q, reader(), l.committee[0])) })
	l.ofAJob()
}

// ofAJob has the job's runner released the key, and the receipt come when the job is over.
func (l *library) ofAJob() {
	t, p := l.t, l.committee[2]
	t.Helper()
	self := holderKey().Address()
	q := l.ask(runnerKey(), l.job, p)
	if _, err := l.Admit(q.Signed(runnerKey()), p.id); err != nil {
		t.Fatal(err)
	}
	l.over(self, l.job)
	if _, err := l.Admit(q.Signed(runnerKey()), p.id); !errors.Is(err, ErrAccess) {
		t.Error(err)
	}
	before, had := l.balance(self), l.balance(p.operator)
	l.must(l.try(func() error { return l.Record(l.paper(q, runnerKey(), p)) }))
	if paid := before - l.balance(self); paid != unit.CBY || l.balance(p.operator)-had != unit.CBY {
		t.Errorf("the job's owner has paid %d", paid)
	}
	l.ofALentVolume()
	l.private(self, "other", 1)
	for _, of := range []digest.Hash{l.attached(self), l.attached(self, "other")} {
		elsewhere := l.ask(runnerKey(), of, p)
		l.refused(ErrAccess, func() error { return l.Record(l.paper(elsewhere, runnerKey(), p)) })
	}
	l.must(l.volumes.Transfer(self, l.docs, heirKey().Address()))
	l.must(l.volumes.Accept(heirKey().Address(), l.docs))
	q = l.ask(runnerKey(), l.job, p, func(q *cbss.Request) { q.Nonce[0]++ })
	l.refused(ErrAccess, func() error { return l.Record(l.paper(q, runnerKey(), p)) })
	l.next()
}

// What may wrap a volume's key, and that a wrap ends with the next one.
//
// Spec: secrets-cbss §5 (Set), §9 (MissingAccountReleaseKey, WrapEpochMismatch, AadMismatch, CiphertextCorrupted), §11; storage-cbfs §2.2.
func TestWrapsOfAVolumesKey(t *testing.T) {
	l := newLibrary(t)
	self, heir := holderKey().Address(), heirKey().Address()
	to := cbss.SecretID{Account: self, KeyHash: cbss.VolumeKeyHash(l.docs)}
	good := l.sealed(self, l.docs, 2, l.key)
	with := func(change func(w *volume.Wrap)) volume.Wrap {
		w := good
		w.DEK = append([]byte{}, w.DEK...)
		change(&w)
		return w
	}
	for name, c := range map[string]struct {
		wrap volume.Wrap
		err  error
	}{
		"right":              {good, nil},
		"with its hashes":    {with(func(w *volume.Wrap) { w.KeyHash = digest.Keccak256(l.key.Master[:]) }), nil},
		"of another key":     {with(func(w *volume.Wrap) { w.KeyHash = digest.Hash{1} }), ErrData},
		"of other shares":    {with(func(w *volume.Wrap) { w.ReleaseHash = digest.Hash{1} }), ErrData},
		"an epoch to come":   {with(func(w *volume.Wrap) { w.Epoch = 2 }), ErrWrapEpoch},
		"cut off":            {with(func(w *volume.Wrap) { w.DEK = w.DEK[1:] }), ErrCorrupted},
		"no point":           {with(func(w *volume.Wrap) { w.DEK[95] ^= 1 }), ErrCorrupted},
		"the same once more": {l.sealed(self, l.docs, 1, l.key), ErrData},
		"one too far":        {l.sealed(self, l.docs, 3, l.key), ErrData},
		"of another volume":  {l.sealed(self, digest.Hash{1}, 2, l.key), ErrData},
		"of another account": {l.sealed(heir, l.docs, 2, l.key), ErrData},
		"of another chain":   {with(func(w *volume.Wrap) { w.DEK[len(w.DEK)-cbss.IdentitySize+7]++ }), ErrData},
	} {
		t.Run(name, func(t *testing.T) {
			mark := l.overlay.Mark()
			l.refused(c.err, func() error { return l.volumes.Rewrap(self, l.docs, c.wrap) })
			l.overlay.Revert(mark)
		})
	}
	if err := l.HoldKey(cbss.SecretID{Account: nobody, KeyHash: to.KeyHash}, 1, &good); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	l.must(l.volumes.Transfer(self, l.docs, heir))
	l.must(l.volumes.Accept(heir, l.docs))
	l.refused(ErrNoKey, func() error { return l.volumes.Rewrap(heir, l.docs, l.sealed(heir, l.docs, 2, l.key)) })
	k := l.accountKey(heir)
	l.heights()
	l.must(l.volumes.Rewrap(heir, l.docs, l.sealed(heir, l.docs, 2, k)))
	old := l.ask(heirKey(), digest.Hash{}, l.committee[0])
	if _, err := l.Admit(old.Signed(heirKey()), old.Proxy); !errors.Is(err, ErrDeleted) {
		t.Error(err)
	}
	q := l.ask(heirKey(), digest.Hash{}, l.party(k.Committee[0]), func(q *cbss.Request) { q.Version, q.Secret.Account = 2, heir })
	if a, err := l.Admit(q.Signed(heirKey()), q.Proxy); err != nil || a.Identity.Master != k.Master || a.Scope != AccountScope(heir) {
		t.Error(err)
	}
	l.next()
	l.must(l.Reshare(AccountScope(heir), heir))
	l.end()
	l.heights()
	k2 := l.keyed(AccountScope(heir))
	l.heights()
	if k2.Epoch != 2 || k2.Master != k.Master {
		t.Fatalf("%+v", k2)
	}
	l.refused(ErrWrapEpoch, func() error { return l.volumes.Rewrap(heir, l.docs, l.sealed(heir, l.docs, 3, k)) })
	q = l.ask(heirKey(), digest.Hash{}, l.party(k2.Committee[0]), func(q *cbss.Request) { q.Version, q.Secret.Account, q.Epoch = 2, heir, 2 })
	if a, err := l.Admit(q.Signed(heirKey()), q.Proxy); err != nil || a.Identity.Epoch != 1 || a.Generation.Epoch != 2 {
		t.Error("a wrap of the first epoch is not served by the second committee:", err)
	}
}

// A proxy that signs a wrong partial of a volume's key is punished as for a secret's.
//
// Spec: secrets-cbss §5 (InvalidPartialReencrypt), §11.
func TestSlashingForAVolumesKey(t *testing.T) {
	l := newLibrary(t)
	p, other := l.committee[0], l.committee[1]
	q := l.ask(reader(), digest.Hash{}, p)
	answer := func(by *party) []byte {
		share, to, _ := l.share(q, by)
		a := &cbss.Answer{Request: q.Hash(), Proxy: p.id, Epoch: 1, Served: q.Block, Partial: cbss.Sign(share, to)}
		return append(q.Signed(reader()), a.Signed(p.key)...)
	}
	l.refused(ErrEvidence, func() error { return l.Slash(p.id, InvalidPartial, answer(p)) })
	l.must(l.try(func() error { return l.Slash(p.id, InvalidPartial, answer(other)) }))
	if x, err := LoadProxy(l.overlay, p.id); err != nil || x.Stake != 9_500*unit.CBY || !x.Suspended {
		t.Errorf("%+v %v", x, err)
	}
}
