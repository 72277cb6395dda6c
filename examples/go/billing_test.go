// Tests a call, and Verify of verify.go (in docs/other-languages.md), against the mock. Run `go test verify.go billing_test.go`.
package billing

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// call sends a request, and fails the test unless it succeeds.
func call(t *testing.T, method, url, token, body string) string {
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Service-Version", "2025-01")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	received, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		t.Fatal(url, response.Status, string(received))
	}
	return string(received)
}

func TestBilling(t *testing.T) {
	command := exec.Command(
		"npx", "@billing-service/sdk", "mock", "--port", "0", "--json", "--stdin",
	)
	stdin, _ := command.StdinPipe()
	stdout, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer stdin.Close() // with --stdin, this stops the mock
	var mock struct {
		URL    string // the base URL of your client
		Tokens struct{ OAT string }
	}
	// Waits until the mock accepts requests.
	if err := json.NewDecoder(stdout).Decode(&mock); err != nil {
		t.Fatal(err)
	}

	t.Run("counts a call once", func(t *testing.T) {
		call(t, "POST", mock.URL+"/__mock/reset", "", "")
		ingest := mock.URL + "/v1/events/ingest"
		var customer struct{ ID string }
		json.Unmarshal([]byte(call(t, "POST", mock.URL+"/__mock/customers", "", "{}")), &customer)
		event := fmt.Sprintf(`{"name": "api.call", "customer_id": %q, "external_id": "call-1"}`, customer.ID)
		body := `{"events": [` + event + `]}`
		first, second := `{"inserted":1,"duplicates":0}`, `{"inserted":0,"duplicates":1}`
		for _, expected := range []string{first, second} {
			if received := call(t, "POST", ingest, mock.Tokens.OAT, body); received != expected {
				t.Error(received)
			}
		}
	})

	t.Run("accepts a signed webhook", func(t *testing.T) {
		secret := "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		for _, standard := range []bool{true, false} {
			call(t, "POST", mock.URL+"/__mock/reset", "", "")
			receive := func(response http.ResponseWriter, request *http.Request) {
				body, _ := io.ReadAll(request.Body)
				if err := Verify(request.Header, body, secret, standard); err != nil {
					response.WriteHeader(401)
				}
			}
			app := httptest.NewServer(http.HandlerFunc(receive))
			defer app.Close()
			fields := `{"url": %q, "secret": %q, "uses_standard_webhook_signature": %t}`
			endpoint := fmt.Sprintf(fields, app.URL, secret, standard)
			call(t, "POST", mock.URL+"/__mock/webhook-endpoints", "", endpoint)
			event := `{"type": "order.paid", "data": {"id": "ord_1"}}`
			call(t, "POST", mock.URL+"/__mock/webhooks/emit", "", event)
			call(t, "POST", mock.URL+"/__mock/webhooks/idle", "", "")
			deliveries := call(t, "GET", mock.URL+"/__mock/webhooks/deliveries", "", "")
			if !strings.Contains(deliveries, `"response_status":200`) {
				t.Error(deliveries)
			}
		}
	})
}
