package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Parameter is one governed number. Spec: WP §13.1.
type Parameter struct {
	Key   string `json:"key"`  // the governance key of its group
	Name  string `json:"name"` // group.field
	Value string `json:"value"`
}

// ParameterHistory answers GET /parameters/history. Spec: governance-staking B9.
type ParameterHistory struct {
	Key           string            `json:"key"`
	ConfigVersion uint64            `json:"config_version"` // changes of all groups so far
	Changes       []ParameterChange `json:"changes"`        // oldest first
	NextCursor    string            `json:"next_cursor,omitempty"`
}

// ParameterChange is the value that a group of parameters got, from the block behind Height on.
type ParameterChange struct {
	Version    uint64      `json:"version"`
	Height     uint64      `json:"height"`
	By         string      `json:"by"`
	Tx         string      `json:"tx_hash"`
	Value      string      `json:"value"`                // hexadecimal
	Parameters []Parameter `json:"parameters,omitempty"` // the fields, of a group that blocks read
}

// ParametersOf names the fields of all groups, in the order of params.Groups, which is that of the fields.
func ParametersOf(p *params.Params) []Parameter {
	var list []Parameter
	v := reflect.ValueOf(*p)
	for i, group := range p.Groups() {
		leaves(v.Field(i), v.Type().Field(i).Name, func(name string, leaf reflect.Value) {
			list = append(list, Parameter{Key: group.Key, Name: name, Value: fmt.Sprint(leaf.Interface())})
		})
	}
	return list
}

// SetParameter reads a value into the field with a name, as ParametersOf gives it and without regard to case, and gives the key of its group. Numbers are in
// the field's own unit, coins in base units. Ranges are p.Validate's.
func SetParameter(p *params.Params, name, value string) (key string, err error) {
	v := reflect.ValueOf(p).Elem()
	for i, group := range p.Groups() {
		leaves(v.Field(i), v.Type().Field(i).Name, func(at string, leaf reflect.Value) {
			if strings.EqualFold(at, name) {
				key, err = group.Key, read(leaf, at, value)
			}
		})
	}
	if key == "" {
		err = fmt.Errorf("there is no parameter %q", name)
	}
	return key, err
}

// leaves visits what is no structure and no list. An address is one value, and so is a list without entries.
func leaves(v reflect.Value, name string, visit func(string, reflect.Value)) {
	_, address := v.Interface().(account.Address)
	switch kind := v.Kind(); {
	case kind == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), name+"."+v.Type().Field(i).Name, visit)
		}
	case (kind == reflect.Slice || kind == reflect.Array) && !address && v.Len() > 0:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", name, i), visit)
		}
	default:
		visit(name, v)
	}
}

func read(leaf reflect.Value, name, text string) error {
	switch leaf.Kind() {
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(strings.ReplaceAll(text, ",", ""), 10, leaf.Type().Bits())
		if err != nil {
			return fmt.Errorf("%s is a whole number of at most %d bits, not %q", name, leaf.Type().Bits(), text)
		}
		leaf.SetUint(n)
	case reflect.Bool:
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%s is true or false, not %q", name, text)
		}
		leaf.SetBool(on)
	case reflect.String:
		leaf.SetString(text)
	default:
		return fmt.Errorf("%s is no single value; give the encoding of its group", name)
	}
	return nil
}
