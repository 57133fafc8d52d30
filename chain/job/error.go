package job

import (
	"errors"
	"fmt"
)

// ErrSpec reports a job specification that is malformed or outside its bounds. The wrapped text names the field.
//
// Spec: runner-marketplace §12 (invalid job spec).
var ErrSpec = errors.New("job: not a job specification")

func invalid(field, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrSpec, field, fmt.Sprintf(format, args...))
}
