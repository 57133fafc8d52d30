package tee

import "encoding/binary"

// MeasurementSize is the length of a measurement in quotes. Shorter ones are filled with zeros.
const MeasurementSize = 48

// ReportSize is the length of the data that a quote carries for whoever asked for it.
const ReportSize = 64

// Report is what a quote says of its environment, as far as an attestation names it.
type Report struct {
	Measurement [MeasurementSize]byte
	Data        [ReportSize]byte
}

// layout is where the form of a quote has the two fields of a Report.
type layout struct {
	least                        int // bytes
	version                      uint16
	kind                         uint32 // behind the version, the attestation key's type and, in sgx and tdx, before the rest of the header
	measurement, measured, bound int    // where the measurement is, how long it is, and where the report's data is
}

// The places are those of DCAP's quotes of version 3 (SGX: header of 48 bytes, then the enclave's report) and version 4 (TDX 1.0: header, then the TD's
// report), and of SEV-SNP's report.
func (t Type) layout() (l layout, known bool) {
	switch t {
	case SGX:
		return layout{least: 432, version: 3, kind: 0, measurement: 112, measured: 32, bound: 368}, true
	case TDX:
		return layout{least: 632, version: 4, kind: 0x81, measurement: 184, measured: 48, bound: 568}, true
	case SEV:
		return layout{least: 1_184, measurement: 0x90, measured: 48, bound: 0x50}, true
	}
	return l, false
}

// ReadReport reads the measurement and the report's data of a quote of sgx, tdx or sev at the places where its format has them. Nothing of the quote is
// verified by that: who signed it and on what hardware is for whoever vouches for it. Quotes of nitro are CBOR of another profile than the chain's, and are
// not read here. Reject: ErrReport for a quote of another form.
//
// Spec: tee §2.2 (REPORTDATA), §4 (4, 5), §8 (6).
func ReadReport(t Type, quote []byte) (r Report, err error) {
	l, known := t.layout()
	if !known || len(quote) < l.least {
		return r, ErrReport
	}
	if t == SEV {
		if v := binary.LittleEndian.Uint32(quote); v < 2 || v > 5 {
			return r, ErrReport
		}
	} else if binary.LittleEndian.Uint16(quote) != l.version || binary.LittleEndian.Uint32(quote[4:]) != l.kind {
		return r, ErrReport
	}
	copy(r.Measurement[:], quote[l.measurement:l.measurement+l.measured])
	copy(r.Data[:], quote[l.bound:])
	return r, nil
}
