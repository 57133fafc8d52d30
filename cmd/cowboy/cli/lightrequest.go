package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// provenRequest is what a light client knows of a request over HTTP.
type provenRequest struct {
	Block   finalView `json:"block"`
	ID      string    `json:"request_id"`
	Target  string    `json:"target_actor"`
	Gateway string    `json:"gateway"`
	Status  string    `json:"status"`
	Code    uint16    `json:"answered,omitempty"` // of HTTP; 0: nothing is kept
	Body    string    `json:"body,omitempty"`
}

// lightRequest proves the receipt of a request.
//
// Spec: gateway-payments-streams §C; WP §2.5.
func (a *app) lightRequest(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "request ID", Short: "Prove what became of a request over HTTP, and what its actor answered", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, ok := receipt.ParseID(args[0])
			if !ok {
				return usageError{fmt.Errorf("%q is not a UUID", shorten(args[0]))}
			}
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			x, err := f.stored(cmd.Context(), receipt.Home(), receipt.Suffix(id))
			if err != nil {
				return err
			}
			if !x.set {
				return errors.New("it is proven that there is no receipt of this request")
			}
			c, err := receipt.Decode(x.value)
			if err != nil {
				return err
			}
			v := provenRequest{Block: viewFinal(x.at), ID: id.String(), Target: c.Target.String(), Gateway: c.Gateway.String(), Status: c.Status.String()}
			text := fmt.Sprintf("%sRequest %s to %s through %s\nStatus: %s\n", v.Block.text(), v.ID, v.Target, v.Gateway, v.Status)
			if r, err := receipt.ParseResponse(c.Envelope, receipt.MaxEnvelope); c.Envelope != nil && err == nil {
				v.Code, v.Body = r.Status, string(r.Body)
				text += fmt.Sprintf("Answered: %d, %d bytes\n%q\n", v.Code, len(r.Body), r.Body)
			}
			return a.show(v, "%sProof: %d bytes\n", text, x.size)
		},
	}
}
