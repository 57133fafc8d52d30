package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

// Limits that instructions about secrets fit.
const (
	secretCycles = 400_000
	secretCells  = 5_000
)

// secretsCommand keeps secrets for jobs. Spec: secrets-cbss §4.
func (a *app) secretsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "secrets", Short: "Store secrets for your jobs, sealed to a committee of proxies that releases them to runners",
		Long: "Keep secrets that runners get for your jobs. A value is encrypted here; the chain keeps what only a quorum of your account's committee can\n" +
			"open. Ask for the committee once, with `cowboy secrets key`. A job names a secret; the runner puts it where the job has ${NAME}.",
	}
	cmd.AddCommand(a.secretsKey(), a.secretsSet(), a.secretsSeal(), a.secretsList(), a.secretsVersions(), a.secretsPolicy(), a.secretsDelete(),
		a.secretsDeleteVersion(), a.secretsLock(), a.secretsUnlock())
	return cmd
}

// own is the account of the key that signs, or one that is named.
func (a *app) own(flags *sendFlags, named string) (account.Address, error) {
	if named != "" {
		addr, err := account.ReadAddress(named)
		if err != nil {
			err = usageError{err}
		}
		return addr, err
	}
	explicit := ""
	if flags != nil {
		explicit = flags.key
	}
	key, err := a.key(explicit)
	if err != nil {
		return account.Address{}, err
	}
	return addressOf(key)
}

func nameOf(of account.Address, name string) (digest.Hash, error) {
	if !cbss.CheckName(name) {
		return digest.Hash{}, usageError{fmt.Errorf("%q is no name of a secret: capitals, digits and _, beginning with a capital, at most 128", name)}
	}
	return cbss.KeyHash(of, name), nil
}

// policyFlags say whose jobs may have a secret.
type policyFlags struct {
	actors []string
	tee    bool
}

func (p *policyFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&p.actors, "actors", nil, "accounts and actors whose jobs may have it (default: your own, and the actors you made)")
	cmd.Flags().BoolVar(&p.tee, "tee-required", false, "to runners alone that are attested for the job")
}

func (p *policyFlags) list() ([]tx.PolicyActor, error) {
	var list []account.Address
	for _, text := range p.actors {
		addr, err := account.ReadAddress(text)
		if err != nil {
			return nil, usageError{err}
		}
		list = append(list, addr)
	}
	return ascending(list), nil
}

// sealing is what seals a value here.
type sealing struct {
	of       account.Address
	key      digest.Hash
	to       cbss.Identity
	envelope *cbss.Envelope
	payload  []byte
}

// seal reads the release key of an account and seals a value to the next version of a secret.
func (a *app) seal(ctx context.Context, of account.Address, name string, value []byte) (*sealing, error) {
	key, err := nameOf(of, name)
	if err != nil {
		return nil, err
	}
	var known wire.SecretVersions
	if err := a.node().Read(ctx, "/secrets/"+of.String()+"/"+hex.EncodeToString(key[:]), &known); err != nil && !missing(err) {
		return nil, err
	}
	s := &sealing{of: of, key: key, to: cbss.Identity{Secret: cbss.SecretID{Account: of, KeyHash: key}, Version: known.LatestVersion + 1}}
	if err := a.towards(ctx, of, &s.to); err != nil {
		return nil, err
	}
	return s, s.encrypt(value)
}

// encrypt draws what is drawn for one envelope.
func (s *sealing) encrypt(value []byte) error {
	var data [cbss.DataKeySize]byte
	var nonce, other [cbss.NonceSize]byte
	rand.Read(data[:])
	rand.Read(nonce[:])
	rand.Read(other[:])
	r, err := drawScalar()
	if err != nil {
		return err
	}
	defer r.Erase()
	if s.envelope, err = cbss.Wrap(&s.to, r, nonce, data); err != nil {
		return err
	}
	s.payload, err = cbss.SealPayload(data, other, s.to.Bytes(), value)
	clear(data[:])
	return err
}

// drawScalar draws a number below the order of the group, trying again where it is not.
func drawScalar() (*cbss.Scalar, error) {
	for {
		var raw [cbss.ScalarSize]byte
		rand.Read(raw[:])
		raw[0] &= 0x7f
		k, err := cbss.ParseScalar(raw[:])
		if err == nil || !errors.Is(err, cbss.ErrScalar) {
			return k, err
		}
	}
}

func (s *sealing) sealed(pointer []byte) *secret.Sealed {
	if pointer == nil {
		pointer = append([]byte{byte(secret.Inline)}, s.payload...)
	}
	return &secret.Sealed{Epoch: s.to.Epoch, Pointer: pointer, Wrapped: s.envelope.Append(nil)}
}

