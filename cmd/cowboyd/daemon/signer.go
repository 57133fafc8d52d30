package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/signer"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// signerCommand keeps a voting key on a machine of its own.
func signerCommand(shared *settings, out io.Writer) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use: "signer", Short: "Keep the voting key on another machine, which signs for the node and refuses to sign twice",
		PersistentPreRun: func(*cobra.Command, []string) { s.inherit(shared) },
	}
	flags := c.PersistentFlags()
	flags.StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys")
	flags.BoolVar(&s.lightKeys, "light-keys", false, "make key files whose password is cheap to try: only for networks whose keys are worth nothing")
	c.AddCommand(signerInit(s, out), signerRun(s, out), signerShow(out), signerRecover(s, out), signerCertificates(s, out))
	return c
}

// moving is what `signer init` is told.
type moving struct {
	listen, theirs, from string
	draw                 bool
	first                int64
}

func signerInit(s *settings, out io.Writer) *cobra.Command {
	m := &moving{}
	c := &cobra.Command{
		Use: "init DIR", Short: "Make a signer's directory and the node's certificates for it", Args: cobra.ExactArgs(1),
		Long: "Move the voting key of a node that does not run into a new directory, with certificates for both sides and a journal of\n" +
			"what is signed. The node's side goes into signer/ of its data directory; take DIR to the signer's machine. With --new or\n" +
			"--import FILE the key is drawn, or comes from an EIP-2335 file, and the node has none to begin with.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			if s.config == nil {
				return fmt.Errorf("there is no %s: a signer is made for a node", s.configPath())
			}
			return s.makeSigner(m, args[0], out)
		},
	}
	flags := c.Flags()
	flags.StringVar(&m.listen, "listen", "127.0.0.1:4200", "host:port the signer listens on, by which the node reaches it")
	flags.BoolVar(&m.draw, "new", false, "draw a key instead of moving the node's")
	flags.StringVar(&m.from, "import", "", "EIP-2335 file with the key")
	flags.StringVar(&m.theirs, "import-password-file", "",
		"file whose first line is its password; COWBOYD_IMPORT_PASSWORD and the terminal otherwise")
	flags.Int64Var(&m.first, "first-epoch", -1,
		"first epoch the signer votes in: for a key whose votes so far are not known, the one after the present")
	return c
}

// makeSigner makes both sides. The node's key is removed last, when everything else is there.
func (s *settings) makeSigner(m *moving, dir string, out io.Writer) error {
	if _, _, err := net.SplitHostPort(m.listen); err != nil {
		return usageError{fmt.Errorf("--listen %s: want host:port", m.listen)}
	}
	if m.draw && m.from != "" {
		return usageError{errors.New("--new and --import both name the key")}
	}
	for _, path := range []string{dir, s.signerDir()} {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s exists\n  a signer's directory is made once; name another, or move that one away", path)
		}
	}
	spec, err := s.spec(0)
	if err != nil {
		return err
	}
	r := s.ring()
	lock, err := r.Lock()
	if err != nil {
		return s.explainKey(fmt.Errorf("%s: %w", r.Dir, err))
	}
	defer lock.Close()
	secret, password, err := s.keyToMove(m, r)
	if err != nil {
		return err
	}
	first, err := s.firstRound(m, r, spec)
	if err != nil {
		return err
	}
	next, node := dir+".part", s.signerDir()+".part"
	if err := errors.Join(os.RemoveAll(next), os.RemoveAll(node)); err != nil {
		return err
	}
	if err := s.writeSides(m.listen, spec, secret, password, first, next, node); err != nil {
		return errors.Join(err, os.RemoveAll(next), os.RemoveAll(node))
	}
	if err := errors.Join(os.Rename(next, dir), os.Rename(node, s.signerDir())); err != nil {
		return err
	}
	if r.Has(keyring.Vote) {
		if err := os.Remove(r.Path(keyring.Vote)); err != nil {
			return err
		}
	}
	if err := s.noteSigner(m.listen, out); err != nil {
		return err
	}
	fmt.Fprintf(out, "made %s and %s\n", dir, s.signerDir())
	_, err = fmt.Fprintf(out, "take %s to the signer's machine; there, `cowboyd signer run %s`, then start the node\n"+
		"backups of the node's keys still hold the voting key\n", dir, dir)
	return err
}

