#!/bin/sh
# Compares the machine with CPython 3.11 over fresh random cases of a program of
# this directory that has a line "SEED, ROUNDS = …".
#
# usage: differ.sh COWBOY PROGRAM SEED ROUNDS
# COWBOY is the command of this repository. Prints the lines that differ; the
# number of lines compared goes to standard error.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s/^SEED, ROUNDS = .*/SEED, ROUNDS = $3, $4/" "$(dirname "$0")/$2.py" > "$work/$2.py"
PYTHONHASHSEED=0 python3 "$work/$2.py" > "$work/want"
"$1" pvm run "$work/$2.py" > "$work/got"
wc -l < "$work/want" >&2
diff "$work/want" "$work/got"