// valueIn reads a value from a file, or from standard input.
func valueIn(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, secret.MaxPayload+1))
	}
	return os.ReadFile(file)
}

// fittingValue is a value that is not too long to be kept.
func fittingValue(file string) ([]byte, error) {
	value, err := valueIn(file)
	if err == nil && len(value) > secret.MaxPayload-cbss.PayloadOverhead {
		err = usageError{fmt.Errorf("a value has at most %d bytes", secret.MaxPayload-cbss.PayloadOverhead)}
	}
	return value, err
}

func (a *app) secretsSet() *cobra.Command {
	var file, place string
	var policy policyFlags
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Seal a value here and keep it as the next version of a secret", Args: cobra.ExactArgs(1),
		Long: "Seal a value here and keep it as the next version of a secret. The encrypted payload goes to the chain on development networks; elsewhere it\n" +
			"goes into a public volume of yours, --volume, where runners read it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			actors, err := policy.list()
			if err != nil {
				return err
			}
			value, err := fittingValue(file)
			if err != nil {
				return err
			}
			of, err := a.own(flags, "")
			if err != nil {
				return err
			}
			s, err := a.seal(cmd.Context(), of, args[0], value)
			if err != nil {
				return err
			}
			pointer, err := a.placed(cmd, s, place)
			if err != nil {
				return err
			}
			with := s.sealed(pointer)
			return a.sendAndShow(cmd.Context(), flags, &tx.SetSecret{
				KeyHash: s.key, Restrict: cmd.Flags().Changed("actors"), Actors: actors, TEERequired: policy.tee, Pointer: with.Pointer, WrapEpoch: &with.Epoch,
				Wrapped: with.Wrapped,
			})
		},
	}
	cmd.Flags().StringVar(&file, "value-file", "", "the value (- is standard input)")
	registerPlaces(cmd, &place)
	require(cmd, "value-file")
	policy.register(cmd)
	flags.register(cmd, secretCycles, 2*secret.MaxPayload+secretCells)
	return cmd
}

// registerPlaces adds the flags that say where a payload goes.
func registerPlaces(cmd *cobra.Command, place *string) {
	cmd.Flags().StringVar(place, "pointer", "", "another place in storage, in hexadecimal, to which you bring --payload-out")
	cmd.Flags().String("payload-out", "", "file for the encrypted payload, with --pointer")
	cmd.Flags().String("volume", "", "public volume of yours for the encrypted payload")
}

// placed brings the payload to storage, where it goes there, and gives its pointer.
func (a *app) placed(cmd *cobra.Command, s *sealing, place string) ([]byte, error) {
	out, bad := cmd.Flags().GetString("payload-out")
	in, worse := cmd.Flags().GetString("volume")
	if err := errors.Join(bad, worse); err != nil {
		return nil, err
	}
	if (place == "") != (out == "") || place != "" && in != "" {
		return nil, usageError{errors.New("--pointer and --payload-out go together, and not with --volume")}
	}
	if in != "" {
		return a.stored(cmd.Context(), s, in)
	}
	if place == "" {
		return nil, nil
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(place, "0x"))
	if err != nil || len(raw) == 0 || len(raw) > secret.MaxPointer {
		return nil, usageError{fmt.Errorf("--pointer is 1 to %d bytes in hexadecimal", secret.MaxPointer)}
	}
	return append([]byte{byte(secret.InStorage)}, raw...), os.WriteFile(out, s.payload, 0o600)
}

// stored puts a payload into a public volume, under the hash of its envelope.
func (a *app) stored(ctx context.Context, s *sealing, in string) ([]byte, error) {
	c, err := a.files(ctx, &fileFlags{}, in)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	at, err := c.Open(ctx, c.id)
	if err != nil {
		return nil, err
	}
	if at.Volume.Private {
		return nil, usageError{errors.New("--volume is a public one: runners read it without a token, and the payload is encrypted")}
	}
	sealed := s.envelope.Append(nil)
	path := "secrets/" + digest.SHA256(sealed).Hex()
	err = c.Apply(ctx, c.id, []volume.Change{{
		Path: path, Kind: cbfs.File, Size: uint64(len(s.payload)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.payload)), nil },
	}})
	return append([]byte{byte(secret.InStorage)}, secret.StoredAt(c.id, path)...), err
}

// secretsSeal seals a value for an actor that keeps it with secrets.store.
func (a *app) secretsSeal() *cobra.Command {
	var file, of string
	cmd := &cobra.Command{
		Use: "seal NAME", Short: "Seal a value for an actor, which keeps it with secrets.store", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := account.ReadAddress(of)
			if err != nil {
				return usageError{err}
			}
			value, err := fittingValue(file)
			if err != nil {
				return err
			}
			s, err := a.seal(cmd.Context(), addr, args[0], value)
			if err != nil {
				return err
			}
			text := hex.EncodeToString(systemsecret.Sealed(s.sealed(nil)))
			return a.show(map[string]string{"value": text}, "%s\n", text)
		},
	}
	cmd.Flags().StringVar(&file, "value-file", "", "the value (- is standard input)")
	cmd.Flags().StringVar(&of, "actor", "", "the actor")
	require(cmd, "value-file", "actor")
	return cmd
}

