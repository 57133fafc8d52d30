package cli

import (
	"fmt"
	"math/bits"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// asCoins reads an amount of CBY.
func asCoins(text string) (any, error) {
	amount, err := parseCBY(text)
	return int64(amount), err
}

// retentionCommand is about retention contracts.
//
// Spec: storage-cbfs §7.
func (a *app) retentionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "retention", Short: "Pay relays to keep files for some epochs, or keep files for pay as a relay",
		Long: "A retention contract pays active relays for keeping blobs, which stand on the chain by their multihash. An epoch has 600 blocks. In each\n" +
			"audit the beacon draws pieces, which a provider answers out of its copy; a missing or wrong answer is a strike.",
	}
	contract := argument{"contract", "contract_id", "the contract", asHash, true}
	home := retention.Home()
	for _, c := range []call{
		{use: "accept", short: "Become a provider of a contract", to: home, handler: systemvolume.HandlerProvide, coins: "stake",
			help: "CBY, what the contract asks for", arguments: []argument{
				contract, {"endpoint", "service_endpoint", "where the blobs are served (the relay's)", asText, false},
			}},
		{use: "renew", short: "Pay for further epochs", to: home, handler: systemvolume.HandlerRenew, coins: "coins", help: "CBY for all seats",
			arguments: []argument{contract, {"end", "end_epoch", "the first epoch that is not paid", asNumber, true}}},
		{use: "leave", short: "Take a provider's stake back after the end", to: home, handler: systemvolume.HandlerLeaveContract,
			arguments: []argument{contract}},
		{use: "cancel", short: "End a contract that nobody provides for", to: home, handler: systemvolume.HandlerCancel, arguments: []argument{contract}},
	} {
		cmd.AddCommand(a.callCommand(c))
	}
	cmd.AddCommand(a.retentionCreate(), a.retentionRef(), a.retentionAnswer(), a.retentionList(), a.retentionShow(), a.retentionGet())
	return cmd
}

// hashAlg is a function by its name.
func hashAlg(name string) (cbfs.HashAlg, error) {
	switch name {
	case "sha2-256":
		return cbfs.SHA256, nil
	case "keccak-256":
		return cbfs.Keccak, nil
	case "blake3":
		return cbfs.Blake3, nil
	}
	return 0, usageError{fmt.Errorf("%q is not sha2-256, keccak-256 or blake3", shorten(name))}
}

// blobOf reads a file and makes its reference and the root over its pieces.
func blobOf(path, alg string, piece uint32) (ref *cbfs.BlobRef, root digest.Hash, err error) {
	name, err := hashAlg(alg)
	if err != nil {
		return nil, root, err
	}
	if piece < cbfs.MinPieceBytes || piece > cbfs.MaxPieceBytes || bits.OnesCount32(piece) != 1 {
		return nil, root, usageError{fmt.Errorf("pieces have 1024, 2048, 4096 or 8192 bytes, not %d", piece)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, root, err
	}
	ref = cbfs.RefOf(name, data)
	ref.ChunkSize = piece
	return ref, cbfs.PieceRoot(data, piece), nil
}

func pieceFlags(cmd *cobra.Command, alg *string, piece *uint32) {
	cmd.Flags().StringVar(alg, "hash", "sha2-256", "sha2-256, keccak-256 or blake3")
	cmd.Flags().Uint32Var(piece, "piece", cbfs.MinPieceBytes, "bytes of a piece")
}

// retentionRef prints what stands on the chain of a file.
//
// Spec: WP §7.2; storage-cbfs §7.
func (a *app) retentionRef() *cobra.Command {
	var alg string
	var piece uint32
	cmd := &cobra.Command{
		Use: "ref FILE", Short: "Print the reference to a file, and the root over its pieces", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			ref, root, err := blobOf(args[0], alg, piece)
			if err != nil {
				return err
			}
			v := wire.BlobRef{
				Ref: wire.Hex(ref.Encode()), Multihash: wire.Hex(ref.Multihash()), Codec: ref.Codec, Size: ref.Size, ChunkSize: uint64(ref.ChunkSize),
				Root: wire.Hash(root),
			}
			return a.show(v, "Reference: %s\nMultihash: %s\n%d bytes in %d pieces under %s\n", v.Ref, v.Multihash, v.Size, ref.Pieces(), v.Root)
		},
	}
	pieceFlags(cmd, &alg, &piece)
	return cmd
}

