import collections.abc as abc
