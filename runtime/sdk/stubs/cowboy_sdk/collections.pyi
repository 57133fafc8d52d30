ordered_set = set
