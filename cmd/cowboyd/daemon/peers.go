package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// peersCommand lists the running node's peers and keeps some away.
func peersCommand(s *settings, out io.Writer) *cobra.Command {
	var span time.Duration
	port := ""
	call := func(cmd *cobra.Command, method, path string, into any) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if port != "" {
			s.admin = port
		}
		return s.ask(cmd.Context(), method, path, into)
	}
	c := &cobra.Command{
		Use: "peers", Short: "List whom the running node is connected to, which validators are missing, and who is banned", Args: cobra.NoArgs,
		Long: "List whom the running node is connected to, which validators of the epoch are missing among them, and who is banned. It asks the operator's\n" +
			"port, [admin] listen in config.toml or --admin.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all admin.Peers
			if err := call(cmd, http.MethodGet, "/peers", &all); err != nil {
				return err
			}
			_, err := io.WriteString(out, peersText(all))
			return err
		},
	}
	ban := &cobra.Command{
		Use: "ban ID", Short: "End the connection to a peer and keep it away for a time", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := transport.ParseID(args[0])
			if err != nil {
				return usageError{fmt.Errorf("%q is no peer's id; `cowboyd peers` lists them", args[0])}
			}
			if span <= 0 || span > admin.BanMost {
				return usageError{fmt.Errorf("--for is more than zero and at most %v", admin.BanMost)}
			}
			if err := call(cmd, http.MethodPut, "/peers/"+id.String()+"/ban?for="+url.QueryEscape(span.String()), nil); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%v is banned for %v\n", id, span)
			return err
		},
	}
	ban.Flags().DurationVar(&span, "for", 24*time.Hour, "how long")
	unban := &cobra.Command{
		Use: "unban ID", Short: "End a peer's ban", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := transport.ParseID(args[0])
			if err != nil {
				return usageError{fmt.Errorf("%q is no peer's id; `cowboyd peers` lists them", args[0])}
			}
			if err := call(cmd, http.MethodDelete, "/peers/"+id.String()+"/ban", nil); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%v is not banned\n", id)
			return err
		},
	}
	c.PersistentFlags().StringVar(&port, "admin", "", "the node's operator's port, such as 127.0.0.1:4100; the default is that of the configuration")
	c.AddCommand(ban, unban)
	return c
}

// ask asks the operator's port.
func (s *settings) ask(ctx context.Context, method, path string, into any) error {
	if s.admin == "" {
		return errors.New("the node has no operator's port\n" +
			"  set listen = \"127.0.0.1:4100\" under [admin] in its config.toml and start it again, or say --admin")
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.admin+path, nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("nobody answers on %s: %w\n  `cowboyd doctor` tells whether the node runs", s.admin, err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
	switch {
	case err != nil:
		return err
	case reply.StatusCode == http.StatusNotFound:
		return fmt.Errorf("the node on %s has no peers: it is alone", s.admin)
	case reply.StatusCode != http.StatusOK:
		return errors.New(strings.TrimSpace(string(text)))
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}

func peersText(all admin.Peers) string {
	var b strings.Builder
	for _, p := range all.Connected {
		way, role := "dialed", "-"
		if p.Inbound {
			way = "came"
		}
		if p.Validator != "" {
			role = p.Validator
		}
		fmt.Fprintf(&b, "%s  %-21s  %-6s  %-42s  %s\n", p.ID, p.Address, way, role, p.Agent)
	}
	fmt.Fprintf(&b, "%s\n", plural(len(all.Connected), "peer is connected", "peers are connected"))
	for _, address := range all.Missing {
		fmt.Fprintf(&b, "not connected: validator %s\n", address)
	}
	for _, x := range all.Banned {
		fmt.Fprintf(&b, "banned: %s until %s\n", x.ID, x.Until.UTC().Format(time.RFC3339))
	}
	return b.String()
}
