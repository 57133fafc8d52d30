package suite

import (
	"encoding/xml"
	"os"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     float64     `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    float64       `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as the XML that build servers read.
func (r *Report) WriteJUnit(path string) error {
	s := junitSuite{Name: "cowboy test", Tests: len(r.Tests), Failures: r.Failed()}
	for i := range r.Tests {
		t := &r.Tests[i]
		c := junitCase{Class: t.File, Name: t.Name, Time: t.Took.Seconds(), Output: t.Output}
		if c.Name == "" {
			c.Name = "story"
		}
		if !t.OK {
			c.Failure = &junitFailure{"failed", t.Failure}
		}
		s.Time += c.Time
		s.Cases = append(s.Cases, c)
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(xml.Header), append(text, '\n')...), 0o644)
}
