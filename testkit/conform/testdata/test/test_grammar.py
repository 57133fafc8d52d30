# Its presence tells the harness that this is a directory of tests.
