package dev

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
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

// TestCallsInTheBrowser: the page on which the calls are tried names the description of the interface, and everything it loads comes from this node.
//
// Spec: node-rpc-cli §1.
func TestCallsInTheBrowser(t *testing.T) {
	handler := (&Controls{}).Handler(&rpc.Node{}, http.NotFoundHandler())
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	if w := get("/swagger-ui"); w.Code/100 != 3 || w.Header().Get("Location") != TryPath {
		t.Errorf("without the last slash: %d to %q", w.Code, w.Header().Get("Location"))
	}
	page := get(TryPath).Body.String()
	if !strings.Contains(page, rpc.DocumentPath) {
		t.Errorf("the page does not name %s", rpc.DocumentPath)
	}
	loaded := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(loaded) < 3 {
		t.Errorf("the page loads %q: a script, a sheet and an icon are missing", loaded)
	}
	for _, link := range loaded {
		if w := get(link[1]); w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %d bytes", link[1], w.Code, w.Body.Len())
		}
	}
}
