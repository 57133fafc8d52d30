from posixpath import *
from posixpath import _get_sep, _joinrealpath
