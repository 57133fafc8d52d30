package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of transactions about streams, in cycles and cells.
const (
	streamCycles = 2_000_000
	streamCells  = 100_000
)

// streamCommand is about streams, which are actors, and about access to managed ones.
//
// Spec: gateway-payments-streams §E.
func (a *app) streamCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "stream", Short: "Publish to streams, follow them, and buy access to them",
		Long: "Publish to streams, follow them, and buy access to them. A stream is an actor that derives from cowboy_sdk.stream_actor.StreamActor; its\n" +
			"publisher signs each message with an ed25519 key. A managed stream carries ciphertext and sells access by key epochs.",
	}
	cmd.AddCommand(
		a.streamNewKey(), a.streamShow(), a.streamPublish(), a.streamSince(),
		a.streamCall("subscribe", "Subscribe to a stream, or change a subscription", streamSubscription),
		a.streamCall("unsubscribe", "End a subscription", func(*cobra.Command) (cbor.Map, error) { return cbor.Map{}, nil }),
		a.streamCall("rotate-key", "Have another key sign from the next message on", func(cmd *cobra.Command) (cbor.Map, error) {
			return streamOctets(cmd, "public-key", "public_key")
		}),
		a.streamBuy(), a.streamRegisterKey(), a.streamAccess(), a.streamRequests(), a.streamWrapKeys(), a.streamSeal(), a.streamKeys(),
	)
	return cmd
}

// ask runs a read-only handler of a stream.
func (a *app) askStream(ctx context.Context, stream account.Address, handler string, args cbor.Map) (cbor.Map, error) {
	data, err := cbor.Append(nil, args)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(wire.ReadRequest{Selector: handler, Payload: hex.EncodeToString(data)})
	if err != nil {
		return nil, err
	}
	var reply wire.ReadReply
	if err := a.node().Do(ctx, http.MethodPost, "/actor/"+stream.String()+"/read_handler", "application/json", body, &reply); err != nil {
		return nil, a.explained(err)
	}
	raw, err := hex.DecodeString(reply.Result)
	if err != nil {
		return nil, err
	}
	v, err := cbor.Parse(raw)
	m, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s does not answer %s as a stream does", stream, handler)
	}
	return m, nil
}

// part is a value of an answer; the zero value where it is of another kind.
func part[T any](m cbor.Map, key string) (v T) {
	found, _ := m.Lookup(key)
	v, _ = found.(T)
	return v
}

func (a *app) streamShow() *cobra.Command {
	return &cobra.Command{
		Use: "show ACTOR", Short: "Print a stream: its newest message, its key, what it costs", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			head, err := a.askStream(cmd.Context(), actor, "get_head", cbor.Map{})
			if err != nil {
				return err
			}
			config, err := a.askStream(cmd.Context(), actor, "get_config", cbor.Map{})
			if err != nil {
				return err
			}
			id := "0x" + hex.EncodeToString(part[[]byte](head, "stream_id"))
			text := fmt.Sprintf("Stream: %s\nName: %s\nMessages: %d to %d\nSigning key: %d, 0x%x\nSubscribers: %d of %d, %s\nAccess: %s\n",
				id, part[[]byte](config, "name"), part[int64](head, "floor"), part[int64](head, "head"), part[int64](head, "signing_key_id"),
				part[[]byte](config, "publisher_key"), part[int64](head, "subscribers"), part[int64](config, "max_subscribers"),
				part[string](config, "subscription_policy"), part[string](config, "access_mode"))
			shown := map[string]any{"head": plainOf(head), "config": plainOf(config)}
			if part[string](config, "access_mode") == "PLATFORM_MANAGED" {
				var s wire.Stream
				if err := a.node().Read(cmd.Context(), "/paid-stream/"+id, &s); err != nil {
					return err
				}
				shown["terms"] = s
				text += fmt.Sprintf("Key epoch: %d, of %d blocks\nPrice: %s CBY an epoch and %d basis points, at least %d epochs\n",
					s.KeyEpoch, s.KeyEpochBlocks, unit.Amount(s.FeePerKeyEpoch).CBY(), s.ProtocolFeeBPS, s.MinPurchaseEpochs)
			}
			return a.show(shown, "%s", text)
		},
	}
}

