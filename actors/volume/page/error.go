package page

import "errors"

// The rejects of pages, one for each way in which a page can be none.
var (
	// ErrForm reports bytes that are no page.
	ErrForm = errors.New("page: not the encoding of a page")
	// ErrKind reports a page of another kind: a leaf page as the first one, or the first one as a leaf page.
	ErrKind = errors.New("page: a page of another kind")
	// ErrOrder reports paths that do not ascend, or a page that does not begin with the path its reference says.
	ErrOrder = errors.New("page: the paths of a manifest ascend")
	// ErrOverlap reports a page with paths of the next one.
	ErrOverlap = errors.New("page: a page has paths of the next one")
	// ErrCount reports entries, files, bytes or numbers that are not as many as was said.
	ErrCount = errors.New("page: not as many as was said")
	// ErrLength reports a page of a length that no page has, or that is not its own.
	ErrLength = errors.New("page: not the length of a page")
	// ErrHash reports bytes that are not those the reference is of.
	ErrHash = errors.New("page: not the bytes the reference is of")
	// ErrNumber reports a number of a stripe that there is none of, that is the first page's, or that is used twice.
	ErrNumber = errors.New("page: the number of a stripe is out of bounds or used twice")
	// ErrFree reports free numbers that are out of order or bounds, or that are used.
	ErrFree = errors.New("page: a free number is out of order, out of bounds or used")
	// ErrFull reports a manifest whose references do not fit into the first page.
	ErrFull = errors.New("page: the volume has more pages than the first one can name")
)
