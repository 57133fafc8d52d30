package dev

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// Rejects of a Fleet.
var (
	ErrRunner  = errors.New("there is no such runner")
	ErrConduct = errors.New("no runner does so")
)

// Fleet is the runners that a development network runs itself. Its methods may be called by several goroutines.
type Fleet interface {
	// Runners lists them by number.
	Runners() wire.DevFleet
	// Behave tells one what to do from now on. Errors: ErrRunner, ErrConduct.
	Behave(number int, c wire.DevConduct) error
}

// fleetCalls are the calls about a fleet, as the description of the interface lists them.
func fleetCalls() []rpc.Call {
	return []rpc.Call{
		{Method: "get", Path: "/dev/runners", Summary: "the runners the network runs itself, and the servers that stand in", Body: "", Reply: wire.DevFleet{}},
		{Method: "post", Path: "/dev/runners/{number}", Summary: "tell a runner to diverge, fail, delay, lie, be away or be honest",
			Body: wire.DevConduct{}, Reply: wire.DevFleet{}},
	}
}

// commanded answers the calls about a fleet; nil for a network that runs none.
type commanded struct{ Fleet }

func (f commanded) show(*http.Request) (any, error) {
	if f.Fleet == nil {
		return nil, refuse(http.StatusNotFound, "this network runs no runners itself; start it with --runners 5")
	}
	return f.Runners(), nil
}

func (f commanded) behave(r *http.Request) (any, error) {
	if _, err := f.show(r); err != nil {
		return nil, err
	}
	var q wire.DevConduct
	if err := body(r, &q); err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		number = -1
	}
	err = f.Behave(number, q)
	switch {
	case errors.Is(err, ErrRunner):
		return nil, refuse(http.StatusNotFound, err.Error())
	case errors.Is(err, ErrConduct):
		return nil, refuse(http.StatusBadRequest, err.Error())
	case err != nil:
		return nil, err
	}
	return f.Runners(), nil
}

// answers are the calls by method and path.
func (f commanded) answers() map[string]func(*http.Request) (any, error) {
	return map[string]func(*http.Request) (any, error){"get /dev/runners": f.show, "post /dev/runners/{number}": f.behave}
}

// Commanding puts the calls about a fleet before a node's other ones, where the node has no Controls: it is one of several validators.
func Commanding(fleet Fleet, others http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", others)
	f := commanded{fleet}
	for key, answer := range f.answers() { // order-free: each pattern is another
		method, path, _ := strings.Cut(key, " ")
		route(mux, strings.ToUpper(method)+" "+path, answer)
	}
	document := rpc.Document(fleetCalls()...)
	mux.HandleFunc("GET "+rpc.DocumentPath, func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, document) })
	return mux
}
