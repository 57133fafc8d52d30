package cli

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// mostWrapped is how many content keys one command wraps: as many fit a transaction.
const mostWrapped = 64

// keyFile is the content keys of a stream, by key epoch, in a file that nobody else may read.
type keyFile struct {
	path   string
	Stream string            `json:"stream_id"`
	Keys   map[string]string `json:"keys"` // by key epoch in decimal: 32 bytes in hexadecimal
}

// openKeys reads the file of a stream's keys, which may be none yet.
func openKeys(path string, id digest.Hash) (*keyFile, error) {
	k := &keyFile{path: path, Stream: wire.Hash(id), Keys: map[string]string{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	var known keyFile
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, usageError{fmt.Errorf("%s does not hold keys of a stream: %w", path, err)}
	}
	if known.Stream != k.Stream {
		return nil, usageError{fmt.Errorf("%s holds keys of the stream %s", path, known.Stream)}
	}
	if known.Keys != nil {
		k.Keys = known.Keys
	}
	return k, nil
}

// key is the content key of a key epoch; nil where there is none.
func (k *keyFile) key(epoch uint64) ([]byte, error) {
	text, ok := k.Keys[strconv.FormatUint(epoch, 10)]
	if !ok {
		return nil, nil
	}
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != cbss.DataKeySize {
		return nil, usageError{fmt.Errorf("%s: the key of key epoch %d is not 32 bytes in hexadecimal", k.path, epoch)}
	}
	return raw, nil
}

func (k *keyFile) put(epoch uint64, key []byte) {
	k.Keys[strconv.FormatUint(epoch, 10)] = hex.EncodeToString(key)
}

// save replaces the file as a whole.
func (k *keyFile) save() error {
	data, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(k.path), ".keys-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// termsOf reads how a stream is paid for, with who publishes it.
func (a *app) termsOf(ctx context.Context, id digest.Hash) (publisher account.Address, err error) {
	var terms wire.Stream
	if err := a.node().Read(ctx, "/paid-stream/"+wire.Hash(id), &terms); err != nil {
		return publisher, err
	}
	return account.ReadAddress(terms.Actor)
}

// registered reads the wrapped key of a key epoch; nil where there is none.
func (a *app) registered(ctx context.Context, id digest.Hash, epoch uint64) ([]byte, error) {
	var v wire.ContentKey
	err := a.node().Read(ctx, fmt.Sprintf("/paid-stream/%s/key/%d", wire.Hash(id), epoch), &v)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(trim0x(v.Wrapped))
}

// streamWrapKeys draws content keys and registers them.
func (a *app) streamWrapKeys() *cobra.Command {
	var file string
	var from, to uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "wrap-keys ACTOR", Short: "Draw content keys of key epochs, wrap them for your committee and register them", Args: cobra.ExactArgs(1),
		Long: "Draw content keys of key epochs of your managed stream, keep them in a file, wrap them to the stream's release key and register them.\n" +
			"From then on the committee gives them to whoever buys access, whether you are there or not. Ask for the release key once: cowboy\n" +
			"secrets key --account ACTOR.",
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			if to < from || to-from >= mostWrapped {
				return usageError{fmt.Errorf("--from and --to are 1 to %d key epochs", mostWrapped)}
			}
			payload, err := a.wrapped(cmd.Context(), actor, file, from, to)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{To: actor, Handler: []byte("register_content_keys"), Payload: payload})
		},
	}
	cmd.Flags().StringVar(&file, "keys", "", "file of the content keys, which is made or added to")
	cmd.Flags().Uint64Var(&from, "from", 0, "the first key epoch")
	cmd.Flags().Uint64Var(&to, "to", 0, "the last one")
	require(cmd, "keys", "from", "to")
	flags.register(cmd, 4*streamCycles, streamCells)
	return cmd
}

