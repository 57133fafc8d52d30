package verify

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Schema is a JSON schema of the keywords this network knows.
//
// Spec: runner-marketplace §2.3 (JsonSchemaValid), §6.3.
type Schema struct {
	never      bool   // the schema false
	types      uint16 // bits of typeBit; 0 for any
	properties []property
	required   []string
	closed     bool    // additionalProperties: false
	others     *Schema // additionalProperties
	items      *Schema
	enum       [][]byte // canonical, ascending; nil for any
	numbers    [limits]*Number
	counts     [bounds]*uint64
	pattern    *pattern
	steps      int // of the pattern; of the schema that was parsed, of all patterns in it
	longest    int // of the schema that was parsed: the steps of the longest pattern in it
}

type property struct {
	name   string
	schema *Schema
}

// The limits of numbers and of sizes, by the place of their keyword in limitNames and boundNames.
const (
	minimum = iota
	maximum
	exclusiveMinimum
	exclusiveMaximum
	limits
)

const (
	minLength = iota
	maxLength
	minItems
	maxItems
	minProperties
	maxProperties
	bounds
)

func limitNames() []string {
	return []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
}

func boundNames() []string {
	return []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
}

// typeNames are the names of types. A number without a fraction is an integer and a number.
func typeNames() []string {
	return []string{"null", "boolean", "number", "string", "array", "object", "integer"}
}

const integerType = 6 // the place of "integer" in typeNames; the others are those of Kind

