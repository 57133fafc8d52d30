package wire

// Parameter is one governed number. Spec: WP §13.1.
type Parameter struct {
	Key   string `json:"key"`  // the governance key of its group
	Name  string `json:"name"` // group.field
	Value string `json:"value"`
}
