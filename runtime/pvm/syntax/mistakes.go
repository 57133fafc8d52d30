package syntax

// mistakes is the grammar of CPython 3.11 as an ordered-choice grammar, with the
// rules (names beginning with bad_) that recognize common mistakes. It is used
// on rejected sources only: a first run without the bad_ rules finds how far a
// parser has to read, a second run with them finds the message.
//
// TYPE_COMMENT, which no token is here, stands where CPython looks for one: that
// reads one token further.
//
// Notation: "rule:" begins a rule, "|" an alternative. 'x' is a keyword or
// operator, "x" a soft keyword, capital words are token kinds. x? x* x+ repeat,
// s.x+ repeats with separators s, &x and !x look ahead, ~ commits to the
// alternative, !!x must follow or "expected x" is the message. name=x captures.
// A rule name followed by * keeps its result between the runs of bad_ rules.
//
// An alternative that ends in -> reports a mistake: "-> place message", where a
// place is one capture, two captures (from the first to the last), capture..
// (from the capture to the last token read), or last (the last token read).
// {x} in a message stands for the kind of the expression captured as x, {#x}
// for its line. A place "indent" makes an IndentationError at the last token
// read; "do" calls a function.
const mistakes = `
statement:
| compound_stmt
| simple_stmts

statements:
| statement+

simple_stmts:
| simple_stmt !';' NEWLINE
| ';'.simple_stmt+ ';'? NEWLINE

simple_stmt*:
| assignment
| star_expressions
| &'return' return_stmt
| &('import' | 'from') import_stmt
| &'raise' raise_stmt
| 'pass'
| &'del' del_stmt
| &'yield' yield_expr
| &'assert' assert_stmt
| 'break'
| 'continue'
| &'global' 'global' ','.NAME+
| &'nonlocal' 'nonlocal' ','.NAME+

compound_stmt:
| &('def' | '@' | 'async') function_def
| &'if' if_stmt
| &('class' | '@') class_def
| &('with' | 'async') with_stmt
| &('for' | 'async') for_stmt
| &'try' try_stmt
| &'while' while_stmt
| match_stmt

assignment:
| NAME ':' expression ('=' yield_or_star)?
| ('(' single_target ')' | single_subscript_attribute_target) ':' expression ('=' yield_or_star)?
| (star_targets '=')+ yield_or_star !'=' TYPE_COMMENT?
| single_target augassign ~ yield_or_star
| bad_assignment

yield_or_star:
| yield_expr
| star_expressions

augassign:
| '+='
| '-='
| '*='
| '@='
| '/='
| '%='
| '&='
| '|='
| '^='
| '<<='
| '>>='
| '**='
| '//='

return_stmt:
| 'return' star_expressions?

raise_stmt:
| 'raise' expression ('from' expression)?
| 'raise'

del_stmt:
| 'del' del_targets &(';' | NEWLINE)
| bad_del_stmt

assert_stmt:
| 'assert' expression (',' expression)?

import_stmt:
| 'import' ','.dotted_as_name+
| import_from

import_from:
| 'from' ('.' | '...')* dotted_name 'import' import_from_targets
| 'from' ('.' | '...')+ 'import' import_from_targets

import_from_targets:
| '(' import_from_as_names ','? ')'
| import_from_as_names !','
| '*'
| bad_import_from_targets

import_from_as_names:
| ','.import_from_as_name+

import_from_as_name:
| NAME ('as' NAME)?

dotted_as_name:
| dotted_name ('as' NAME)?

dotted_name*:
| NAME ('.' NAME)*

block*:
| NEWLINE INDENT statements DEDENT
| simple_stmts
| bad_block

decorators:
| ('@' named_expression NEWLINE)+

class_def:
| decorators class_def_raw
| class_def_raw

class_def_raw:
| bad_class_def_raw
| 'class' NAME ('(' arguments? ')')? ':' block

function_def:
| decorators function_def_raw
| function_def_raw

function_def_raw:
| bad_def_raw
| 'def' NAME !!'(' params? ')' ('->' expression)? !!':' func_type_comment? block
| 'async' 'def' NAME !!'(' params? ')' ('->' expression)? !!':' func_type_comment? block

func_type_comment:
| NEWLINE TYPE_COMMENT &(NEWLINE INDENT)
| TYPE_COMMENT

params:
| bad_parameters
| parameters

parameters:
| slash_no_default param_no_default* param_with_default* star_etc?
| slash_with_default param_with_default* star_etc?
| param_no_default+ param_with_default* star_etc?
| param_with_default+ star_etc?
| star_etc

slash_no_default:
| param_no_default+ '/' ','
| param_no_default+ '/' &')'

slash_with_default:
| param_no_default* param_with_default+ '/' ','
| param_no_default* param_with_default+ '/' &')'

star_etc:
| bad_star_etc
| '*' param_no_default param_maybe_default* kwds?
| '*' param_no_default_star_annotation param_maybe_default* kwds?
| '*' ',' param_maybe_default+ kwds?
| kwds

kwds:
| bad_kwds
| '**' param_no_default

param_no_default:
| param ',' TYPE_COMMENT?
| param TYPE_COMMENT? &')'

param_no_default_star_annotation:
| param_star_annotation ',' TYPE_COMMENT?
| param_star_annotation TYPE_COMMENT? &')'

param_with_default:
| param default ',' TYPE_COMMENT?
| param default TYPE_COMMENT? &')'

param_maybe_default:
| param default? ',' TYPE_COMMENT?
| param default? TYPE_COMMENT? &')'

param:
| NAME annotation?

param_star_annotation:
| NAME ':' star_expression

annotation:
| ':' expression

default:
| '=' expression
| bad_default

if_stmt:
| bad_if_stmt
| 'if' named_expression ':' block elif_stmt
| 'if' named_expression ':' block else_block?

elif_stmt:
| bad_elif_stmt
| 'elif' named_expression ':' block elif_stmt
| 'elif' named_expression ':' block else_block?

else_block:
| bad_else_stmt
| 'else' !!':' block

while_stmt:
| bad_while_stmt
| 'while' named_expression ':' block else_block?

for_stmt:
| bad_for_stmt
| 'for' star_targets 'in' ~ star_expressions ':' TYPE_COMMENT? block else_block?
| 'async' 'for' star_targets 'in' ~ star_expressions ':' TYPE_COMMENT? block else_block?
| bad_for_target

with_stmt:
| bad_with_stmt_indent
| 'with' '(' ','.with_item+ ','? ')' ':' block
| 'with' ','.with_item+ ':' TYPE_COMMENT? block
| 'async' 'with' '(' ','.with_item+ ','? ')' ':' block
| 'async' 'with' ','.with_item+ ':' TYPE_COMMENT? block
| bad_with_stmt

with_item:
| expression 'as' star_target &(',' | ')' | ':')
| bad_with_item
| expression

try_stmt:
| bad_try_stmt
| 'try' !!':' block finally_block
| 'try' !!':' block except_block+ else_block? finally_block?
| 'try' !!':' block except_star_block+ else_block? finally_block?

except_block:
| bad_except_stmt_indent
| 'except' expression ('as' NAME)? ':' block
| 'except' ':' block
| bad_except_stmt

except_star_block:
| bad_except_star_stmt_indent
| 'except' '*' expression ('as' NAME)? ':' block
| bad_except_stmt

finally_block:
| bad_finally_stmt
| 'finally' !!':' block

match_stmt:
| "match" subject_expr ':' NEWLINE INDENT case_block+ DEDENT
| bad_match_stmt

subject_expr:
| star_named_expression ',' star_named_expressions?
| named_expression

case_block:
| bad_case_block
| "case" patterns guard? ':' block

guard:
| 'if' named_expression

patterns:
| open_sequence_pattern
| pattern

pattern:
| as_pattern
| or_pattern

as_pattern:
| or_pattern 'as' pattern_capture_target
| bad_as_pattern

or_pattern:
| '|'.closed_pattern+

closed_pattern*:
| literal_pattern
| pattern_capture_target
| "_"
| value_pattern
| group_pattern
| sequence_pattern
| mapping_pattern
| class_pattern

literal_pattern:
| signed_number !('+' | '-')
| complex_number
| strings
| 'None'
| 'True'
| 'False'

complex_number:
| signed_number '+' NUMBER
| signed_number '-' NUMBER

signed_number:
| NUMBER
| '-' NUMBER

pattern_capture_target:
| !"_" NAME !('.' | '(' | '=')

value_pattern:
| attr !('.' | '(' | '=')

attr*:
| NAME ('.' NAME)+

name_or_attr*:
| NAME ('.' NAME)*

group_pattern:
| '(' pattern ')'

sequence_pattern:
| '[' maybe_sequence_pattern? ']'
| '(' open_sequence_pattern? ')'

open_sequence_pattern:
| maybe_star_pattern ',' maybe_sequence_pattern?

maybe_sequence_pattern:
| ','.maybe_star_pattern+ ','?

maybe_star_pattern:
| star_pattern
| pattern

star_pattern*:
| '*' pattern_capture_target
| '*' "_"

mapping_pattern:
| '{' '}'
| '{' double_star_pattern ','? '}'
| '{' items_pattern ',' double_star_pattern ','? '}'
| '{' items_pattern ','? '}'

items_pattern:
| ','.key_value_pattern+

key_value_pattern:
| (literal_pattern | attr) ':' pattern

double_star_pattern:
| '**' pattern_capture_target

class_pattern:
| name_or_attr '(' ')'
| name_or_attr '(' positional_patterns ','? ')'
| name_or_attr '(' keyword_patterns ','? ')'
| name_or_attr '(' positional_patterns ',' keyword_patterns ','? ')'
| bad_class_pattern

positional_patterns:
| ','.pattern+

keyword_patterns:
| ','.keyword_pattern+

keyword_pattern:
| NAME '=' pattern

expressions:
| expression (',' expression)+ ','?
| expression ','
| expression

expression*:
| bad_expression
| bad_legacy_expression
| disjunction 'if' disjunction 'else' expression
| disjunction
| lambdef

yield_expr:
| 'yield' 'from' expression
| 'yield' star_expressions?

star_expressions:
| star_expression (',' star_expression)+ ','?
| star_expression ','
| star_expression

star_expression*:
| '*' bitwise_or
| expression

star_named_expressions:
| ','.star_named_expression+ ','?

star_named_expression:
| '*' bitwise_or
| named_expression

assignment_expression:
| NAME ':=' ~ expression

named_expression:
| assignment_expression
| bad_named_expression
| expression !':='

disjunction*:
| conjunction ('or' conjunction)+
| conjunction

conjunction*:
| inversion ('and' inversion)+
| inversion

inversion*:
| 'not' inversion
| comparison

comparison:
| bitwise_or compare_pair+
| bitwise_or

compare_pair:
| ('==' | '!=' | '<=' | '<' | '>=' | '>') bitwise_or
| 'not' 'in' bitwise_or
| 'in' bitwise_or
| 'is' 'not' bitwise_or
| 'is' bitwise_or

bitwise_or*:
| bitwise_xor ('|' bitwise_xor)*

bitwise_xor*:
| bitwise_and ('^' bitwise_and)*

bitwise_and*:
| shift_expr ('&' shift_expr)*

shift_expr*:
| sum (('<<' | '>>') sum)*

sum*:
| term (('+' | '-') term)*

term*:
| factor (('*' | '/' | '//' | '%' | '@') factor)*

factor*:
| '+' factor
| '-' factor
| '~' factor
| power

power:
| await_primary '**' factor
| await_primary

await_primary*:
| 'await' primary
| primary

primary*:
| atom trailer*

trailer:
| '.' NAME
| genexp
| '(' arguments? ')'
| '[' slices ']'

slices:
| slice !','
| ','.(slice | starred_expression)+ ','?

slice:
| expression? ':' expression? (':' expression?)?
| named_expression

atom:
| NAME
| 'True'
| 'False'
| 'None'
| &STRING strings
| NUMBER
| &'(' (tuple | group | genexp)
| &'[' (list | listcomp)
| &'{' (dict | set | dictcomp | setcomp)
| '...'

group:
| '(' (yield_expr | named_expression) ')'
| bad_group

lambdef:
| 'lambda' lambda_params? ':' expression

lambda_params:
| bad_lambda_parameters
| lambda_parameters

lambda_parameters:
| lambda_slash_no_default lambda_param_no_default* lambda_param_with_default* lambda_star_etc?
| lambda_slash_with_default lambda_param_with_default* lambda_star_etc?
| lambda_param_no_default+ lambda_param_with_default* lambda_star_etc?
| lambda_param_with_default+ lambda_star_etc?
| lambda_star_etc

lambda_slash_no_default:
| lambda_param_no_default+ '/' ','
| lambda_param_no_default+ '/' &':'

lambda_slash_with_default:
| lambda_param_no_default* lambda_param_with_default+ '/' ','
| lambda_param_no_default* lambda_param_with_default+ '/' &':'

lambda_star_etc:
| bad_lambda_star_etc
| '*' lambda_param_no_default lambda_param_maybe_default* lambda_kwds?
| '*' ',' lambda_param_maybe_default+ lambda_kwds?
| lambda_kwds

lambda_kwds:
| bad_lambda_kwds
| '**' lambda_param_no_default

lambda_param_no_default:
| NAME ','
| NAME &':'

lambda_param_with_default:
| NAME default ','
| NAME default &':'

lambda_param_maybe_default:
| NAME default? ','
| NAME default? &':'

strings*:
| STRING+

list:
| '[' star_named_expressions? ']'

tuple:
| '(' (star_named_expression ',' star_named_expressions?)? ')'

set:
| '{' star_named_expressions '}'

dict:
| '{' double_starred_kvpairs? '}'
| '{' bad_double_starred_kvpairs '}'

double_starred_kvpairs:
| ','.double_starred_kvpair+ ','?

double_starred_kvpair:
| '**' bitwise_or
| kvpair

kvpair:
| expression ':' expression

for_if_clauses:
| for_if_clause+

for_if_clause:
| 'async' 'for' star_targets 'in' ~ disjunction ('if' disjunction)*
| 'for' star_targets 'in' ~ disjunction ('if' disjunction)*
| bad_for_target

listcomp:
| '[' named_expression for_if_clauses ']'
| bad_comprehension

setcomp:
| '{' named_expression for_if_clauses '}'
| bad_comprehension

genexp:
| '(' (assignment_expression | expression !':=') for_if_clauses ')'
| bad_comprehension

dictcomp:
| '{' kvpair for_if_clauses '}'
| bad_dict_comprehension

arguments*:
| args ','? &')'
| bad_arguments

args:
| ','.(starred_expression | (assignment_expression | expression !':=') !'=')+ (',' kwargs)?
| kwargs

kwargs:
| ','.kwarg_or_starred+ ',' ','.kwarg_or_double_starred+
| ','.kwarg_or_starred+
| ','.kwarg_or_double_starred+

starred_expression:
| '*' expression

kwarg_or_starred:
| bad_kwarg
| NAME '=' expression
| starred_expression

kwarg_or_double_starred:
| bad_kwarg
| NAME '=' expression
| '**' expression

star_targets:
| star_target !','
| star_target (',' star_target)* ','?

star_targets_list_seq:
| ','.star_target+ ','?

star_targets_tuple_seq:
| star_target (',' star_target)+ ','?
| star_target ','

star_target*:
| '*' !'*' star_target
| target_with_star_atom

target_with_star_atom*:
| t_primary '.' NAME !t_lookahead
| t_primary '[' slices ']' !t_lookahead
| star_atom

star_atom:
| NAME
| '(' target_with_star_atom ')'
| '(' star_targets_tuple_seq? ')'
| '[' star_targets_list_seq? ']'

single_target:
| single_subscript_attribute_target
| NAME
| '(' single_target ')'

single_subscript_attribute_target:
| t_primary '.' NAME !t_lookahead
| t_primary '[' slices ']' !t_lookahead

t_primary*:
| atom &t_lookahead (t_trailer &t_lookahead)*

t_trailer:
| '.' NAME
| '[' slices ']'
| genexp
| '(' arguments? ')'

t_lookahead:
| '('
| '['
| '.'

del_targets:
| ','.del_target+ ','?

del_target*:
| t_primary '.' NAME !t_lookahead
| t_primary '[' slices ']' !t_lookahead
| del_t_atom

del_t_atom:
| NAME
| '(' del_target ')'
| '(' del_targets? ')'
| '[' del_targets? ']'

bad_arguments:
| (','.(starred_expression | (assignment_expression | expression !':=') !'=')+ ',' kwargs | kwargs) ',' a='*' -> a iterable argument unpacking follows keyword argument unpacking
| a=expression b=for_if_clauses ',' (args | expression for_if_clauses)? -> a b Generator expression must be parenthesized
| a=NAME b='=' expression for_if_clauses -> a b invalid syntax. Maybe you meant '==' or ':=' instead of '='?
| a=args b=for_if_clauses -> do bareGenerator
| args ',' a=expression b=for_if_clauses -> do bareLastGenerator
| a=args ',' args -> do positionalAfterKeyword

bad_kwarg:
| a=('True' | 'False' | 'None') b='=' -> a b cannot assign to {a}
| a=NAME b='=' expression for_if_clauses -> a b invalid syntax. Maybe you meant '==' or ':=' instead of '='?
| !(NAME '=') a=expression b='=' -> a b expression cannot contain assignment, perhaps you meant "=="?

expression_without_bad:
| disjunction 'if' disjunction 'else' expression
| disjunction
| lambdef

bad_legacy_expression:
| a=NAME !'(' b=star_expressions -> do legacyStatement

bad_expression:
| !(NAME STRING | SOFT_KEYWORD) a=disjunction b=expression_without_bad -> do missingComma
| a=disjunction 'if' b=disjunction !('else' | ':') -> a b expected 'else' after 'if' expression

bad_named_expression*:
| a=expression ':=' expression -> a cannot use assignment expressions with {a}
| a=NAME '=' b=bitwise_or !('=' | ':=') -> a b invalid syntax. Maybe you meant '==' or ':=' instead of '='?
| !(list | tuple | genexp | 'True' | 'None' | 'False') a=bitwise_or b='=' bitwise_or !('=' | ':=') -> a cannot assign to {a} here. Maybe you meant '==' instead of '='?

bad_assignment:
| a=bad_ann_assign_target ':' expression -> a only single target (not {a}) can be annotated
| a=star_named_expression ',' star_named_expressions* ':' expression -> a only single target (not tuple) can be annotated
| a=expression ':' expression -> a illegal target for annotation
| (star_targets '=')* a=star_expressions '=' -> do assignTarget
| (star_targets '=')* a=yield_expr '=' -> a assignment to yield expression not possible
| a=star_expressions augassign yield_or_star -> a '{a}' is an illegal expression for augmented assignment

bad_ann_assign_target:
| list
| tuple
| '(' bad_ann_assign_target ')'

bad_del_stmt:
| 'del' a=star_expressions -> do deleteTarget

bad_block:
| NEWLINE !INDENT -> indent expected an indented block

bad_comprehension:
| ('[' | '(' | '{') a=starred_expression for_if_clauses -> a iterable unpacking cannot be used in comprehension
| ('[' | '{') a=star_named_expression ',' b=star_named_expressions for_if_clauses -> do unparenthesizedTarget
| ('[' | '{') a=star_named_expression b=',' for_if_clauses -> a b did you forget parentheses around the comprehension target?

bad_dict_comprehension:
| '{' a='**' bitwise_or for_if_clauses '}' -> a dict unpacking cannot be used in dict comprehension

bad_parameters:
| param_no_default* bad_parameters_helper a=param_no_default -> do parameterWithoutDefault
| param_no_default* a='(' param_no_default+ ','? b=')' -> a b Function parameters cannot be parenthesized
| a='/' ',' -> a at least one argument must precede /
| (slash_no_default | slash_with_default) param_maybe_default* a='/' -> a / may appear only once
| (slash_no_default | slash_with_default)? param_maybe_default* '*' (',' | param_no_default) param_maybe_default* a='/' -> a / must be ahead of *
| param_maybe_default+ '/' a='*' -> a expected comma between / and *

bad_parameters_helper:
| slash_with_default
| param_with_default+

bad_default:
| a='=' &(')' | ',') -> a expected default value expression

bad_star_etc:
| a='*' (')' | ',' (')' | '**')) -> a named arguments must follow bare *
| '*' ',' TYPE_COMMENT
| '*' param a='=' -> a var-positional argument cannot have default value
| '*' (param_no_default | ',') param_maybe_default* a='*' (param_no_default | ',') -> a * argument may appear only once

bad_kwds:
| '**' param a='=' -> a var-keyword argument cannot have default value
| '**' param ',' a=param -> a arguments cannot follow var-keyword argument
| '**' param ',' a=('*' | '**' | '/') -> a arguments cannot follow var-keyword argument

bad_lambda_parameters:
| lambda_param_no_default* bad_lambda_parameters_helper a=lambda_param_no_default -> do parameterWithoutDefault
| lambda_param_no_default* a='(' ','.NAME+ ','? b=')' -> a b Lambda expression parameters cannot be parenthesized
| a='/' ',' -> a at least one argument must precede /
| (lambda_slash_no_default | lambda_slash_with_default) lambda_param_maybe_default* a='/' -> a / may appear only once
| (lambda_slash_no_default | lambda_slash_with_default)? lambda_param_maybe_default* '*' (',' | lambda_param_no_default) lambda_param_maybe_default* a='/' -> a / must be ahead of *
| lambda_param_maybe_default+ '/' a='*' -> a expected comma between / and *

bad_lambda_parameters_helper:
| lambda_slash_with_default
| lambda_param_with_default+

bad_lambda_star_etc:
| '*' (':' | ',' (':' | '**')) -> last named arguments must follow bare *
| '*' NAME a='=' -> a var-positional argument cannot have default value
| '*' (lambda_param_no_default | ',') lambda_param_maybe_default* a='*' (lambda_param_no_default | ',') -> a * argument may appear only once

bad_lambda_kwds:
| '**' NAME a='=' -> a var-keyword argument cannot have default value
| '**' NAME ',' a=NAME -> a arguments cannot follow var-keyword argument
| '**' NAME ',' a=('*' | '**' | '/') -> a arguments cannot follow var-keyword argument

bad_with_item:
| expression 'as' a=expression &(',' | ')' | ':') -> do assignTarget

bad_for_target:
| 'async'? 'for' a=star_expressions -> do forTarget

bad_group:
| '(' a=starred_expression ')' -> a cannot use starred expression here
| '(' a='**' expression ')' -> a cannot use double starred expression here

bad_import_from_targets:
| import_from_as_names ',' NEWLINE -> last trailing comma not allowed without surrounding parentheses

bad_with_stmt:
| 'async'? 'with' ','.(expression ('as' star_target)?)+ NEWLINE -> last expected ':'
| 'async'? 'with' '(' ','.(expressions ('as' star_target)?)+ ','? ')' NEWLINE -> last expected ':'

bad_with_stmt_indent:
| 'async'? a='with' ','.(expression ('as' star_target)?)+ ':' NEWLINE !INDENT -> indent expected an indented block after 'with' statement on line {#a}
| 'async'? a='with' '(' ','.(expressions ('as' star_target)?)+ ','? ')' ':' NEWLINE !INDENT -> indent expected an indented block after 'with' statement on line {#a}

bad_try_stmt:
| a='try' ':' NEWLINE !INDENT -> indent expected an indented block after 'try' statement on line {#a}
| 'try' ':' block !('except' | 'finally') -> last expected 'except' or 'finally' block
| 'try' ':' block* except_block+ a='except' b='*' expression ('as' NAME)? ':' -> a b cannot have both 'except' and 'except*' on the same 'try'
| 'try' ':' block* except_star_block+ a='except' (expression ('as' NAME)?)? ':' -> a cannot have both 'except' and 'except*' on the same 'try'

bad_except_stmt:
| 'except' '*'? a=expression ',' expressions ('as' NAME)? ':' -> a.. multiple exception types must be parenthesized
| 'except' '*'? expression ('as' NAME)? NEWLINE -> last expected ':'
| 'except' NEWLINE -> last expected ':'
| 'except' '*' (NEWLINE | ':') -> last expected one or more exception types

bad_finally_stmt:
| a='finally' ':' NEWLINE !INDENT -> indent expected an indented block after 'finally' statement on line {#a}

bad_except_stmt_indent:
| a='except' expression ('as' NAME)? ':' NEWLINE !INDENT -> indent expected an indented block after 'except' statement on line {#a}
| a='except' ':' NEWLINE !INDENT -> indent expected an indented block after 'except' statement on line {#a}

bad_except_star_stmt_indent:
| a='except' '*' expression ('as' NAME)? ':' NEWLINE !INDENT -> indent expected an indented block after 'except*' statement on line {#a}

bad_match_stmt:
| "match" subject_expr NEWLINE -> last expected ':'
| a="match" subject_expr ':' NEWLINE !INDENT -> indent expected an indented block after 'match' statement on line {#a}

bad_case_block:
| "case" patterns guard? NEWLINE -> last expected ':'
| a="case" patterns guard? ':' NEWLINE !INDENT -> indent expected an indented block after 'case' statement on line {#a}

bad_as_pattern:
| or_pattern 'as' a="_" -> a cannot use '_' as a target
| or_pattern 'as' !NAME a=expression -> a invalid pattern target

bad_class_pattern:
| name_or_attr '(' (positional_patterns ',')? keyword_patterns ',' a=positional_patterns -> a positional patterns follow keyword patterns

bad_if_stmt:
| 'if' named_expression NEWLINE -> last expected ':'
| a='if' named_expression ':' NEWLINE !INDENT -> indent expected an indented block after 'if' statement on line {#a}

bad_elif_stmt:
| 'elif' named_expression NEWLINE -> last expected ':'
| a='elif' named_expression ':' NEWLINE !INDENT -> indent expected an indented block after 'elif' statement on line {#a}

bad_else_stmt:
| a='else' ':' NEWLINE !INDENT -> indent expected an indented block after 'else' statement on line {#a}

bad_while_stmt:
| 'while' named_expression NEWLINE -> last expected ':'
| a='while' named_expression ':' NEWLINE !INDENT -> indent expected an indented block after 'while' statement on line {#a}

bad_for_stmt:
| 'async'? 'for' star_targets 'in' star_expressions NEWLINE -> last expected ':'
| 'async'? a='for' star_targets 'in' star_expressions ':' NEWLINE !INDENT -> indent expected an indented block after 'for' statement on line {#a}

bad_def_raw:
| 'async'? a='def' NAME '(' params? ')' ('->' expression)? ':' NEWLINE !INDENT -> indent expected an indented block after function definition on line {#a}

bad_class_def_raw:
| 'class' NAME ('(' arguments? ')')? NEWLINE -> last expected ':'
| a='class' NAME ('(' arguments? ')')? ':' NEWLINE !INDENT -> indent expected an indented block after class definition on line {#a}

bad_double_starred_kvpairs:
| ','.double_starred_kvpair+ ',' bad_kvpair
| expression ':' a='*' bitwise_or -> a.. cannot use a starred expression in a dictionary value
| expression a=':' &('}' | ',') -> a expression expected after dictionary key and ':'

bad_kvpair:
| a=expression !':' -> do missingColon
| expression ':' a='*' bitwise_or -> a.. cannot use a starred expression in a dictionary value
| expression a=':' &('}' | ',') -> a expression expected after dictionary key and ':'
`
