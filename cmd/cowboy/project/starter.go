package project

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/sdk/stubs"
)

//go:embed starter
var starter embed.FS

// ErrExists says that a starter file would replace one that is there.
var ErrExists = errors.New("exists already")

var actorName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// ErrActorName says what an actor may be called.
var ErrActorName = errors.New("an actor's name is lower-case letters, digits and underscores, and begins with a letter")

// WriteActor makes actors/NAME below dir with the starter counter, a story and Python tests of it, and gives their paths,
// its source first. Spec: node-rpc-cli §5.
func WriteActor(dir, name string) (made []string, err error) {
	if !actorName.MatchString(name) {
		return nil, fmt.Errorf("%q: %w", name, ErrActorName)
	}
	home := filepath.Join(dir, "actors", name)
	for _, file := range []struct{ from, to string }{
		{"counter.py", filepath.Join(home, "main.py")},
		{"counter.txtar", filepath.Join(home, name+".txtar")},
		{"test_counter.py", filepath.Join(home, "test_"+name+".py")},
	} {
		source, err := starter.ReadFile("starter/" + file.from)
		if err != nil {
			return made, err
		}
		if err := writeNew(file.to, []byte(renamed(string(source), name))); err != nil {
			return made, err
		}
		made = append(made, file.to)
	}
	return made, nil
}

// renamed is the starter under another name.
func renamed(source, name string) string {
	class := ""
	for _, word := range strings.Split(name, "_") {
		if word != "" {
			class += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(source, "Counter", class), "counter", name)
}

// WriteProject makes cowboy.toml below dir and gives its path. Spec: node-rpc-cli §5.
func WriteProject(dir string) (string, error) { return named(dir, "cowboy.toml") }

// WriteReadme makes README.md below dir and gives its path.
func WriteReadme(dir string) (string, error) { return named(dir, "README.md") }

// WriteIgnore makes .gitignore below dir and gives its path: keys and chains are not for a repository.
func WriteIgnore(dir string) (string, error) {
	path := filepath.Join(dir, ".gitignore")
	return path, writeNew(path, []byte(".cowboy/\n.cowboyd/\n"))
}

// named makes a starter file that bears the project's name.
func named(dir, file string) (string, error) {
	source, err := starter.ReadFile("starter/" + file)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, file)
	text := strings.ReplaceAll(string(source), "NAME", filepath.Base(abs))
	return path, writeNew(path, []byte(text))
}

// WriteStubs makes typings/cowboy_sdk below dir, the type stubs of the SDK, and pyrightconfig.json if there is none. Stubs that are
// there are replaced: they belong to this version of the tool. It gives the paths of the directory and of a new configuration.
func WriteStubs(dir string) ([]string, error) {
	for _, name := range stubs.Paths() {
		text, _ := stubs.Text(name)
		path := filepath.Join(dir, "typings", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, err
		}
	}
	made := []string{filepath.Join(dir, "typings", "cowboy_sdk")}
	source, err := starter.ReadFile("starter/pyrightconfig.json")
	if err != nil {
		return made, err
	}
	path := filepath.Join(dir, "pyrightconfig.json")
	if err := writeNew(path, source); err == nil {
		made = append(made, path)
	} else if !errors.Is(err, ErrExists) {
		return made, err
	}
	return made, nil
}

func writeNew(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s %w", path, ErrExists)
	}
	if err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
