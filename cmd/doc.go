// Package cmd is ring 4: flags, configuration and wiring. Each directory below is one executable.
package cmd
