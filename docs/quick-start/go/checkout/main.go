// Creates a checkout and prints its URL. Needs Go 1.22 or newer, and no library.
package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	baseURL := cmp.Or(os.Getenv("TILLHOOK_BASE_URL"), "http://localhost:3000")
	// The amount is in the minor unit of your currency.
	checkout, _ := json.Marshal(map[string]any{"email": "ada@example.com", "amount": 500000})
	request, err := http.NewRequest("POST", baseURL+"/api/v1/payments/checkout", bytes.NewReader(checkout))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("x-api-key", os.Getenv("TILLHOOK_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	// After a lost response, repeat the call with the same Idempotency-Key: this creates no second checkout.
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Idempotency-Key", hex.EncodeToString(key))

	client := &http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	var answer struct{ Data struct{ CheckoutURL string } }
	if err := json.Unmarshal(body, &answer); err != nil || answer.Data.CheckoutURL == "" {
		log.Fatalf("%s: %s", response.Status, body)
	}
	fmt.Println(answer.Data.CheckoutURL)
}