// wrapped makes the payload of register_content_keys. The file has the keys before anything leaves.
//
// Spec: gateway-payments-streams §E.1 (content keys); secrets-cbss §3.
func (a *app) wrapped(ctx context.Context, actor account.Address, file string, from, to uint64) ([]byte, error) {
	head, err := a.askStream(ctx, actor, "get_head", cbor.Map{})
	if err != nil {
		return nil, err
	}
	id, err := streamIn(head)
	if err != nil {
		return nil, err
	}
	keys, err := openKeys(file, id)
	if err != nil {
		return nil, err
	}
	publisher, err := a.termsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	var release cbss.Identity
	if err := a.towards(ctx, publisher, &release); err != nil {
		return nil, err
	}
	var list []any
	for at := range to - from + 1 {
		epoch := from + at
		if there, err := a.registered(ctx, id, epoch); err != nil || there != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		key, err := keys.key(epoch)
		if err != nil {
			return nil, err
		}
		if key == nil {
			key = make([]byte, cbss.DataKeySize)
			rand.Read(key)
			keys.put(epoch, key)
		}
		e, err := wrapTo(cbss.StreamIdentity(release.ChainID, publisher, release.Master, id, epoch), key)
		if err != nil {
			return nil, err
		}
		list = append(list, []any{epoch, e.Content()})
	}
	if len(list) == 0 {
		return nil, usageError{errors.New("all of these key epochs have a content key already")}
	}
	if err := keys.save(); err != nil {
		return nil, err
	}
	return cbor.Append(nil, cbor.Map{{Key: "keys", Value: list}})
}

// streamIn is the stream's identity in an answer of get_head.
func streamIn(head cbor.Map) (digest.Hash, error) {
	raw := part[[]byte](head, "stream_id")
	if len(raw) != digest.Size {
		return digest.Hash{}, errors.New("the actor's get_head names no stream")
	}
	return digest.Hash(raw), nil
}

// wrapTo draws what is drawn for one envelope.
func wrapTo(to *cbss.Identity, key []byte) (*cbss.Envelope, error) {
	r, err := drawScalar()
	if err != nil {
		return nil, err
	}
	defer r.Erase()
	var nonce [cbss.NonceSize]byte
	rand.Read(nonce[:])
	return cbss.Wrap(to, r, nonce, [cbss.DataKeySize]byte(key))
}

// streamSeal asks for keys of epochs that were bought before.
func (a *app) streamSeal() *cobra.Command {
	var id string
	var from, to, again uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "seal", Short: "Ask the committee for the keys of key epochs that you bought, or once more", Args: cobra.NoArgs,
		Long: "Ask the publisher's committee for the keys of key epochs that you bought, sealed to your newest key. A purchase asks by itself for its\n" +
			"first 256 key epochs. You pay the committee, but for a request that it let expire.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("request") {
				return a.toManager(cmd.Context(), flags, "request_seal_again", again)
			}
			stream, err := parseHash(id)
			if err != nil {
				return err
			}
			return a.toManager(cmd.Context(), flags, "request_seal", stream[:], from, to)
		},
	}
	cmd.Flags().StringVar(&id, "stream", "", "the stream's identity")
	cmd.Flags().Uint64Var(&from, "from", 0, "the first key epoch")
	cmd.Flags().Uint64Var(&to, "to", 0, "the last one, of at most 32")
	cmd.Flags().Uint64Var(&again, "request", 0, "raise the request of this number again, instead")
	cmd.MarkFlagsOneRequired("stream", "request")
	cmd.MarkFlagsMutuallyExclusive("stream", "request")
	cmd.MarkFlagsRequiredTogether("stream", "from", "to")
	flags.register(cmd, streamCycles, streamCells)
	return cmd
}

// streamKeys collects the content keys that the committee seals for an account.
func (a *app) streamKeys() *cobra.Command {
	var id, file, account string
	var of string
	cmd := &cobra.Command{
		Use: "keys", Short: "Get the content keys of key epochs that you bought from the committee", Args: cobra.NoArgs,
		Long: "Get the content keys of the key epochs that you bought: ask the proxies of the publisher's committee for what they sealed to your key,\n" +
			"open the wrapped keys of the chain with it, and keep them in a file, by which `cowboy stream since --keys FILE` decrypts. The\n" +
			"publisher need not be there.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			stream, err := parseHash(id)
			if err != nil {
				return err
			}
			seed, err := seedOf(account)
			if err != nil {
				return err
			}
			key, err := ecdh.X25519().NewPrivateKey(seed)
			if err != nil {
				return err
			}
			me, err := a.own(nil, of)
			if err != nil {
				return err
			}
			c := &collecting{app: a, stream: stream, me: me, key: key, peers: &proxyPeers{exchange.Client{Body: frame.MaxBody}}}
			if c.file, err = openKeys(file, stream); err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&id, "stream", "", "the stream's identity")
	cmd.Flags().StringVar(&account, "account-key", "", "file of the X25519 key that you registered")
	cmd.Flags().StringVar(&of, "account", "", "the account it is registered for (default: your own)")
	cmd.Flags().StringVar(&file, "keys", "", "file of the content keys, which is made or added to")
	require(cmd, "stream", "account-key", "keys")
	return cmd
}
