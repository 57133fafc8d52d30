package wallet

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArmour checks the file format by hand: base64 of 32 bytes of 0x11, SHA-256 prefix 02d4 (sha256sum of those bytes).
// Spec: node-rpc-cli §4.3.
func TestArmour(t *testing.T) {
	k, err := ParseHex("0x" + strings.Repeat("11", 32))
	if err != nil {
		t.Fatal(err)
	}
	want := "-----BEGIN COWBOY PRIVATE KEY-----\nCurve: secp256k1\nChecksum: 02d4\n\n" +
		"ERERERERERERERERERERERERERERERERERERERERERE=\n-----END COWBOY PRIVATE KEY-----\n"
	if got := string(k.PEM()); got != want {
		t.Errorf("PEM =\n%s", got)
	}
	back, err := Parse([]byte(want))
	if err != nil || back != k {
		t.Errorf("Parse = %v, %v", back, err)
	}
}

func TestBadKeys(t *testing.T) {
	order := "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	good, _ := ParseHex(strings.Repeat("11", 32))
	for name, text := range map[string]string{
		"empty": "", "short": "11", "zero": strings.Repeat("00", 32), "order of the curve": order,
		"wrong checksum": strings.Replace(string(good.PEM()), "02d4", "02d5", 1),
		"wrong curve":    strings.Replace(string(good.PEM()), "secp256k1", "p256", 1),
		"no end":         strings.TrimSuffix(string(good.PEM()), "-----END COWBOY PRIVATE KEY-----\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(text)); !errors.Is(err, ErrBadKey) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestMnemonicPath uses the widely published first account of the phrase "test … junk" on Ethereum's path.
func TestMnemonicPath(t *testing.T) {
	phrase := strings.Repeat("test ", 11) + "junk"
	for index, want := range []string{
		"ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
		"59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
	} {
		k, err := FromMnemonic(phrase, uint32(index))
		if err != nil || k.Hex() != want {
			t.Errorf("account %d = %s, %v; want %s", index, k.Hex(), err, want)
		}
	}
	if _, err := FromMnemonic("test test", 0); !errors.Is(err, ErrBadMnemonic) {
		t.Errorf("bad phrase: %v", err)
	}
}

func TestSaveRefusesToOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "local")
	k, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Save(path, false); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := k.Save(path, false); !errors.Is(err, os.ErrExist) {
		t.Errorf("second save: %v", err)
	}
	if back, err := Load(path); err != nil || back != k {
		t.Errorf("Load = %v, %v", back, err)
	}
}
