class Actor:
    def __init__(self):
        self.count = 0
        self.names = []
        self._cache = 1

    def increment(self):
        self.count += 1
        self.names.append("n" + str(self.count))
        return self.count

    def show(self):
        return {"count": self.count, "names": self.names}

    def fail(self):
        self.count = 99
        raise ValueError("no")
