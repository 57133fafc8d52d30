package script

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/bindings/sample"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

// roundTrip calls the sample actor with the client that was generated for it.
func roundTrip(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: roundtrip ACTOR KEYFILE")
	}
	raw, err := wallet.Load(ts.MkAbs(args[1]))
	ts.Check(err)
	key, err := sig.ParsePrivateKey(raw[:])
	ts.Check(err)
	ctx := context.Background()
	actor := sample.Sample{Actor: args[0], Caller: &api.Wallet{Node: api.New(ts.Getenv("COWBOY_RPC_URL")), Key: key}}
	want := func(what string, got any, err error, wanted any) {
		if err != nil || !reflect.DeepEqual(got, wanted) {
			ts.Fatalf("%s gave %#v, %v; want %#v", what, got, err, wanted)
		}
	}
	sum, err := actor.Calls(0).Add(ctx, big.NewInt(40))
	want("add", sum, err, big.NewInt(40))
	sum, err = actor.Calls(7).Add(ctx, big.NewInt(2))
	want("add", sum, err, big.NewInt(42))
	sum, err = actor.Queries().Total(ctx)
	want("total", sum, err, big.NewInt(42))
	huge, err := actor.Queries().Big(ctx)
	want("big", huge, err, new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 200)))
	echo, err := actor.Queries().Echo(ctx, []byte{0, 0xff})
	want("echo", echo, err, []byte{0, 0xff})
	hello, err := actor.Queries().Greet(ctx, "wörld")
	want("greet", hello, err, "hello wörld")
	even, err := actor.Queries().Even(ctx, big.NewInt(-2))
	want("even", even, err, true)
	told, err := actor.Queries().Describe(ctx, map[string]int{"b": 1, "a": 2})
	want("describe", told, err, map[any]any{
		"keys": []any{"a", "b"}, "raw": []byte(`{"a":2,"b":1}`), "none": nil,
		"many": []any{uint64(1), int64(-1), uint64(1000), []any{true, false}},
	})
	odd, err := actor.Queries().SumOfAll(ctx, nil)
	want("the handler of an odd name", odd, err, []byte("named oddly"))
	want("forget", nil, actor.Calls(0).Forget(ctx), nil)
	sum, err = actor.Queries().Total(ctx)
	want("total", sum, err, big.NewInt(0))
	if n, err := actor.Queries().Lie(ctx); err == nil || !strings.Contains(err.Error(), "not what the handler says it returns") {
		ts.Fatalf("lie gave %v, %v", n, err)
	}
	failed := (*api.Failed)(nil)
	if _, err := actor.Calls(0).Fail(ctx); !errors.As(err, &failed) || !strings.Contains(failed.Why, "on purpose") {
		ts.Fatalf("fail: %v", err)
	}
	if _, err := (&api.Wallet{Node: api.New(ts.Getenv("COWBOY_RPC_URL"))}).Call(ctx, args[0], "add", []byte("1"), 0); err == nil {
		ts.Fatalf("a call without a key")
	}
}
