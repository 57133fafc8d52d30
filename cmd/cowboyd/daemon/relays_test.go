package daemon

import "testing"

// What relays cannot be started with is said before anything is.
func TestRelayFlags(t *testing.T) {
	for name, c := range map[string]struct {
		count    int
		accounts string
		right    bool
	}{
		"none":                       {0, "", true},
		"some":                       {6, "", true},
		"some with accounts":         {6, "127.0.0.1:4480", true},
		"the last ports":             {6, ":65530", true},
		"too many":                   {25, "", false},
		"fewer than none":            {-1, "", false},
		"accounts without a port":    {1, "127.0.0.1", false},
		"accounts at a word":         {1, "127.0.0.1:http", false},
		"accounts anywhere":          {1, "127.0.0.1:0", false},
		"accounts of no relay":       {0, "127.0.0.1:4480", false},
		"more relays than ports are": {6, ":65531", false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := (&stores{count: c.count, accounts: c.accounts}).check(); (err == nil) != c.right {
				t.Error(err)
			}
		})
	}
}
