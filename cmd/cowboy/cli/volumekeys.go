package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// volumeKeys is where keys of private volumes lie, from the folder on that the command runs in.
var volumeKeys = filepath.Join(".cowboy", "volumes")

func keyFileOf(id digest.Hash) string { return filepath.Join(volumeKeys, id.Hex()+".key") }

// readVolumeKey reads the key of a private volume; nil where there is none.
func readVolumeKey(file string, id digest.Hash) (*[volume.KeySize]byte, error) {
	given := file != ""
	if !given {
		file = keyFileOf(id)
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && !given {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(raw) != volume.KeySize {
		return nil, fmt.Errorf("%s is not 64 hexadecimal digits", file)
	}
	return (*[volume.KeySize]byte)(raw), nil
}

// released gets the key of a private volume from its committee, for an account that the volume's grants let have it; nil for a public one. Errors:
// reach.ErrUnknown, those of package release.
//
// Spec: secrets-cbss §11.
func (a *app) released(ctx context.Context, wallet *sig.PrivateKey, id digest.Hash) (*[volume.KeySize]byte, error) {
	node := a.node()
	sealed, err := api.Releases{Node: node}.Wrapped(ctx, id)
	if err != nil || sealed == nil {
		return nil, err
	}
	fmt.Fprintf(a.err, "The key is not kept here: its committee releases it, for the fee of %d receipts (`cowboy volume key` keeps it)\n",
		sealed.Serving.Threshold())
	accuser := &api.Wallet{Node: node, Key: wallet}
	asks := release.Client{Key: wallet, Peers: api.NewProxies(), Accuse: func(ctx context.Context, in *tx.SlashCbssProxy) error {
		owner, err := node.Account(ctx, wallet.Address().String())
		if err == nil {
			_, err = accuser.Send(ctx, in, owner.Nonce, tx.Cost{Cycles: 2_000_000, Cells: 30_000})
		}
		return err
	}}
	key, err := asks.Open(ctx, sealed, wallet.Address(), digest.Hash{})
	if err != nil && strings.Contains(err.Error(), secret.ErrReleases.Error()) { // a proxy says it in words
		err = fmt.Errorf("%w\n  that is %d within some minutes: let these pass, and keep the key by `cowboy volume key`", err, secret.MaxReleases)
	}
	if err != nil {
		return nil, err
	}
	return &key, nil
}

// volumeKey gets the key of a private volume and keeps it here, where commands about its files find it.
//
// Spec: secrets-cbss §11.
func (a *app) volumeKey() *cobra.Command {
	return &cobra.Command{
		Use: "key VOLUME", Short: "Get the key of a private volume that you may use, from its committee, and keep it here", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := a.volumeOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if _, err := os.Lstat(keyFileOf(id)); err == nil { // before the fee of the receipts is paid
				return usageError{fmt.Errorf("%s is there already: move it away", keyFileOf(id))}
			}
			raw, err := a.senderKey("")
			if err != nil {
				return err
			}
			wallet, err := sig.ParsePrivateKey(raw[:])
			if err != nil {
				return err
			}
			key, err := a.released(cmd.Context(), wallet, id)
			if err != nil {
				return err
			}
			if key == nil {
				return usageError{errors.New("a public volume has no key")}
			}
			defer clear(key[:])
			if err := keepVolumeKey(id, key); err != nil {
				return err
			}
			return a.show(map[string]string{"key_file": keyFileOf(id)}, "The key lies in %s\n", keyFileOf(id))
		},
	}
}

// keepVolumeKey writes a key into its file, which there is none of yet.
func keepVolumeKey(id digest.Hash, key *[volume.KeySize]byte) error {
	if err := os.MkdirAll(volumeKeys, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(keyFileOf(id), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, hex.EncodeToString(key[:]))
	return errors.Join(err, f.Sync(), f.Close())
}

// drawnKey draws the key of a private volume that is to be created, keeps it here, and wraps it for the account's committee; nothing for a public one. A key
// that is here from a try before is taken again.
//
// Spec: storage-cbfs §3.1 (create private); secrets-cbss §11.
func (a *app) drawnKey(cmd *cobra.Command, flags *sendFlags) (cbor.Map, error) {
	if private, err := cmd.Flags().GetBool("private"); err != nil || !private {
		return nil, err
	}
	name, err := cmd.Flags().GetString("name")
	if err != nil {
		return nil, err
	}
	if err := cbfs.CheckName(name); err != nil {
		return nil, usageError{err}
	}
	owner, err := a.own(flags, "")
	if err != nil {
		return nil, err
	}
	id := cbfs.VolumeID(owner, name)
	version, err := a.nextWrap(cmd.Context(), id)
	if err != nil {
		return nil, err
	}
	key, err := readVolumeKey("", id)
	if err != nil {
		return nil, err
	}
	if key != nil && version > 1 {
		return nil, usageError{fmt.Errorf("%s is the key of this volume, or of a former one of its name: move it away", keyFileOf(id))}
	}
	drawn := key == nil
	if drawn {
		key = new([volume.KeySize]byte)
		rand.Read(key[:])
	}
	defer clear(key[:])
	wrapped, err := a.wrapKey(cmd.Context(), owner, id, version, key)
	if err != nil {
		return nil, err
	}
	if drawn {
		if err := keepVolumeKey(id, key); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(a.err, "The key lies in %s\n", keyFileOf(id))
	return append(wrapped, cbor.Pair{Key: "private", Value: true}), nil
}

// rewrappedKey wraps the key of a volume that was taken over for the account's own committee.
//
// Spec: storage-cbfs §3.1; secrets-cbss §11.
func (a *app) rewrappedKey(cmd *cobra.Command, flags *sendFlags) (cbor.Map, error) {
	raw, err := a.key(flags.key)
	if err != nil {
		return nil, err
	}
	wallet, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, err
	}
	id, err := a.volumeOf(cmd.Context(), cmd.Flags().Arg(0))
	if err != nil {
		return nil, err
	}
	if err := a.towards(cmd.Context(), wallet.Address(), new(cbss.Identity)); err != nil { // before the fee of a release is paid
		return nil, err
	}
	version, err := a.nextWrap(cmd.Context(), id)
	if err != nil {
		return nil, err
	}
	key, err := readVolumeKey("", id)
	if err == nil && key == nil {
		key, err = a.released(cmd.Context(), wallet, id)
	}
	if err != nil {
		return nil, err
	}
	if key == nil {
		return nil, usageError{errors.New("a public volume has no key")}
	}
	defer clear(key[:])
	return a.wrapKey(cmd.Context(), wallet.Address(), id, version, key)
}

// nextWrap is the number that the next wrap of a volume's key has.
func (a *app) nextWrap(ctx context.Context, id digest.Hash) (uint64, error) {
	var v wire.VolumeWraps
	err := a.node().Read(ctx, "/volume/"+wire.Hash(id)+"/wraps", &v)
	return v.Wraps + 1, err
}

// wrapKey seals a volume's key to the release key of its owner, as a wrap of that number, and gives the arguments that say so.
//
// Spec: secrets-cbss §3, §11.
func (a *app) wrapKey(ctx context.Context, owner account.Address, id digest.Hash, version uint64, key *[cbss.DataKeySize]byte) (cbor.Map, error) {
	to := cbss.Identity{Secret: cbss.SecretID{Account: owner, KeyHash: cbss.VolumeKeyHash(id)}, Version: version}
	if err := a.towards(ctx, owner, &to); err != nil {
		return nil, err
	}
	r, err := drawScalar()
	if err != nil {
		return nil, err
	}
	defer r.Erase()
	var nonce [cbss.NonceSize]byte
	rand.Read(nonce[:])
	e, err := cbss.Wrap(&to, r, nonce, *key)
	if err != nil {
		return nil, err
	}
	return cbor.Map{{Key: "wrapped_dek", Value: e.Append(nil)}, {Key: "cbss_committee_epoch", Value: int64(to.Epoch)}}, nil
}