// keyToMove is the voting key with the password its new file is under.
func (s *settings) keyToMove(m *moving, r keyring.Ring) (secret []byte, password string, err error) {
	if (m.draw || m.from != "") && r.Has(keyring.Vote) {
		return nil, "", fmt.Errorf("%s: %w\n  leave --new and --import out to move it", r.Path(keyring.Vote), keyring.ErrPresent)
	}
	switch {
	case m.draw:
		if password, err = s.common(r); err == nil {
			secret, err = keyring.NewVote(rand.Reader)
		}
		return secret, password, err
	case m.from != "":
		theirs, ok, err := s.given(m.theirs, "COWBOYD_IMPORT_PASSWORD")
		if err == nil && !ok {
			theirs, err = ask("Password of " + m.from + ": ")
		}
		if err != nil {
			return nil, "", err
		}
		f, err := keyring.Read(m.from)
		if err != nil {
			return nil, "", err
		}
		if secret, err = f.Open(theirs); err != nil {
			return nil, "", fmt.Errorf("%s: %w", m.from, err)
		}
		password, err = s.common(r)
		return secret, password, err
	}
	if password, err = s.password(fmt.Sprintf("Password of the keys in %s: ", r.Dir)); err != nil {
		return nil, "", err
	}
	secret, err = r.Secret(keyring.Vote, password)
	return secret, password, s.explainKey(err)
}

// firstRound is where the signer's journal begins: above what the node's own journal says, or where the operator says.
func (s *settings) firstRound(m *moving, r keyring.Ring, spec *genesis.Spec) (first sig.Round, err error) {
	if m.first >= 0 {
		return sig.Round{Epoch: uint64(m.first)}, nil
	}
	const advice = "\n  give --first-epoch, the epoch after the present one: what was signed in the present one is not known"
	if m.from != "" {
		return first, errors.New("the key comes from elsewhere and may have voted" + advice)
	}
	if m.draw {
		return first, nil
	}
	if _, err := os.Stat(filepath.Join(s.dataDir, rejoinFile)); err == nil {
		return first, errors.New("this validator lost its journal" + advice)
	}
	d, there, err := existing(filepath.Join(s.dataDir, "journal"))
	switch {
	case err != nil:
		return first, err
	case !there && r.Used():
		return first, errors.New("this validator lost its journal" + advice)
	case !there:
		return first, nil
	}
	hash, err := genesisDigest(spec)
	if err != nil {
		return first, err
	}
	return replica.Above(d, hash)
}

// writeSides writes the directories of both sides.
func (s *settings) writeSides(listen string, spec *genesis.Spec, secret []byte, password string, first sig.Round, dir, node string) error {
	hash, err := genesisHash(spec)
	if err != nil {
		return err
	}
	ring := keyring.Ring{Dir: dir, Work: s.work()}
	if err := errors.Join(ring.Make(), os.MkdirAll(node, 0o700)); err != nil {
		return err
	}
	if err := ring.Put(keyring.Vote, secret, password); err != nil {
		return err
	}
	public, err := keyring.Public(keyring.Vote, secret)
	if err != nil {
		return err
	}
	if err := save(filepath.Join(dir, signerConfig), signerRecord{spec.ChainID, hash, listen}); err != nil {
		return err
	}
	if err := (book.File{Path: filepath.Join(node, publicFile)}).Save([]byte(public + "\n")); err != nil {
		return err
	}
	if err := certify(dir, node); err != nil {
		return err
	}
	key, err := ring.VoteKey(password)
	if err != nil {
		return err
	}
	return beginJournal(dir, key.PublicKey().Bytes(), hash, first)
}

// beginJournal makes the journal of a signer's directory.
func beginJournal(dir string, key sig.BLSPublicKey, genesis string, first sig.Round) error {
	record := &signerRecord{Genesis: genesis}
	hash, err := record.digest()
	if err != nil {
		return err
	}
	d, err := disk.NewDirectory(filepath.Join(dir, signerJournal))
	if err != nil {
		return err
	}
	return signer.MakeJournal(d, key, hash, first)
}

