// Package config is cowboyd's configuration file: config.toml in the data directory.
//
// A file is read strictly. A key that does not exist, a value of another type and a value that means nothing are errors that
// name the file, the line and, where one is near, the key that was meant. Keys that are absent keep their defaults, so that a file
// holds what an operator decided and nothing else. Relative paths are relative to the file.
//
// Write gives the file with every key explained; what it writes, Read reads back.
//
// Deliberately absent: flags, which override the file and belong to the command; secrets, which never lie in a configuration.
package config
