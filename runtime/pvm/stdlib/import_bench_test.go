package stdlib_test

import (
	"io"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// The cost of a module's import, in time and in cycles.
func BenchmarkImport(b *testing.B) {
	for _, statement := range []string{
		"pass", "import math", "import itertools", "import hashlib", "import struct", "import re", "import abc", "import collections",
		"from collections import defaultdict", "from collections import Counter", "import collections.abc", "import functools", "import decimal",
		"import enum", "from enum import Flag", "import dataclasses", "import typing", "from typing import Optional, List, Dict",
		"from typing import Protocol", "from typing import NamedTuple, TypedDict",
	} {
		b.Run("statement="+statement, func(b *testing.B) {
			program, err := pvm.Compile("__main__", []byte(statement+"\n"))
			if err != nil {
				b.Fatal(err)
			}
			modules := natives()
			var used uint64
			for i := 0; i < b.N; i++ {
				meter := pvm.NewMeter(1<<40, 1<<40)
				m := pvm.New(pvm.Config{Natives: modules, Stdout: io.Discard, Meter: meter})
				if _, fault := m.Load(program); fault != nil {
					b.Skip(fault)
				}
				used = meter.Used()
			}
			b.ReportMetric(float64(used), "cycles")
		})
	}
}
