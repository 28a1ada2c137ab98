// Receives webhooks and verifies them. Needs Go 1.22 or newer, and no library.
//
// WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// verify:start
// sign:start

// The HMAC key is the decoded secret. The signature covers the id, the timestamp and the body.
func webhookSignature(secret, id, timestamp string, rawBody []byte) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(rawBody)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// sign:end

// The HMAC key is the secret as text. The signature covers only the body.
func serviceSignature(secret string, rawBody []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	return hex.EncodeToString(mac.Sum(nil))
}

type options struct {
	now time.Time
	// False only if a gateway drops the webhook-* headers: replays are then possible.
	requireTimestamp bool
}

func isOurs(header http.Header, rawBody []byte, secrets []string, options options) bool {
	given := strings.Split(header.Get("webhook-signature"), " ")
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	isTimed := options.requireTimestamp || len(header.Values("webhook-signature")) > 0
	if !isTimed {
		given = []string{header.Get("X-Service-Signature")}
	}
	for _, secret := range secrets {
		expected := serviceSignature(secret, rawBody)
		if isTimed {
			expected = webhookSignature(secret, id, timestamp, rawBody)
		}
		// During a rotation there are several signatures, one for each secret.
		for _, signature := range given {
			if hmac.Equal([]byte(expected), []byte(signature)) {
				return !isTimed || isRecent(timestamp, options.now)
			}
		}
	}
	return false
}

func isRecent(timestamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := now.Unix() - seconds
	return err == nil && age >= -300 && age <= 300
}

// verify:end

func main() {
	secrets := strings.Split(os.Getenv("WEBHOOK_SECRET"), ",")
	for _, secret := range secrets {
		if !regexp.MustCompile(`^whsec_[\w+/=]{32,}$`).MatchString(secret) {
			log.Fatal("Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_")
		}
	}
	requireTimestamp := os.Getenv("TILLHOOK_REQUIRE_TIMESTAMP") != "false"

	http.HandleFunc("POST /webhooks", func(response http.ResponseWriter, request *http.Request) {
		// The signature covers the raw bytes of the body, so they are read before the body is parsed.
		rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1_000_000))
		if err != nil || !isOurs(request.Header, rawBody, secrets, options{time.Now(), requireTimestamp}) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct {
			Event string
			Data  json.RawMessage
		}
		if err := json.Unmarshal(rawBody, &event); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
		// slow work into a queue, because the service waits for this response.
		log.Println("Verified:", event.Event)
		if event.Event == "checkout.success" {
			var payment struct{ Reference string }
			if err := json.Unmarshal(event.Data, &payment); err != nil {
				response.WriteHeader(http.StatusBadRequest)
				return
			}
			log.Println("Paid:", payment.Reference)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	server := &http.Server{Addr: ":" + cmp.Or(os.Getenv("PORT"), "4000"), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