// certify draws certificates for both sides.
func certify(dir, node string) error {
	now := time.Now()
	for _, x := range []struct {
		own   side
		other string
	}{{signerSide(dir), node}, {nodeSide(node), dir}} {
		certificate, key, err := signer.NewCertificate(x.own.name, now)
		if err != nil {
			return err
		}
		for path, data := range map[string][]byte{ // order-free: three files
			x.own.certificate(): certificate, x.own.key(): key, filepath.Join(x.other, x.own.name+".crt"): certificate,
		} {
			if err := (book.File{Path: path}).Save(data); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteSigner puts the signer's address into the configuration, or says where it goes.
func (s *settings) noteSigner(at string, out io.Writer) error {
	path := s.configPath()
	c, err := s.read()
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before := string(c.Write())
	if c.Validator.Signer = at; before != string(data) {
		_, err = fmt.Fprintf(out, "add to [validator] in %s:\nsigner = %q\n", path, at)
		return err
	}
	return book.File{Path: path}.Save(c.Write())
}

func signerRun(s *settings, out io.Writer) *cobra.Command {
	var level, format string
	c := &cobra.Command{
		Use: "run DIR", Short: "Sign for the nodes whose certificate DIR holds", Args: cobra.ExactArgs(1),
		Long: "Sign for the nodes whose certificate DIR holds, by the protocol that `go doc ./actors/signer` describes. What is signed is in\n" +
			"DIR/journal first.\n" +
			"Never put an older copy of the journal in its place, and never run a second signer with a copy of DIR: both would sign twice.",
		RunE: func(cmd *cobra.Command, args []string) error {
			log, err := newLog(out, level, format)
			if err != nil {
				return usageError{err}
			}
			return s.runSigner(cmd.Context(), args[0], log)
		},
	}
	c.Flags().StringVar(&level, "log-level", "info", "debug, info, warn or error")
	c.Flags().StringVar(&format, "log-format", "text", "text or json")
	return c
}

func (s *settings) runSigner(ctx context.Context, dir string, log zerolog.Logger) error {
	record, hash, err := readSigner(dir)
	if err != nil {
		return err
	}
	x := signerSide(dir)
	config, err := x.tls()
	if err != nil {
		return fmt.Errorf("%w\n  `cowboyd signer certificates %s` makes new ones for both sides", err, dir)
	}
	r := keyring.Ring{Dir: dir}
	password, err := s.password(fmt.Sprintf("Password of the key in %s: ", dir))
	if err != nil {
		return err
	}
	key, err := r.VoteKey(password)
	if err != nil {
		return s.explainKey(err)
	}
	if text := x.expiring(time.Now()); text != "" {
		log.Warn().Msg(text + "; `cowboyd signer certificates` makes new ones for both sides")
	}
	journal, err := disk.NewDirectory(filepath.Join(dir, signerJournal))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	inbox := supervision.NewInbox("votes", 64)
	tree, err := supervision.New(supervision.Spec{
		Name: "signer", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 10, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: 10 * time.Millisecond, Max: 2 * time.Second},
		Children: []supervision.Spec{{Name: "votes", Inbox: inbox, New: func() actor.Actor {
			return &signer.Subsystem{
				Inbox: inbox, Address: record.Listen, TLS: config, Disk: journal, Key: key, ChainID: record.ChainID, Genesis: hash,
				Observe: func(e signer.Event) { signerLine(log, e) },
			}
		}}},
	}, supervision.Config{Seed: uint64(time.Now().UnixNano()), Observe: func(e supervision.Event) { observe(log, e) }})
	if err != nil {
		return err
	}
	if err := tree.Start(ctx); err != nil {
		return errors.Join(explainSigner(dir, err), stopTree(tree))
	}
	log.Info().Str("listen", record.Listen).Uint64("chain", record.ChainID).Msg("cowboyd signer " + version.Version + " is up")
	select {
	case <-ctx.Done():
		log.Info().Msg("stopping")
		return stopTree(tree)
	case halt := <-tree.Halted():
		return haltedError{errors.Join(explainSigner(dir, errors.New(halt.String())), stopTree(tree))}
	}
}

func stopTree(tree *supervision.Tree) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	return tree.Stop(ctx)
}

// signerLine tells of what a signer's operator may want to know.
func signerLine(log zerolog.Logger, e signer.Event) {
	var conflict *signer.Conflict
	switch {
	case e.Err == nil:
		log.Info().Str("node", e.Remote).Msg(e.What)
	case errors.As(e.Err, &conflict):
		log.Error().Str("node", e.Remote).Err(e.Err).
			Msg("a node asked for a signature that contradicts an earlier one: two nodes with this key, or a node that lost its journal")
	default:
		log.Warn().Str("node", e.Remote).Err(e.Err).Msg(e.What)
	}
}

// says reports whether an error is, or quotes, another: a halt keeps its reason as text.
func says(err, other error) bool {
	return errors.Is(err, other) || strings.Contains(err.Error(), other.Error())
}

// explainSigner adds what to do.
func explainSigner(dir string, err error) error {
	path := filepath.Join(dir, signerJournal)
	switch {
	case says(err, disk.ErrLocked):
		return fmt.Errorf("%w\n  another signer runs on %s", err, dir)
	case says(err, signer.ErrNoJournal), says(err, signer.ErrJournal):
		return fmt.Errorf("%w\n  what was signed is not known: move %s away if it is there, keep it, and run\n"+
			"  `cowboyd signer recover %s --first-epoch N`, the epoch after the present one", err, path, dir)
	}
	return err
}

func signerShow(out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "show DIR", Short: "Print which key and nodes a signer's directory serves; no password is needed", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			record, _, err := readSigner(args[0])
			if err != nil {
				return err
			}
			f, err := keyring.Ring{Dir: args[0]}.File(keyring.Vote)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "key      %s\nchain    %d\ngenesis  %s\nlisten   %s\n", f.PublicKey, record.ChainID, record.Genesis, record.Listen)
			data, err := os.ReadFile(signerSide(args[0]).certificate())
			if err != nil {
				return err
			}
			end, err := signer.Expiry(data)
			if err == nil {
				_, err = fmt.Fprintf(out, "until    %s\n", end.UTC().Format(time.DateOnly))
			}
			return err
		},
	}
}

