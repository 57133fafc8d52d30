package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/cmd/spelling"
)

// root is the folder of the project a configuration belongs to.
func rootOf(config *project.Config) string { return filepath.Dir(config.Folder()) }

// networkOf names the network whose actors a project knows: its active environment, local where it has none.
func networkOf(config *project.Config) string {
	if name := config.Active().Name; name != "" && filepath.Base(name) == name {
		return name
	}
	return "local"
}

// parseAddress reads an address, or the name of an actor of the project here. A mistyped address is never taken for a name.
func parseAddress(text string) (account.Address, error) {
	address, err := account.ReadAddress(text)
	switch {
	case err == nil:
		return address, nil
	case errors.Is(err, account.ErrChecksum):
		return address, usageError{fmt.Errorf("%q: %s", text, rpc.AddressFault(err))}
	case project.IsName(text):
		return named(text)
	}
	return address, usageError{fmt.Errorf("%q is not an address: want 40 hex digits, with or without 0x, or the name of an actor of this project",
		shorten(text))}
}

// named is the address of an actor of the project here on its active network.
func named(name string) (account.Address, error) {
	config, err := findProject()
	if errors.Is(err, project.ErrNoProject) {
		return account.Address{}, usageError{fmt.Errorf("%q is not an address: want 40 hex digits, with or without 0x; names are those of "+
			"a project's actors, and there is no project here", name)}
	}
	if err != nil {
		return account.Address{}, err
	}
	network := networkOf(config)
	deployed, err := project.ReadDeployed(rootOf(config), network)
	if err != nil {
		return account.Address{}, err
	}
	if place := deployed.Actors[name]; place != nil {
		return place.Address, nil
	}
	manifest, err := project.ReadManifest(rootOf(config))
	if err != nil {
		return account.Address{}, err
	}
	if manifest.Find(name) != nil {
		return account.Address{}, usageError{fmt.Errorf("%q is not an address that is known: the actor is declared in %s and not deployed on %s\n"+
			"  `cowboy deploy` brings the network to what the file declares, and finds what is there already", name, project.ManifestFile, network)}
	}
	var known []string
	for other := range deployed.Actors { // order-free: sorted below
		known = append(known, other)
	}
	slices.Sort(known)
	text := fmt.Sprintf("%q is not an address, and no actor of this project has that name on %s", name, network)
	if near := spelling.Nearest(name, known, 2); near != "" {
		text += "\n  did you mean " + near + "?"
	} else if len(known) > 0 {
		text += "\n  there are " + strings.Join(known, ", ")
	}
	return account.Address{}, usageError{errors.New(text)}
}

// projectNames are the names of the project's actors on its active network, by address; none where there is no project.
func projectNames() map[string]string {
	names := map[string]string{}
	config, err := findProject()
	if err != nil {
		return names
	}
	deployed, err := project.ReadDeployed(rootOf(config), networkOf(config))
	if err != nil {
		return names
	}
	for name, place := range deployed.Actors { // order-free: a copy
		names[place.Address.String()] = name
	}
	return names
}
