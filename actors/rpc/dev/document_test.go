package dev

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
)

// TestDocument: where the controls answer, the description of the interface lists them, and each call it lists is answered by someone.
func TestDocument(t *testing.T) {
	handler := (&Controls{}).Handler(&rpc.Node{}, http.NotFoundHandler())
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", rpc.DocumentPath, nil))
	document, err := openapi3.NewLoader().LoadFromIoReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	for _, c := range documented() {
		method := strings.ToUpper(c.Method)
		if item := document.Paths.Find(c.Path); item == nil || item.Operations()[method] == nil {
			t.Errorf("%s %s is not described", method, c.Path)
		}
		if _, pattern := handler.(*http.ServeMux).Handler(httptest.NewRequest(method, c.Path, nil)); pattern != method+" "+c.Path {
			t.Errorf("%s %s goes to %q", method, c.Path, pattern)
		}
	}
}
