package cli

import (
	"context"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func (a *app) streamNewKey() *cobra.Command {
	var out string
	var sealed bool
	cmd := &cobra.Command{
		Use: "new-key", Short: "Make a key that signs messages, encrypts them, or has keys sealed to it: 32 random bytes, in hexadecimal", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			seed := make([]byte, ed25519.SeedSize)
			if _, err := rand.Read(seed); err != nil {
				return err
			}
			f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(f, hex.EncodeToString(seed)); err != nil {
				return err
			}
			public := []byte(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
			if sealed {
				key, err := ecdh.X25519().NewPrivateKey(seed)
				if err != nil {
					return err
				}
				public = key.PublicKey().Bytes()
			}
			if err := f.Close(); err != nil {
				return err
			}
			return a.show(map[string]string{"public_key": "0x" + wire.Hex(public)}, "Public key: 0x%s\n", wire.Hex(public))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write it to, which must not exist")
	cmd.Flags().BoolVar(&sealed, "x25519", false, "print the public key that `cowboy stream register-key` takes, instead of the one that verifies messages")
	require(cmd, "out")
	return cmd
}

// seedOf reads a file of 32 bytes in hexadecimal.
func seedOf(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(trim0x(strings.TrimSpace(string(text))))
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, usageError{fmt.Errorf("%s does not hold 32 bytes in hexadecimal", path)}
	}
	return raw, nil
}

// publication is what `cowboy stream publish` was told.
type publication struct {
	key, content, keys, data, kind, kindOf string
	tags                                   []string
}

func (a *app) streamPublish() *cobra.Command {
	p, flags := &publication{}, &sendFlags{}
	cmd := &cobra.Command{
		Use: "publish ACTOR", Short: "Sign the next message of a stream and bring it", Args: cobra.ExactArgs(1),
		Long: "Sign the next message of a stream and bring it. With --content-key or --keys the payload is encrypted with XChaCha20-Poly1305 for the key\n" +
			"epoch of the next block, as a managed stream asks for.",
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			payload, err := a.signMessage(cmd.Context(), actor, p)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{To: actor, Handler: []byte("publish"), Payload: payload})
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.key, "publisher-key", "", "file of the key that signs, as `cowboy stream new-key` writes it")
	f.StringVar(&p.content, "content-key", "", "file of the epoch's key, to encrypt with")
	f.StringVar(&p.keys, "keys", "", "file of keys by their epochs, as `cowboy stream wrap-keys` makes it, to encrypt with the one of the next block")
	f.StringVar(&p.data, "data", "", "the payload, or @FILE")
	f.StringVar(&p.kind, "kind", "", "what the message is about")
	f.StringVar(&p.kindOf, "content-type", "application/json", "what the payload is")
	f.StringArrayVar(&p.tags, "tag", nil, "NAME=VALUE; a whole number or true and false where the value is one, else text")
	cmd.MarkFlagsMutuallyExclusive("content-key", "keys")
	require(cmd, "publisher-key", "data")
	flags.register(cmd, streamCycles, streamCells)
	return cmd
}

// signMessage makes the payload of publish.
//
// Spec: gateway-payments-streams §E.1 (StreamMessage).
func (a *app) signMessage(ctx context.Context, actor account.Address, p *publication) ([]byte, error) {
	seed, err := seedOf(p.key)
	if err != nil {
		return nil, err
	}
	body := []byte(p.data)
	if path, ok := strings.CutPrefix(p.data, "@"); ok {
		if body, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	head, err := a.askStream(ctx, actor, "get_head", cbor.Map{})
	if err != nil {
		return nil, err
	}
	m := cbor.Map{
		{Key: "version", Value: 1}, {Key: "stream_id", Value: part[[]byte](head, "stream_id")}, {Key: "sequence", Value: part[int64](head, "head") + 1},
		{Key: "timestamp_unix_ms", Value: time.Now().UnixMilli()}, {Key: "kind", Value: p.kind}, {Key: "content_type", Value: p.kindOf},
		{Key: "tags", Value: tagsOf(p.tags)}, {Key: "signing_key_id", Value: part[int64](head, "signing_key_id")},
	}
	format := "PLAINTEXT"
	if p.content != "" || p.keys != "" {
		format = "CIPHERTEXT"
		var terms wire.Stream
		if err := a.node().Read(ctx, "/paid-stream/"+wire.Hex(part[[]byte](head, "stream_id")), &terms); err != nil {
			return nil, err
		}
		key, err := contentKey(head, p.content, p.keys, terms.KeyEpoch)
		if err != nil {
			return nil, err
		}
		if key == nil {
			return nil, usageError{fmt.Errorf("%s has no key of key epoch %d\n  cowboy stream wrap-keys", p.keys, terms.KeyEpoch)}
		}
		if body, err = seal(key, body); err != nil {
			return nil, err
		}
		m = append(m, cbor.Pair{Key: "key_epoch", Value: terms.KeyEpoch})
	}
	sum := sha256.Sum256(body)
	m = append(m, cbor.Pair{Key: "payload_format", Value: format}, cbor.Pair{Key: "payload_hash", Value: sum[:]})
	signed, err := cbor.Append(nil, m)
	if err != nil {
		return nil, err
	}
	return cbor.Append(nil, append(m, cbor.Pair{Key: "payload_inline", Value: body},
		cbor.Pair{Key: "publisher_sig", Value: ed25519.Sign(ed25519.NewKeyFromSeed(seed), signed)}))
}

// tagsOf reads NAME=VALUE.
func tagsOf(list []string) cbor.Map {
	m := cbor.Map{}
	for _, one := range list {
		name, text, _ := strings.Cut(one, "=")
		var value any
		switch n, err := json.Number(text).Int64(); {
		case err == nil:
			value = n
		case text == "true" || text == "false":
			value = text == "true"
		default:
			value = text
		}
		m = append(m, cbor.Pair{Key: name, Value: value})
	}
	return m
}

// contentKey is the key of a key epoch: that of a file of one, or of a file of many, of which nil says that it has none.
func contentKey(head cbor.Map, one, many string, epoch uint64) ([]byte, error) {
	if one != "" {
		return seedOf(one)
	}
	id, err := streamIn(head)
	if err != nil {
		return nil, err
	}
	keys, err := openKeys(many, id)
	if err != nil {
		return nil, err
	}
	return keys.key(epoch)
}

// seal encrypts: nonce(24) ‖ body ‖ tag(16).
//
// Spec: gateway-payments-streams §E.1 (XCHACHA20_POLY1305).
func seal(key, body []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return aead.Seal(nonce, nonce, body, nil), nil
}

// unsealed decrypts what seal gave.
func unsealed(key, sealed []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	if len(sealed) < aead.NonceSize() {
		return nil, usageError{fmt.Errorf("DECRYPTION_FAILED: %d bytes are no ciphertext", len(sealed))}
	}
	body, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], nil)
	if err != nil {
		return nil, usageError{fmt.Errorf("DECRYPTION_FAILED: %w", err)}
	}
	return body, nil
}