// retentionCreate makes a contract about files.
func (a *app) retentionCreate() *cobra.Command {
	var alg, coins string
	var piece uint32
	flags := &sendFlags{}
	arguments := []argument{
		{"start", "start_epoch", "the first epoch", asNumber, true}, {"end", "end_epoch", "the first epoch that is not paid", asNumber, true},
		{"replicas", "min_replica_count", "how many providers", asNumber, true}, {"rate", "rate_per_epoch", "CBY for each provider and epoch", asCoins, true},
		{"cadence", "audit_cadence", "epochs from one audit to the next", asNumber, true},
		{"samples", "sample_num", "pieces or ranges drawn in an audit, 1 to 4", asNumber, true}, {"sampling", "sampling", "CHUNK_INDEX or RANGE", asText, true},
		{"range", "sample_size", "bytes of a RANGE", asNumber, false}, {"penalty", "penalty", "NO_PAY, SLASH or BOTH", asText, true},
		{"stake", "stake", "CBY of each provider", asCoins, false}, {"slash", "slash_amount", "CBY that a strike takes", asCoins, false},
		{"slash-bps", "slash_bps", "ten-thousandths of the stake that a strike takes", asNumber, false},
		{"strikes", "max_strikes", "strikes that cost a provider its seat", asNumber, true},
		{"feed", "feed_id", "the feed that the blobs belong to", asHash, false},
		{"metadata", "metadata", "up to 256 bytes in hex", asBytes, false},
	}
	values := make([]string, len(arguments))
	cmd := &cobra.Command{
		Use: "create FILE...", Short: "Have relays keep files", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var blobs []byte
			for _, path := range args {
				ref, root, err := blobOf(path, alg, piece)
				if err != nil {
					return err
				}
				blobs = append(append(blobs, ref.Encode()...), root[:]...)
			}
			given := cbor.Map{{Key: "blobs", Value: blobs}}
			for i, one := range arguments {
				if !cmd.Flags().Changed(one.flag) {
					continue
				}
				v, err := one.read(values[i])
				if err != nil {
					return err
				}
				given = append(given, cbor.Pair{Key: one.name, Value: v})
			}
			raw, err := cbor.Append(nil, given)
			if err != nil {
				return err
			}
			amount, err := parseCBY(coins)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{
				To: retention.Home(), Handler: []byte(systemvolume.HandlerRetain), Payload: raw, Amount: amount,
			})
		},
	}
	for i, one := range arguments {
		cmd.Flags().StringVar(&values[i], one.flag, "", one.help)
		if one.needed {
			require(cmd, one.flag)
		}
	}
	cmd.Flags().StringVar(&coins, "coins", "", "CBY into escrow: rate, epochs and providers multiplied")
	require(cmd, "coins")
	pieceFlags(cmd, &alg, &piece)
	flags.register(cmd, volumeCycles, volumeCells)
	return cmd
}

func (a *app) retention(cmd *cobra.Command, id string) (v wire.Retention, err error) {
	h, err := parseHash(id)
	if err == nil {
		err = a.node().Read(cmd.Context(), "/retention/"+url.PathEscape(wire.Hash(h)), &v)
	}
	return v, err
}

