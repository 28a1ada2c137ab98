export const go = (path: string, port: number) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isOurs(header http.Header, rawBody []byte, secrets []string) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "." + string(rawBody)))
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(expected), []byte(given)) {
				return true
			}
		}
	}
	return false
}

func main() {
	secrets := strings.Split(os.Getenv("TILLHOOK_WEBHOOK_SECRET"), ",")
	http.HandleFunc("POST ${path}", func(response http.ResponseWriter, request *http.Request) {
		// The bytes as they were sent, before anything parses them.
		rawBody, err := io.ReadAll(request.Body)
		if err != nil || !isOurs(request.Header, rawBody, secrets) {
			http.Error(response, "signature does not match", http.StatusBadRequest)
			return
		}
		var event struct {
			Event string
			Data  struct{ Reference string }
		}
		if err := json.Unmarshal(rawBody, &event); err != nil {
			http.Error(response, "no JSON", http.StatusBadRequest)
			return
		}
		// The same event can come twice: remember the header webhook-id, and do nothing the second time.
		if event.Event == "checkout.success" {
			log.Println("Paid:", event.Data.Reference)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":${port}", nil))
}
`;
