from re import compile


class Scanner:
    """Splits a text into tokens: the first pattern of the lexicon that matches makes the next one."""

    def __init__(self, lexicon, flags=0):
        self.lexicon = lexicon
        self._flags = flags
        self._rules = [(compile(phrase, flags), action) for phrase, action in lexicon]

    @property
    def scanner(self):
        """One pattern for all of them."""
        return compile("|".join(f"({phrase})" for phrase, _ in self.lexicon), self._flags)

    def scan(self, string):
        """The tokens, and the rest of the string that no pattern matches."""
        result = []
        at = 0
        while True:
            for pattern, action in self._rules:
                match = pattern.match(string, at)
                if match is not None:
                    break
            else:
                break
            end = match.end()
            if end == at:
                break
            if callable(action):
                self.match = match
                action = action(self, match.group())
            if action is not None:
                result.append(action)
            at = end
        return result, string[at:]
