#!/bin/sh
# Records what CPython 3.11 prints for every program of this directory, or for
# those named.
cd "$(dirname "$0")" || exit 1
python3 -c 'import sys; assert sys.version_info[:2] == (3, 11)' || exit 1
for program in ${@:-*.py}; do
	PYTHONHASHSEED=0 python3 "$program" > "${program%.py}.out" || echo "failed: $program" >&2
done