func (a *app) secretsList() *cobra.Command {
	var of string
	cmd := &cobra.Command{
		Use: "list", Short: "Print the secrets of an account, by the hashes of their names", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.own(nil, of)
			if err != nil {
				return err
			}
			all := wire.Secrets{Account: addr.String(), Secrets: []wire.Secret{}}
			err = pages(cmd.Context(), a, "/secrets/"+addr.String(), func(page *wire.Secrets) string {
				all.Secrets = append(all.Secrets, page.Secrets...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			return a.show(all, "%s", secretsText(all))
		},
	}
	cmd.Flags().StringVar(&of, "account", "", "the account (default: your own)")
	return cmd
}

func secretsText(all wire.Secrets) string {
	var text strings.Builder
	for _, s := range all.Secrets {
		fmt.Fprintf(&text, "%s  latest version %d, %d kept\n", s.KeyHash, s.LatestVersion, len(s.ActiveVersions))
	}
	if len(all.Secrets) == 0 {
		text.WriteString("No secrets.\n")
	}
	return text.String()
}

func (a *app) secretsVersions() *cobra.Command {
	var of string
	cmd := &cobra.Command{
		Use: "versions NAME", Short: "Print the versions of a secret, and who may have them", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := a.own(nil, of)
			if err != nil {
				return err
			}
			key, err := nameOf(addr, args[0])
			if err != nil {
				return err
			}
			var v wire.SecretVersions
			if err := a.node().Read(cmd.Context(), "/secrets/"+addr.String()+"/"+hex.EncodeToString(key[:]), &v); err != nil {
				return err
			}
			return a.show(v, "%s", versionsText(&v))
		},
	}
	cmd.Flags().StringVar(&of, "account", "", "the account (default: your own)")
	return cmd
}

func versionsText(v *wire.SecretVersions) string {
	var text strings.Builder
	for _, one := range v.Versions {
		who := "the owner and the actors it made"
		if one.Policy.Listed {
			who = strings.Join(one.Policy.Actors, " ")
		}
		state := "active"
		if one.Pending {
			state = "pending"
		}
		if one.Policy.TEERequired {
			who += ", attested runners alone"
		}
		fmt.Fprintf(&text, "Version %d  %s  since block %d  for %s\n", one.Version, state, one.CreatedAt, who)
	}
	return text.String()
}

func (a *app) secretsPolicy() *cobra.Command {
	var version uint64
	var policy policyFlags
	cmd := a.onSecret("policy NAME", "Say anew whose jobs may have a version of a secret", func(cmd *cobra.Command, key digest.Hash) (tx.Instruction, error) {
		actors, err := policy.list()
		return &tx.UpdateSecretPolicy{
			KeyHash: key, Version: version, Restrict: cmd.Flags().Changed("actors"), Actors: actors, TEERequired: policy.tee,
		}, err
	})
	cmd.Flags().Uint64Var(&version, "version", 0, "the version")
	require(cmd, "version")
	policy.register(cmd)
	return cmd
}

// onSecret is a command that sends an instruction about a secret of the sender's.
func (a *app) onSecret(use, short string, in func(cmd *cobra.Command, key digest.Hash) (tx.Instruction, error)) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			of, err := a.own(flags, "")
			if err != nil {
				return err
			}
			key, err := nameOf(of, args[0])
			if err != nil {
				return err
			}
			made, err := in(cmd, key)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, made)
		},
	}
	flags.register(cmd, secretCycles, secretCells)
	return cmd
}

func (a *app) secretsDelete() *cobra.Command {
	return a.onSecret("delete NAME", "Delete all versions of a secret", func(_ *cobra.Command, key digest.Hash) (tx.Instruction, error) {
		return &tx.DeleteSecret{KeyHash: key}, nil
	})
}

func (a *app) secretsDeleteVersion() *cobra.Command {
	var version uint64
	cmd := a.onSecret("delete-version NAME", "Delete one version of a secret", func(_ *cobra.Command, key digest.Hash) (tx.Instruction, error) {
		return &tx.DeleteSecretVersion{KeyHash: key, Version: version}, nil
	})
	cmd.Flags().Uint64Var(&version, "version", 0, "the version")
	require(cmd, "version")
	return cmd
}

// missing reports that a node knows of nothing by a name.
func missing(err error) bool {
	var status *api.StatusError
	return errors.As(err, &status) && status.Reply.Code == 4004
}
