// Package operate is the command line of a proxy of the secret service: init, start, status, doctor; its configuration, its metrics, its registration, and the
// chain over RPC. Development networks run proxies of it too.
//
// A data directory has config.toml, the key of the operator's account (operator.pem), the passphrase of the vault (passphrase), unless the configuration names
// another file, the vault with the proxy's keys and shares (shares.vault), the journal of what was served (served.log), and, while the proxy is up, a socket
// that status asks.
//
// Spec: secrets-cbss §4, §5.
package operate