// plainOf is a value of CBOR as JSON shows it: bytes in hexadecimal behind 0x.
func plainOf(v any) any {
	switch v := v.(type) {
	case cbor.Map:
		m := map[string]any{}
		for _, p := range v {
			m[fmt.Sprint(p.Key)] = plainOf(p.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plainOf(v[i])
		}
		return list
	case []byte:
		return "0x" + wire.Hex(v)
	case *big.Int:
		return v.String()
	}
	return v
}

// streamCall sends a map that flags say to a handler of a stream.
func (a *app) streamCall(name, short string, read func(cmd *cobra.Command) (cbor.Map, error)) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name + " ACTOR", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			m, err := read(cmd)
			if err != nil {
				return err
			}
			payload, err := cbor.Append(nil, m)
			if err != nil {
				return err
			}
			handler := map[string]string{"rotate-key": "rotate_publisher_key"}[name]
			if handler == "" {
				handler = name
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{To: actor, Handler: []byte(handler), Payload: payload})
		},
	}
	switch name {
	case "subscribe":
		cmd.Flags().String("mode", "PULL", "PULL, PUSH or PUSH_WITH_PULL_FALLBACK; actors alone can be pushed to")
		cmd.Flags().String("filter", "", "JSON of a filter, such as {\"field\":\"kind\",\"op\":\"eq\",\"value\":\"price\"}")
		cmd.Flags().Uint64("cursor", 0, "begin behind this message (default: the newest)")
	case "rotate-key":
		cmd.Flags().String("public-key", "", "ed25519 key in hexadecimal")
		require(cmd, "public-key")
	}
	flags.register(cmd, streamCycles, streamCells)
	return cmd
}

func streamOctets(cmd *cobra.Command, flag, key string) (cbor.Map, error) {
	text, err := cmd.Flags().GetString(flag)
	if err != nil {
		return nil, err
	}
	raw, err := parseHex(flag, text)
	return cbor.Map{{Key: key, Value: raw}}, err
}

func streamSubscription(cmd *cobra.Command) (cbor.Map, error) {
	mode, err := cmd.Flags().GetString("mode")
	if err != nil {
		return nil, err
	}
	m := cbor.Map{{Key: "mode", Value: mode}}
	filter, err := streamFilter(cmd)
	if err != nil {
		return nil, err
	}
	if filter != nil {
		m = append(m, cbor.Pair{Key: "filter", Value: filter})
	}
	if cmd.Flags().Changed("cursor") {
		cursor, err := cmd.Flags().GetUint64("cursor")
		if err != nil {
			return nil, err
		}
		m = append(m, cbor.Pair{Key: "start_cursor", Value: cursor})
	}
	return m, nil
}

// streamFilter reads --filter; nil where it is not given.
func streamFilter(cmd *cobra.Command) (any, error) {
	text, err := cmd.Flags().GetString("filter")
	if err != nil || text == "" {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, usageError{fmt.Errorf("--filter is no JSON: %w", err)}
	}
	return ofJSON(v)
}

// ofJSON is a value of JSON as CBOR has it. Numbers are whole.
func ofJSON(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		n, ok := new(big.Int).SetString(v.String(), 10)
		if !ok {
			return nil, usageError{fmt.Errorf("%s is no whole number", v)}
		}
		return n, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = ofJSON(v[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		m := cbor.Map{}
		for key, value := range v { // order-free: entries of a map are encoded in the order of their keys
			one, err := ofJSON(value)
			if err != nil {
				return nil, err
			}
			m = append(m, cbor.Pair{Key: key, Value: one})
		}
		return m, nil
	}
	return v, nil
}