func (a *app) streamSince() *cobra.Command {
	var cursor, limit uint64
	var content, keys string
	cmd := &cobra.Command{
		Use: "since ACTOR", Short: "Print messages of a stream behind a cursor, with whether the publisher's key signed each", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			asked := cbor.Map{{Key: "cursor", Value: cursor}, {Key: "limit", Value: limit}}
			filter, err := streamFilter(cmd)
			if err != nil {
				return err
			}
			if filter != nil {
				asked = append(asked, cbor.Pair{Key: "filter", Value: filter})
			}
			page, err := a.askStream(cmd.Context(), actor, "get_since", asked)
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, one := range part[[]any](page, "messages") {
				m, _ := one.(cbor.Map)
				by, err := a.publisherOf(cmd.Context(), actor, m)
				if err != nil {
					return err
				}
				body := part[[]byte](m, "payload_inline")
				if (content != "" || keys != "") && part[string](m, "payload_format") == "CIPHERTEXT" {
					epoch := uint64(part[int64](m, "key_epoch"))
					key, err := contentKey(m, content, keys, epoch)
					if err != nil {
						return err
					}
					if key == nil {
						fmt.Fprintf(&text, "%d  %s  %s  (no key of key epoch %d)\n", part[int64](m, "sequence"), part[string](m, "kind"), by, epoch)
						continue
					}
					if body, err = unsealed(key, body); err != nil {
						return err
					}
				}
				fmt.Fprintf(&text, "%d  %s  %s  %s\n", part[int64](m, "sequence"), part[string](m, "kind"), by, unitext.Plain(string(body)))
			}
			fmt.Fprintf(&text, "Cursor: %d of %d\n", part[int64](page, "next_cursor"), part[int64](page, "head"))
			return a.show(plainOf(page), "%s", text.String())
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&cursor, "cursor", 0, "messages behind this one")
	f.Uint64Var(&limit, "limit", 100, "at most so many, 1 to 500")
	f.String("filter", "", "JSON of a filter")
	f.StringVar(&content, "content-key", "", "file of the epoch's key, to decrypt with")
	f.StringVar(&keys, "keys", "", "file of keys by their epochs, as `cowboy stream keys` makes it, to decrypt with")
	cmd.MarkFlagsMutuallyExclusive("content-key", "keys")
	return cmd
}

// publisherOf says in words what vouches for a message.
func (a *app) publisherOf(ctx context.Context, actor account.Address, m cbor.Map) (string, error) {
	if part[int64](m, "signing_key_id") == 0 {
		return "by the actor", nil
	}
	key, err := a.askStream(ctx, actor, "get_key_at_sequence", cbor.Map{{Key: "sequence", Value: part[int64](m, "sequence")}})
	if err != nil {
		return "", err
	}
	var signed cbor.Map
	for _, p := range m {
		if p.Key != "payload_inline" && p.Key != "publisher_sig" {
			signed = append(signed, p)
		}
	}
	data, err := cbor.Append(nil, signed)
	if err != nil {
		return "", err
	}
	public, sum := part[[]byte](key, "public_key"), sha256.Sum256(part[[]byte](m, "payload_inline"))
	good := len(public) == ed25519.PublicKeySize && ed25519.Verify(public, data, part[[]byte](m, "publisher_sig")) &&
		string(sum[:]) == string(part[[]byte](m, "payload_hash"))
	if !good {
		return "NOT SIGNED by the publisher", nil
	}
	return fmt.Sprintf("signed by key %d", part[int64](m, "signing_key_id")), nil
}
