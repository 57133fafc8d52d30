package script

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestActors follows docs/actors.md to the letter, as a newcomer would who has nothing else: it writes the files the page shows, runs its commands in order in
// one directory, with a node, and compares what they print. Then it does the same with each page beside it that has something to run.
//
// Spec: node-rpc-cli §4; sdk §21.
func TestActors(t *testing.T) {
	for page, nodes := range map[string]int{"actors.md": 1, "secrets.md": 1, "from-solidity.md": 0, "from-candid.md": 0} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../docs/" + page)
			if err != nil {
				t.Fatal(err)
			}
			d := &document{t: t, dir: t.TempDir(), ports: map[string]string{}}
			t.Cleanup(d.end)
			ran, wrote := d.follow(string(text))
			if len(d.nodes) != nodes || ran < 3 || wrote < 2 {
				t.Errorf("%d nodes, %d commands, %d files", len(d.nodes), ran, wrote)
			}
		})
	}
}

// fence begins a block of a page: what it is, and the file it is to be written to.
var fence = regexp.MustCompile("(?m)^```([a-z]+)(?: (\\S+))?\n")

// follow writes the files of a page and runs its commands, in order.
func (d *document) follow(text string) (ran, wrote int) {
	for at := fence.FindStringSubmatchIndex(text); at != nil; at = fence.FindStringSubmatchIndex(text) {
		kind, file := text[at[2]:at[3]], ""
		if at[4] >= 0 {
			file = text[at[4]:at[5]]
		}
		body, rest, closed := strings.Cut(text[at[1]:], "```\n")
		if !closed {
			d.t.Fatalf("a block of %s has no end", kind)
		}
		text = rest
		switch {
		case kind == "console":
			for _, block := range consoles("```console\n" + body + "```") {
				for _, c := range block {
					d.run(c)
					ran++
				}
			}
			d.settle()
		case file != "":
			path := filepath.Join(d.dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				d.t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(d.port(body)), 0o644); err != nil {
				d.t.Fatal(err)
			}
			wrote++
		}
	}
	return ran, wrote
}

// numbered is a link of a page to an error by its number.
var numbered = regexp.MustCompile(`errors\.md#(E\d+)`)

// TestErrorLinks: every number that a page of authors links to is on the page of errors.
func TestErrorLinks(t *testing.T) {
	t.Parallel()
	errors, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range []string{"actors.md", "from-solidity.md", "from-candid.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range numbered.FindAllStringSubmatch(string(text), -1) {
			links++
			if !strings.Contains(string(errors), `<a id="`+m[1]+`"></a>`) {
				t.Errorf("%s names %s, which errors.md has not", page, m[1])
			}
		}
	}
	if links < 8 {
		t.Errorf("%d links", links)
	}
}
