package whole
