package light

import "errors"

var (
	// ErrHeader reports a header that is not of this chain, or not above the client's head.
	ErrHeader = errors.New("light: header is not of this chain or not new")
	// ErrEpoch reports a header of another epoch than the client follows.
	ErrEpoch = errors.New("light: header of another epoch")
	// ErrCertificate reports a certificate that does not make the header final.
	ErrCertificate = errors.New("light: certificate does not finalize the header")
	// ErrBoundary reports a handover before the last block of the epoch is final.
	ErrBoundary = errors.New("light: the epoch's last block is not final yet")
	// ErrHandover reports a handover that does not prove the next set.
	ErrHandover = errors.New("light: handover does not prove the next validator set")
	// ErrProof reports an answer that its proof does not bear out.
	ErrProof = errors.New("light: proof does not lead to the header's root")
	// ErrAncestor reports headers that are not the ones the final header builds on.
	ErrAncestor = errors.New("light: not an ancestor of the final header")
)
