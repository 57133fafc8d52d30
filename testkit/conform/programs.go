package conform

import "strings"

// Programs returns the names of the programs that the table of results covers: the
// language and the built-in types, the modules of the library, and modules in pure
// Python that are no part of the library but run as programs.
func Programs() []string {
	return strings.Fields(languagePrograms + libraryPrograms + borrowedPrograms)
}

const languagePrograms = `
test_asyncgen test_augassign test_baseexception test_binop test_bool test_builtin test_bytes test_class test_compare
test_complex test_contains test_coroutines test_decorators test_descr test_descrtut test_dict test_dictcomps test_dictviews
test_dynamic test_dynamicclassattribute test_enumerate test_eof test_except_star test_exception_group test_exception_hierarchy test_exception_variations
test_exceptions test_extcall test_float test_format test_fstring test_funcattrs test_generator_stop test_generators
test_genericalias test_genericclass test_genexps test_global test_grammar test_hash test_index test_int test_int_literal
test_isinstance test_iter test_iterlen test_keywordonlyarg test_list test_listcomps test_long test_memoryview test_metaclass
test_named_expressions test_longexp test_opcache test_opcodes test_operator test_patma test_pep646_syntax test_positional_only_arg test_pow test_print test_property test_raise
test_range test_richcmp test_scope test_set test_setcomps test_slice test_sort test_string test_string_literals test_strtod
test_subclassinit test_super test_syntax test_tuple test_type_annotations test_typechecks test_unary test_unicode
test_unicode_identifiers test_unpack test_unpack_ex test_userdict test_userlist test_userstring test_utf8source test_with
test_yield_from
`

const libraryPrograms = `
test_abc test_collections test_dataclasses test_decimal test_defaultdict test_deque test_enum test_functools test_hashlib
test_itertools test_json.test_decode test_json.test_default test_json.test_dump test_json.test_encode_basestring_ascii
test_json.test_enum test_json.test_fail test_json.test_float test_json.test_indent test_json.test_pass1 test_json.test_pass2
test_json.test_pass3 test_json.test_recursion test_json.test_scanstring test_json.test_separators test_json.test_speedups
test_json.test_unicode test_math test_ordered_dict test_re test_struct test_typing
`

const borrowedPrograms = `
test_abstract_numbers test_argparse test_bisect test_calendar test_colorsys test_configparser test_contextlib test_copy
datetimetester test_difflib test_fnmatch test_fractions test_genericpath test_getopt test_graphlib test_heapq test_html
test_htmlparser test_http_cookies test_ipaddress test_keyword test_ntpath test_numeric_tower test_optparse test_pathlib
test_posixpath test_pprint test_reprlib test_shlex test_statistics test_textwrap test_types test_urlparse test_uuid test_xdrlib
`