// retentionAnswer proves what the epoch asks of the wallet's relay, out of its copies.
//
// Spec: storage-cbfs §7 (sampling, proof).
func (a *app) retentionAnswer() *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "answer CONTRACT FILE...", Short: "Answer the audit of this epoch out of the files, in the contract's order", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			own, err := a.addressFlag("")
			if err != nil {
				return err
			}
			v, err := a.retention(cmd, args[0])
			if err != nil {
				return err
			}
			if len(args)-1 != len(v.Blobs) {
				return usageError{fmt.Errorf("the contract has %d blobs, and %d files are given", len(v.Blobs), len(args)-1)}
			}
			var asked []wire.RetentionPlace
			for _, p := range v.Providers {
				if p.Provider == own.String() {
					asked = p.Asked
				}
			}
			if len(asked) == 0 {
				return fmt.Errorf("nothing is asked of %s in epoch %d", own, v.Epoch)
			}
			pieces, err := piecesOf(asked, v.Blobs, args[1:])
			if err != nil {
				return err
			}
			id, err := parseHash(args[0])
			if err != nil {
				return err
			}
			raw, err := cbor.Append(nil, cbor.Map{{Key: "contract_id", Value: id[:]}, {Key: "proof", Value: cbfs.AppendPieces(nil, pieces)}})
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{To: retention.Home(), Handler: []byte(systemvolume.HandlerProvePieces), Payload: raw})
		},
	}
	flags.register(cmd, volumeCycles, volumeCells)
	return cmd
}

// piecesOf reads what is asked for out of files, each of which has to be the blob: a wrong answer costs a strike.
func piecesOf(asked []wire.RetentionPlace, blobs []wire.BlobRef, files []string) (list []cbfs.Piece, err error) {
	for _, at := range asked {
		raw, err := parseHex("ref", blobs[at.Blob].Ref)
		if err != nil {
			return nil, err
		}
		ref, err := cbfs.DecodeBlobRef(raw)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(files[at.Blob])
		if err != nil {
			return nil, err
		}
		if err := ref.Check(data); err != nil {
			return nil, fmt.Errorf("%s is not the blob %s", files[at.Blob], blobs[at.Blob].Multihash)
		}
		list = append(list, cbfs.ProvePiece(data, ref.ChunkSize, at.Piece))
	}
	return list, nil
}

func (a *app) retentionList() *cobra.Command {
	return &cobra.Command{
		Use: "ls", Short: "List the contracts", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Retentions{Contracts: []wire.Retention{}}
			err := pages(cmd.Context(), a, "/retentions", func(page *wire.Retentions) string {
				page.Contracts = append(all.Contracts, page.Contracts...)
				all = *page
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for i := range all.Contracts {
				c := &all.Contracts[i]
				fmt.Fprintf(&text, "%s  epochs %d to %d  %d of %d providers  %s CBY an epoch  escrow %s CBY\n", c.ContractID, c.Start, c.End, len(c.Providers),
					c.Replicas, unit.Amount(c.Rate).CBY(), unit.Amount(c.Escrow).CBY())
			}
			if len(all.Contracts) == 0 {
				text.WriteString("No contracts. `cowboy retention create` makes one.\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
}

func (a *app) retentionShow() *cobra.Command {
	return &cobra.Command{
		Use: "show CONTRACT", Short: "Print a contract, its blobs and its providers", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := a.retention(cmd, args[0])
			if err != nil {
				return err
			}
			var text strings.Builder
			fmt.Fprintf(&text, "Contract %s of %s\nEpochs %d to %d, now %d; an audit every %d, %d samples by %s\n", v.ContractID, v.Operator, v.Start, v.End,
				v.Epoch, v.Cadence, v.Samples, v.Sampling)
			fmt.Fprintf(&text, "Rate: %s CBY an epoch, stake: %s CBY, escrow: %s CBY\nA strike: %s; %d cost the seat\n", unit.Amount(v.Rate).CBY(),
				unit.Amount(v.Stake).CBY(), unit.Amount(v.Escrow).CBY(), v.Penalty, v.Strikes)
			for _, b := range v.Blobs {
				fmt.Fprintf(&text, "Blob %s: %d bytes\n", b.Multihash, b.Size)
			}
			for _, p := range v.Providers {
				fmt.Fprintf(&text, "Provider %s: stake %s CBY, %d proven, %d strikes, next audit in epoch %d\n", p.Provider, unit.Amount(p.Stake).CBY(),
					p.Proven, p.Strikes, p.Audit)
				for _, at := range p.Asked {
					fmt.Fprintf(&text, "  asked: piece %d of blob %d\n", at.Piece, at.Blob)
				}
			}
			return a.show(v, "%s", text.String())
		},
	}
}
