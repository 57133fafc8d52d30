package rpc

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Spec: tee §2.4, §8 (2: the names of types).
func TestCollateralIsAskedForByType(t *testing.T) {
	mux := http.NewServeMux()
	(&server{Config: Config{Backend: &fake{}}}).collateral(mux)
	for name, ok := range map[string]bool{"sgx": true, "sev": true, "tdx": true, "nitro": true, "sev-snp": false, "TDX": false} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/collateral/"+name, nil))
			if said := strings.Contains(w.Body.String(), `"tee_type":"`+name+`"`); (w.Code == http.StatusOK) != ok || said != ok {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}
