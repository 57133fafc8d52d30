# Texts in the language they are written in.
def gettext(message):
    return message


def ngettext(singular, plural, n):
    return singular if n == 1 else plural
