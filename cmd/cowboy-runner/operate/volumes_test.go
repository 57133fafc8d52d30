package operate

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// giving gives one text for every secret it is asked for.
type giving struct {
	text  string
	asked []string
	last  []byte
}

// Get implements work.Secrets.
func (g *giving) Get(_ context.Context, spec *job.Spec) (map[string][]byte, error) {
	values := map[string][]byte{}
	for _, one := range spec.Secrets {
		g.asked = append(g.asked, one.Name)
		g.last = []byte(g.text)
		values[one.Name] = g.last
	}
	return values, nil
}

// A private volume's key is the secret that the job names for it, and no other; what was got is erased, and a text that is no key is told without the text.
//
// Spec: secrets-cbss §11.
func TestKeyOfAVolume(t *testing.T) {
	id := digest.Hash{0xab, 0xcd}
	name := secret.VolumeKeyName(id)
	if name != "CBFS_DEK_ABCD"+strings.Repeat("0", 60) {
		t.Fatal(name)
	}
	whole := strings.Repeat("0123456789abcdef", 4)
	for title, c := range map[string]struct {
		names []string
		text  string
		want  string // in hexadecimal; "" for none
		bad   bool
	}{
		"among others":       {[]string{"API_KEY", name}, whole, whole, false},
		"with a line's end":  {[]string{name}, whole + "\n", whole, false},
		"not named":          {[]string{"API_KEY", secret.VolumeKeyName(digest.Hash{1})}, whole, "", false},
		"too short":          {[]string{name}, whole[1:], "", true},
		"no digits":          {[]string{name}, "zz" + whole[2:], "", true},
		"nothing at all":     {[]string{name}, "", "", true},
		"no secrets, public": {nil, whole, "", false},
	} {
		t.Run(title, func(t *testing.T) {
			g := &giving{text: c.text}
			spec := &job.Spec{}
			for _, n := range c.names {
				spec.Secrets = append(spec.Secrets, job.Secret{Name: n})
			}
			key, err := (&mounts{secrets: g}).key(context.Background(), spec, id)
			if c.bad {
				if !errors.Is(err, volume.ErrKey) || work.KindOf(err) != work.Permanent || strings.Contains(err.Error(), "zz") {
					t.Fatal(err)
				}
			} else if err != nil || (key != nil) != (c.want != "") || key != nil && hex.EncodeToString(key[:]) != c.want {
				t.Fatalf("%x, %v", key, err)
			}
			if strings.Trim(string(g.last), "\x00") != "" {
				t.Error("what was got is not erased")
			}
			for _, n := range g.asked {
				if n != name {
					t.Errorf("%s was asked for", n)
				}
			}
		})
	}
}
