package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/book"
)

// formats are the kinds of files below a data directory, in the order in which `cowboyd version --formats` lists them.
func formats() []*format.Kind {
	return append(ledger.Formats(), replica.Journal, shares.Format, keyfile.Format, index.Format, peersFormat)
}

// peersFormat is the table of peers, which package book reads and writes.
var peersFormat = &format.Kind{
	Name: "peers", Files: []string{"peers"}, Now: book.Version, Source: "the peers that are met",
	Read: func(f io.ReaderAt) (format.Version, error) {
		head := make([]byte, 64)
		n, err := f.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return 0, err
		}
		v, ok := book.VersionOf(head[:n])
		if !ok {
			return 0, book.ErrCorrupt
		}
		return format.Version(v), nil
	},
}

// saying writes of each file that gets another format.
func saying(out io.Writer) format.Told {
	return func(n format.Note) { fmt.Fprintln(out, n) }
}

func versionCommand(out io.Writer) *cobra.Command {
	var ladder bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !ladder {
				_, err := fmt.Fprintf(out, "cowboyd %s\n", version.Version)
				return err
			}
			return printFormats(out)
		},
	}
	c.Flags().BoolVar(&ladder, "formats", false, "list the formats of the files in a data directory that this version writes and reads")
	return c
}

// printFormats writes the ladder, a line for each kind and one for each step.
func printFormats(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "KIND\tWRITES\tREADS\tFILES\tOF ANOTHER FORMAT\n")
	for _, k := range append(formats(), catchup.Archive) {
		reads := fmt.Sprint(k.Now)
		if k.Oldest() != k.Now {
			reads = fmt.Sprintf("%d to %d", k.Oldest(), k.Now)
		}
		other := "refused"
		switch {
		case k.Source != "":
			other = "made anew from " + k.Source
		case len(k.Steps) > 0:
			other = "changed when the node starts; later ones are refused"
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", k.Name, k.Now, reads, strings.Join(k.Files, ", "), other)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, k := range formats() {
		for i, step := range k.Steps {
			from := k.Oldest() + format.Version(i)
			if _, err := fmt.Fprintf(out, "%s %d to %d: %s\n", k.Name, from, from+1, step.What); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFormats looks at the formats of the files in a data directory, and changes none. Files that a running node keeps locked are left out.
func checkFormats(dir string, running bool) []finding {
	var list []finding
	for _, k := range formats() {
		if running && k.Inspect != nil {
			continue
		}
		for _, pattern := range k.Files {
			paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
			if err != nil {
				return append(list, bad("", "%v", err))
			}
			for _, path := range paths {
				if f := checkFormat(k, path); f != nil {
					list = append(list, *f)
				}
			}
		}
	}
	if len(list) == 0 && !running {
		if _, err := os.Stat(filepath.Join(dir, "chain")); err == nil {
			list = append(list, good("every file has the format that cowboyd %s writes", version.Version))
		}
	}
	return list
}

// checkFormat looks at one file; nil where there is nothing to say. What is damaged or in use is for the other checks.
func checkFormat(k *format.Kind, path string) *finding {
	have, err := versionIn(k, path)
	if err != nil {
		return nil
	}
	way, err := k.Way(path, have)
	var refused *format.Error
	var f finding
	switch {
	case errors.As(err, &refused):
		what := *refused
		what.Do = ""
		f = bad(refused.Do, "%v", &what)
	case way == format.Changes:
		f = warn("keep a copy of the directory if an older cowboyd may have to run on it again",
			"%s has format %d of %s; the next start changes it to format %d",
			path, have, k.Name, k.Now)
	case way == format.Anew:
		f = warn("nothing; it takes as long as reading all of that", "%s has format %d of %s; the next start makes it anew from %s in format %d",
			path, have, k.Name, k.Source, k.Now)
	default:
		return nil
	}
	return &f
}

// versionIn reads the format of a file.
func versionIn(k *format.Kind, path string) (format.Version, error) {
	if k.Inspect != nil {
		return k.Inspect(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	v, err := k.Read(f)
	return v, errors.Join(err, f.Close())
}
