package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
)

// passwordVariable is the environment's name of the password.
const passwordVariable = "COWBOYD_PASSWORD"

// leastPassword is the length of a new one.
const leastPassword = 8

var (
	errNoPassword = errors.New("the keys need a password\n  give it by --password-file FILE, " + passwordVariable +
		" or on a terminal; never on the command line")
	errShort  = fmt.Errorf("a password has at least %d characters", leastPassword)
	errDiffer = errors.New("the two passwords differ")
)

// password is that of existing keys: from the file, the environment, or the terminal.
func (s *settings) password(prompt string) (string, error) {
	if text, ok, err := s.given(s.passwordFile, passwordVariable); ok || err != nil {
		return text, err
	}
	return ask(prompt)
}

// newPassword is one for keys that are made now: asked for twice on a terminal.
func (s *settings) newPassword(file, variable, prompt string) (string, error) {
	text, ok, err := s.given(file, variable)
	if err != nil {
		return "", err
	}
	if !ok {
		if text, err = ask(prompt); err != nil {
			return "", err
		}
		again, err := ask("Again: ")
		if err != nil {
			return "", err
		}
		if again != text {
			return "", errDiffer
		}
	}
	if len([]rune(text)) < leastPassword {
		return "", errShort
	}
	return text, nil
}

// given is a password that needs no person.
func (s *settings) given(file, variable string) (text string, ok bool, err error) {
	if s.fixed != nil {
		return *s.fixed, true, nil
	}
	if file != "" {
		text, err := firstLine(file)
		return text, true, err
	}
	text, ok = os.LookupEnv(variable)
	return text, ok, nil
}

func firstLine(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s: others can read the password; run `chmod 600 %s`", path, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	line, err := bufio.NewReader(io.LimitReader(file, 4096)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", fmt.Errorf("%s: its first line, the password, is empty", path)
	}
	return line, nil
}

// ask reads a line from the terminal without showing it.
func ask(prompt string) (string, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errNoPassword
	}
	defer terminal.Close()
	fd := int(terminal.Fd())
	before, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return "", errNoPassword
	}
	silent := *before
	silent.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &silent); err != nil {
		return "", err
	}
	defer func() {
		_ = unix.IoctlSetTermios(fd, unix.TCSETS, before)
		fmt.Fprintln(terminal)
	}()
	fmt.Fprint(terminal, prompt)
	line, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil && line == "" {
		return "", errNoPassword
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// work is what the password of a new key file costs to try.
func (s *settings) work() keyfile.Work {
	if s.lightKeys {
		return keyfile.Light
	}
	return keyfile.Standard
}
