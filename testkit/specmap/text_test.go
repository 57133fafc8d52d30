package specmap

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages lists the files of docs/spec.
func pages(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, s := range repository(t).Sections {
		if strings.HasSuffix(s.File, ".md") {
			files = append(files, s.File)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anyHead = regexp.MustCompile(`^(#+) +(.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchor is how GitHub names a heading in a link.
func anchor(heading string) string {
	return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// guides lists the pages beside docs/spec that lead a reader through the tree.
func guides(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	files := []string{"ARCHITECTURE.md", "README.md"}
	for _, file := range found {
		files = append(files, "docs/"+filepath.Base(file))
	}
	return files
}

// TestPlaces finds the directories and files of the tree that the guides name. The operator's guide names those of data directories.
func TestPlaces(t *testing.T) {
	place := regexp.MustCompile("`((?:actors|chain|cmd|docs|net|runtime|supervision|testkit)/[a-z0-9_/.-]+)`")
	named := 0
	for _, file := range guides(t) {
		if file == "docs/operating.md" {
			continue
		}
		for n, text := range lines(t, file) {
			for _, m := range place.FindAllStringSubmatch(text, -1) {
				named++
				if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
					t.Errorf("%s:%d names %s, which is not there", file, n+1, m[1])
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("the guides name only %d places", named)
	}
}

// TestLinks follows the links of docs/spec and of the guides to files and headings of the tree.
func TestLinks(t *testing.T) {
	if got := anchor("§4.2 Basefee adjustment, again"); got != "42-basefee-adjustment-again" {
		t.Errorf("anchor %q", got)
	}
	followed := 0
	for _, file := range append(pages(t), guides(t)...) {
		for n, text := range lines(t, file) {
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				target, part, _ := strings.Cut(m[1], "#")
				if strings.Contains(target, "://") {
					continue
				}
				followed++
				if target == "" {
					target = path.Base(file)
				}
				target = path.Join(path.Dir(file), target)
				if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
					t.Errorf("%s:%d: no file %s", file, n+1, target)
					continue
				}
				if part != "" && !slices.ContainsFunc(lines(t, target), func(s string) bool {
					m := anyHead.FindStringSubmatch(s)
					return m != nil && anchor(m[2]) == part || strings.Contains(s, `<a id="`+part+`"></a>`)
				}) {
					t.Errorf("%s:%d: %s has no heading or anchor %s", file, n+1, target, part)
				}
			}
		}
	}
	if followed < 20 {
		t.Errorf("only %d links", followed)
	}
}

// TestEverySectionHasText finds headings below which nothing stands: neither text nor a section of a deeper level.
func TestEverySectionHasText(t *testing.T) {
	for _, file := range pages(t) {
		open, level, fenced := "", 0, false
		for _, text := range append(lines(t, file), "# end") {
			if strings.HasPrefix(text, "```") {
				fenced = !fenced
			}
			m := anyHead.FindStringSubmatch(text)
			switch {
			case fenced:
				open = ""
			case m != nil && open != "" && len(m[1]) <= level:
				t.Errorf("%s: nothing stands below %q", file, open)
				fallthrough
			case m != nil:
				open, level = m[2], len(m[1])
			case strings.TrimSpace(text) != "" && !statusLine.MatchString(text):
				open = ""
			}
		}
	}
}