// annotations say something to people and nothing to a check.
func annotations() []string {
	return []string{"$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
}

// ParseSchema reads a schema: true, false, or an object of the keywords type, properties, required, additionalProperties, items, enum, const, minimum,
// maximum, exclusiveMinimum, exclusiveMaximum, pattern, and least and greatest lengths, items and properties. Annotations are allowed. What has any other
// keyword is refused, since a check that is left out would be one that is not made. Errors: ErrJSON, ErrConfig.
//
// Spec: runner-marketplace §2.3, §6.3.
func ParseSchema(text []byte) (*Schema, error) {
	v, err := ParseJSON(text)
	if err != nil {
		return nil, err
	}
	s, err := readSchema(&v)
	if err != nil {
		return nil, err
	}
	if s.measure(s); s.steps > MaxSchemaSteps {
		return nil, config("schema", "patterns have at most %d steps together", MaxSchemaSteps)
	}
	return s, nil
}

// measure adds up the steps of the patterns of a schema, and of those within it, in the schema that was parsed.
func (s *Schema) measure(all *Schema) {
	own := s.steps
	if s != all {
		all.steps += own
	}
	all.longest = max(all.longest, own)
	for _, p := range s.properties {
		p.schema.measure(all)
	}
	for _, inner := range [...]*Schema{s.others, s.items} {
		if inner != nil {
			inner.measure(all)
		}
	}
}

func readSchema(v *Value) (*Schema, error) {
	if v.Kind == Bool {
		return &Schema{never: !v.Truth}, nil
	}
	if v.Kind != Object {
		return nil, config("schema", "is an object, true or false")
	}
	s := new(Schema)
	for i := range v.Members {
		if err := s.keyword(v.Members[i].Name, &v.Members[i].Value); err != nil {
			return nil, err
		}
	}
	slices.Sort(s.required)
	return s, nil
}

// keyword reads one keyword.
func (s *Schema) keyword(name string, v *Value) (err error) {
	if at := slices.Index(limitNames(), name); at >= 0 {
		if v.Kind != Num {
			return config("schema", "%s is a number", name)
		}
		s.numbers[at] = &v.Number
		return nil
	}
	if at := slices.Index(boundNames(), name); at >= 0 {
		n, ok := v.Number, v.Kind == Num
		whole := uint64(0)
		if ok {
			whole, ok = n.Whole()
		}
		if !ok {
			return config("schema", "%s is a whole number", name)
		}
		s.counts[at] = &whole
		return nil
	}
	switch name {
	case "type":
		return s.readTypes(v)
	case "properties":
		return s.readProperties(v)
	case "required":
		return s.readRequired(v)
	case "additionalProperties":
		if v.Kind == Bool {
			s.closed = !v.Truth
			return nil
		}
		s.others, err = readSchema(v)
		return err
	case "items":
		s.items, err = readSchema(v)
		return err
	case "enum":
		if v.Kind != List {
			return config("schema", "enum is a list")
		}
		return s.only(v.List)
	case "const":
		return s.only([]Value{*v})
	case "pattern":
		if v.Kind != Text {
			return config("schema", "pattern is a text")
		}
		s.pattern = &pattern{text: v.Text}
		s.steps, err = readPattern(v.Text)
		return err
	}
	if !slices.Contains(annotations(), name) {
		return config("schema", "there is no keyword %.64q", name)
	}
	return nil
}

// only takes a list of values as those allowed, none of them a list or an object, so that to compare is short. Two lists, of enum and of const, allow what
// is on both.
func (s *Schema) only(list []Value) error {
	all := [][]byte{}
	for i := range list {
		if list[i].Kind >= List {
			return config("schema", "enum and const have no lists and objects")
		}
		all = append(all, list[i].canonical(nil))
	}
	slices.SortFunc(all, func(a, b []byte) int { return cmp.Compare(string(a), string(b)) })
	if s.enum != nil {
		all = slices.DeleteFunc(all, func(one []byte) bool { return !among(s.enum, one) })
	}
	s.enum = all
	return nil
}

func among(sorted [][]byte, one []byte) bool {
	_, ok := slices.BinarySearchFunc(sorted, one, func(a, b []byte) int { return cmp.Compare(string(a), string(b)) })
	return ok
}

func (s *Schema) readTypes(v *Value) error {
	list := []Value{*v}
	if v.Kind == List {
		list = v.List
	}
	for i := range list {
		at := slices.Index(typeNames(), list[i].Text)
		if list[i].Kind != Text || at < 0 {
			return config("schema", "type is one of %v, or a list of them", typeNames())
		}
		s.types |= 1 << at
	}
	if s.types == 0 {
		return config("schema", "type is an empty list")
	}
	return nil
}

func (s *Schema) readProperties(v *Value) error {
	if v.Kind != Object {
		return config("schema", "properties is an object")
	}
	for i := range v.Members {
		inner, err := readSchema(&v.Members[i].Value)
		if err != nil {
			return err
		}
		s.properties = append(s.properties, property{v.Members[i].Name, inner})
	}
	return nil
}

func (s *Schema) readRequired(v *Value) error {
	if v.Kind != List {
		return config("schema", "required is a list of names")
	}
	for i := range v.List {
		if v.List[i].Kind != Text {
			return config("schema", "required is a list of names")
		}
		s.required = append(s.required, v.List[i].Text)
	}
	return nil
}

// Valid holds a value against the schema. Each value within it is held against one schema, and each text against one pattern, so that the work is bounded by
// the sizes of both.
//
// Spec: runner-marketplace §2.3, §6.3.
func (s *Schema) Valid(v *Value) bool {
	if s.never || !s.allowsType(v) || s.enum != nil && (v.Kind >= List || !among(s.enum, v.canonical(nil))) {
		return false
	}
	switch v.Kind {
	case Num:
		return s.allowsNumber(v.Number)
	case Text:
		return s.within(minLength, utf8.RuneCountInString(v.Text)) && (s.pattern == nil || s.pattern.matches(v.Text))
	case List:
		return s.allowsList(v)
	case Object:
		return s.allowsObject(v)
	}
	return true
}

func (s *Schema) allowsType(v *Value) bool {
	if s.types == 0 || s.types>>v.Kind&1 == 1 {
		return true
	}
	return v.Kind == Num && s.types>>integerType&1 == 1 && v.Number.integer()
}

func (s *Schema) allowsNumber(n Number) bool {
	for at, limit := range s.numbers {
		if limit == nil {
			continue
		}
		c := n.Cmp(*limit)
		switch at {
		case minimum:
			if c < 0 {
				return false
			}
		case maximum:
			if c > 0 {
				return false
			}
		case exclusiveMinimum:
			if c <= 0 {
				return false
			}
		case exclusiveMaximum:
			if c >= 0 {
				return false
			}
		}
	}
	return true
}

// within holds a size against the bound at a place, and the one behind it, which is the greatest.
func (s *Schema) within(least, size int) bool {
	low, high := s.counts[least], s.counts[least+1]
	return (low == nil || uint64(size) >= *low) && (high == nil || uint64(size) <= *high)
}

func (s *Schema) allowsList(v *Value) bool {
	if !s.within(minItems, len(v.List)) {
		return false
	}
	if s.items != nil {
		for i := range v.List {
			if !s.items.Valid(&v.List[i]) {
				return false
			}
		}
	}
	return true
}

func (s *Schema) allowsObject(v *Value) bool {
	if !s.within(minProperties, len(v.Members)) {
		return false
	}
	for _, name := range s.required {
		if _, ok := v.Member(name); !ok {
			return false
		}
	}
	for i := range v.Members {
		m := &v.Members[i]
		at, ok := slices.BinarySearchFunc(s.properties, m.Name, func(p property, name string) int { return cmp.Compare(p.name, name) })
		switch {
		case ok && !s.properties[at].schema.Valid(&m.Value):
			return false
		case !ok && s.closed:
			return false
		case !ok && s.others != nil && !s.others.Valid(&m.Value):
			return false
		}
	}
	return true
}
