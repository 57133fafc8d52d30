"""ordered_set: the insertion-ordered set that every set of the machine is."""

ordered_set = set
