// Package recent is bounded caches over github.com/hashicorp/golang-lru, which drop their oldest entry when they are full: a Table has so many entries, a zero
// value that is ready for use, and reads that do not renew an entry; a Sized has room for so many bytes, and reads renew.
package recent