func signerRecover(s *settings, out io.Writer) *cobra.Command {
	var first int64
	c := &cobra.Command{
		Use: "recover DIR", Short: "Begin a new journal after the old one was lost; the signer signs nothing until the next epoch", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if first < 1 {
				return usageError{errors.New("--first-epoch is the epoch after the present one (`cowboy validator list` tells the present one)")}
			}
			record, _, err := readSigner(args[0])
			if err != nil {
				return err
			}
			r := keyring.Ring{Dir: args[0]}
			password, err := s.password(fmt.Sprintf("Password of the key in %s: ", args[0]))
			if err != nil {
				return err
			}
			key, err := r.VoteKey(password)
			if err != nil {
				return s.explainKey(err)
			}
			if err := beginJournal(args[0], key.PublicKey().Bytes(), record.Genesis, sig.Round{Epoch: uint64(first)}); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "a new journal in %s: it signs from epoch %d on\n", args[0], first)
			return err
		},
	}
	c.Flags().Int64Var(&first, "first-epoch", 0, "first epoch in which something is signed")
	return c
}

func signerCertificates(s *settings, out io.Writer) *cobra.Command {
	var to string
	c := &cobra.Command{
		Use: "certificates DIR", Short: "Make new certificates for both sides", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, _, err := readSigner(args[0]); err != nil {
				return err
			}
			if to == "" {
				to = s.signerDir()
			}
			if err := os.MkdirAll(to, 0o700); err != nil {
				return err
			}
			if err := certify(args[0], to); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "new certificates in %s and %s; restart both sides\n", args[0], to)
			return err
		},
	}
	c.Flags().StringVar(&to, "node", "", "directory for the node's side; the default is signer in the data directory")
	return c
}
