package config

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Default is a node that follows its chain from the data directory, reachable for peers and, from this machine, for clients.
func Default() *Config {
	return &Config{
		Chain: Chain{
			Genesis: "genesis.json", BlockTime: Duration(time.Second), Mode: Mode{Full}, History: 4096, Blocks: params.UnbondingBlocks, Snapshot: 8192,
		},
		P2P:     P2P{Listen: Listen{netip.MustParseAddrPort("0.0.0.0:4300")}},
		RPC:     RPC{Listen: Listen{netip.MustParseAddrPort("127.0.0.1:4000")}, Rate: 100, ClientRate: 50, ClientRequests: 32, ClientStreams: 100},
		Runners: Runners{Polling: true},
		Gateway: Gateway{Cache: 10},
		PVM:     PVM{Workers: 2},
		Log:     Log{Level: Level{"info"}, Format: Format{"text"}},
	}
}

// Write gives the file with every key explained.
func (c *Config) Write() []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Configuration of cowboyd. `cowboyd config check` reads it; `cowboyd start` flags override it.")
	line("# Relative paths start at this file.")
	line("")
	line("[chain]")
	line("id = %d", c.Chain.ID)
	line("genesis = %s", quote(c.Chain.Genesis))
	line("# Least time between two blocks. All validators of a network keep the same.")
	line("block_time = %s", quote(time.Duration(c.Chain.BlockTime).String()))
	line("# \"full\" keeps a window of states, blocks and receipts; \"archive\" everything since genesis.")
	line("mode = %s", quote(c.Chain.Mode.Word))
	line("# full: blocks of state history to keep for reads and proofs; 0 keeps all.")
	line("history = %d", c.Chain.History)
	line("# full: blocks to keep with their receipts; 0 keeps all.")
	line("keep_blocks = %d", c.Chain.Blocks)
	line("# full: how many blocks behind the others a state is fetched instead of blocks; 0 never does.")
	line("snapshot = %d", c.Chain.Snapshot)
	line("")
	line("[validator]")
	line("# Directory of the key files; \"\" for a node that follows and never votes.")
	line("keys = %s", quote(c.Validator.Keys))
	line("# File whose first line is their password. \"\" takes the environment's COWBOYD_PASSWORD, then asks on the terminal.")
	line("password_file = %s", quote(c.Validator.PasswordFile))
	line("# host:port of the signer that holds the voting key (cowboyd signer init); \"\" where the key is among the files above.")
	line("signer = %s", quote(c.Validator.Signer))
	line("")
	line("[p2p]")
	line("# UDP address for other nodes.")
	line("listen = %s", quote(text(c.P2P.Listen)))
	line("# Where others reach this node, if that is not the address above, as behind a router that forwards the port.")
	line("advertise = %s", quote(text(c.P2P.Advertise)))
	line("# Nodes to stay connected to, id@host:port. The host is an IP address or a name.")
	line("peers = %s", list(c.P2P.Peers))
	line("# Nodes asked for others while too few are known.")
	line("boot = %s", list(c.P2P.Boot))
	line("# Ids of nodes whose addresses are told to nobody, such as a validator's on its own follower.")
	line("private = %s", list(c.P2P.Private))
	line("")
	line("[rpc]")
	line("listen = %s", quote(text(c.RPC.Listen)))
	line("# Requests answered a second; 0 is no limit.")
	line("rate = %d", c.RPC.Rate)
	line("# PEM files of a certificate, with those that lead to it, and of its key, for https; \"\" for neither. Changed files are read again.")
	line("cert = %s", quote(c.RPC.Cert))
	line("key = %s", quote(c.RPC.Key))
	line("# What one client may ask for: requests a second, requests at the same time, open event streams; 0 is no limit. A client is an IPv4 address or")
	line("# an IPv6 network of 64 bits; those on this machine are not counted.")
	line("client_rate = %d", c.RPC.ClientRate)
	line("client_requests = %d", c.RPC.ClientRequests)
	line("client_streams = %d", c.RPC.ClientStreams)
	line("# Proxies whose X-Forwarded-For tells the client, addresses or ranges such as 10.0.0.0/8; nobody else's is read.")
	line("proxies = %s", list(c.RPC.Proxies))
	line("")
	line("[runners]")
	line("# UDP address at which a validator takes connections of runners and sends them their jobs, such as 0.0.0.0:4301; \"\" for none.")
	line("listen = %s", quote(text(c.Runners.Listen)))
	line("# What runners are told, host:port, if that is not the address above. The host is an IP address or a name.")
	line("advertise = %s", quote(c.Runners.Advertise))
	line("# Whether runners may ask the HTTP interface for their jobs as well; false answers 410.")
	line("polling = %t", c.Runners.Polling)
	line("")
	line("[gateway]")
	line("# Address at which this node answers requests for names of the network over HTTPS, such as 0.0.0.0:443; \"\" for none.")
	line("listen = %s", quote(text(c.Gateway.Listen)))
	line("# The same without TLS, for a proxy that speaks HTTPS.")
	line("plain = %s", quote(text(c.Gateway.Plain)))
	line("# Key file of the gateway's account, which is registered by `cowboy gateway register` and pays for requests that change something.")
	line("key = %s", quote(c.Gateway.Key))
	line("# PEM files of a certificate and of its key; \"\" for neither.")
	line("cert = %s", quote(c.Gateway.Cert))
	line("cert_key = %s", quote(c.Gateway.CertKey))
	line("# Directory address of an authority that speaks ACME, where it may write to, and the PEM file that its own certificate is checked against.")
	line("acme = %s", quote(c.Gateway.ACME))
	line("acme_email = %s", quote(c.Gateway.Email))
	line("acme_ca = %s", quote(c.Gateway.ACMECA))
	line("# Most GiB of files of volumes that are kept in the data directory while the node is up.")
	line("cache_gib = %d", c.Gateway.Cache)
	line("")
	line("[admin]")
	line("# Loopback address for metrics, profiles and log levels, such as 127.0.0.1:4100; \"\" for none.")
	line("listen = %s", quote(text(c.Admin.Listen)))
	line("")
	line("[pvm]")
	line("# Python machines kept ready.")
	line("workers = %d", c.PVM.Workers)
	line("# Milliseconds after which a block that is being built takes no further transaction; 0 is a fifth of the leader deadline.")
	line("build_ms = %d", c.PVM.BuildMs)
	line("")
	line("[memory]")
	line("# MiB the node may use, 256 or more; 0 is half of what the machine or its control group has.")
	line("budget = %d", c.Memory.Budget)
	line("")
	line("[log]")
	line("# debug, info, warn or error; text or json")
	line("level = %s", quote(c.Log.Level.Word))
	line("format = %s", quote(c.Log.Format.Word))
	return []byte(b.String())
}

// quote is a TOML basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func text(l Listen) string {
	if !l.IsValid() {
		return ""
	}
	return l.String()
}

func list[T fmt.Stringer](peers []T) string {
	if len(peers) == 0 {
		return "[]"
	}
	var b strings.Builder
	b.WriteString("[\n")
	for _, p := range peers {
		b.WriteString("  " + strconv.Quote(p.String()) + ",\n")
	}
	b.WriteString("]")
	return b.String()
}
