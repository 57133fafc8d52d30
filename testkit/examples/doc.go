// Package examples holds Python actors a developer would start from, and the scenarios that show them at work.
package examples
