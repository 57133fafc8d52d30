package keyfile

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
)

// The two files printed in EIP-2335, with their password and secret.
const (
	published = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
	password  = "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑"

	byScrypt = `{"crypto":{"kdf":{"function":"scrypt","params":{"dklen":32,"n":262144,"p":1,"r":8,
"salt":"d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"},"message":""},
"checksum":{"function":"sha256","params":{},"message":"d2217fe5f3e9a1e34581ef8a78f7c9928e436d36dacc5e846690a5581e8ea484"},
"cipher":{"function":"aes-128-ctr","params":{"iv":"264daa3f303d7259501c93d997d84fe6"},
"message":"06ae90d55fe0a6e9c5c3bc5b170827b2e5cce3929ed3f116c2811e6366dfe20f"}},"description":"test key",
"pubkey":"9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07",
"path":"m/12381/60/3141592653/589793238","uuid":"1d85ae20-35c5-4611-98e8-aa14a633906f","version":4}`

	byPBKDF2 = `{"crypto":{"kdf":{"function":"pbkdf2","params":{"dklen":32,"c":262144,"prf":"hmac-sha256",
"salt":"d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"},"message":""},
"checksum":{"function":"sha256","params":{},"message":"8a9f5d9912ed7e75ea794bc5a89bca5f193721d30868ade6f73043c6ea6febf1"},
"cipher":{"function":"aes-128-ctr","params":{"iv":"264daa3f303d7259501c93d997d84fe6"},
"message":"cee03fde2af33149775b7223e7845e4fb2c8ae1792e5f99fe9ecf474cc8c16ad"}},"description":"test key",
"pubkey":"9612d7a727c9d0a22e185a1c768478dfe919cada9266988cb32359c11f2b7b27f4ae4040902382ae2910c15e2b420d07",
"path":"m/12381/60/0/0","uuid":"64625def-3331-4eea-ab6f-782f3ed16a83","version":4}`
)

// Spec: EIP-2335 (test cases).
func TestPublished(t *testing.T) {
	for name, text := range map[string]string{"scrypt": byScrypt, "pbkdf2": byPBKDF2} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse([]byte(text))
			if err != nil {
				t.Fatal(name, err)
			}
			secret, err := f.Open(password)
			if err != nil || hex.EncodeToString(secret) != published {
				t.Errorf("%s: %x, %v", name, secret, err)
			}
			if !strings.HasPrefix(f.PublicKey, "9612d7a7") || f.Description != "test key" {
				t.Errorf("%s: %+v", name, f)
			}
		})
	}
	f, _ := Parse([]byte(byPBKDF2))
	if _, err := f.Open("another"); !errors.Is(err, ErrPassword) {
		t.Errorf("another password: %v", err)
	}
	if secret, err := f.Open("testpassword\x7f🔑\n"); err != nil || hex.EncodeToString(secret) != published {
		t.Errorf("the same password in other letters, with control codes: %v", err)
	}
}

// What is sealed can be opened with its password.
func TestSeal(t *testing.T) {
	secret := bytes.Repeat([]byte{7, 9}, 16)
	data, err := Seal(secret, "pass", "abcd", "vote key", bytes.NewReader(bytes.Repeat([]byte{3}, 100)))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(hex.EncodeToString(secret))) {
		t.Fatal("the secret is in the file")
	}
	f, err := Parse(data)
	if err != nil || f.PublicKey != "abcd" || f.Description != "vote key" || len(f.UUID) != 36 {
		t.Fatalf("%+v, %v", f, err)
	}
	if got, err := f.Open("pass"); err != nil || !bytes.Equal(got, secret) {
		t.Errorf("%x, %v", got, err)
	}
	if _, err := Seal(nil, "pass", "", "", bytes.NewReader(nil)); !errors.Is(err, ErrFormat) {
		t.Errorf("an empty secret: %v", err)
	}
}

// What is out of bounds costs no work.
func TestOutOfBounds(t *testing.T) {
	for name, change := range map[string][2]string{
		"another version":     {`"version":4`, `"version":3`},
		"unknown field":       {`"version":4`, `"version":4,"extra":1`},
		"unknown kdf":         {`"function":"pbkdf2"`, `"function":"argon2"`},
		"too few rounds":      {`"c":262144`, `"c":100`},
		"too many rounds":     {`"c":262144`, `"c":99999999`},
		"short key":           {`"dklen":32`, `"dklen":16`},
		"another prf":         {`hmac-sha256`, `hmac-sha1`},
		"short iv":            {`264daa3f303d7259501c93d997d84fe6`, `264daa3f`},
		"not hexadecimal":     {`cee03fde`, `zee03fde`},
		"another cipher":      {`aes-128-ctr`, `aes-256-ctr`},
		"another checksum":    {`"function":"sha256"`, `"function":"md5"`},
		"unknown parameter":   {`"prf"`, `"x":1,"prf"`},
		"something behind it": {`"version":4}`, `"version":4}{}`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(byPBKDF2, change[0], change[1], 1)
			f, err := Parse([]byte(text))
			if err == nil {
				_, err = f.Open(password)
			}
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for name, change := range map[string][2]string{
		"a gigabyte":   {`"n":262144`, `"n":1048576`},
		"no power":     {`"n":262144`, `"n":262143`},
		"many lanes":   {`"p":1`, `"p":1000`},
		"negative":     {`"r":8`, `"r":-8`},
		"almost none":  {`"n":262144`, `"n":2`},
		"no salt":      {`d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3`, ``},
		"odd checksum": {`d2217fe5`, `d2217f`},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse([]byte(strings.Replace(byScrypt, change[0], change[1], 1)))
			if err == nil {
				_, err = f.Open(password)
			}
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(byScrypt))
	f.Add([]byte(byPBKDF2))
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := Parse(data); (x == nil) == (err == nil) || err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("%v, %v", x, err)
		}
	})
}

// A key file of another version says which, and which this program reads.
func TestOtherVersion(t *testing.T) {
	_, err := Parse([]byte(`{"version":3}`))
	var e *format.Error
	if !errors.As(err, &e) || !errors.Is(err, ErrFormat) || e.Have != 3 || e.Now != 4 {
		t.Error(err)
	}
	for _, text := range []string{`{"version":-1}`, `{"version":4294967300}`} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrFormat) || errors.As(err, &e) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
