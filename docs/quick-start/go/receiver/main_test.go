// Compares the receiver with the published test vectors: VECTORS=vectors.json go test
package main

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const foreign = "whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu"

type vector struct {
	Title, Secret string
	Secrets       struct {
		Own    string
		Others []string
	}
	ID        string
	Timestamp int64
	Body      string
	Expected  struct {
		Service  string `json:"X-Service-Signature"`
		Standard string `json:"webhook-signature"`
	}
}

func TestVectors(t *testing.T) {
	file, err := os.ReadFile(cmp.Or(os.Getenv("VECTORS"), "../../vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var published struct{ Vectors, Rotations []vector }
	if err := json.Unmarshal(file, &published); err != nil {
		t.Fatal(err)
	}
	for _, one := range append(published.Vectors, published.Rotations...) {
		t.Run(one.Title, func(t *testing.T) { check(t, one) })
	}
}

func check(t *testing.T, one vector) {
	secrets := append([]string{cmp.Or(one.Secret, one.Secrets.Own)}, one.Secrets.Others...)
	timestamp, body, now := strconv.FormatInt(one.Timestamp, 10), []byte(one.Body), time.Unix(one.Timestamp, 0)
	service, standard := http.Header{}, http.Header{}
	service.Set("X-Service-Signature", one.Expected.Service)
	standard.Set("webhook-id", one.ID)
	standard.Set("webhook-timestamp", timestamp)
	standard.Set("webhook-signature", one.Expected.Standard)
	timed, untimed := options{now, true}, options{now, false}
	var signatures []string
	for _, secret := range secrets {
		signatures = append(signatures, webhookSignature(secret, one.ID, timestamp, body))
		expect(t, isOurs(standard, body, []string{secret}, timed), "one secret")
	}
	expect(t, strings.Join(signatures, " ") == one.Expected.Standard, "webhook-signature")
	expect(t, serviceSignature(secrets[0], body) == one.Expected.Service, "X-Service-Signature")
	expect(t, isOurs(standard, body, []string{foreign, secrets[0]}, options{now.Add(300 * time.Second), true}), "two secrets")
	expect(t, isOurs(service, body, secrets, untimed), "X-Service-Signature alone")
	expect(t, !isOurs(service, body, secrets, timed), "no time")
	expect(t, !isOurs(standard, body, secrets, options{now.Add(301 * time.Second), true}), "an old time")
	expect(t, !isOurs(standard, body, secrets, options{now.Add(-301 * time.Second), true}), "a time to come")
	expect(t, !isOurs(standard, body, []string{foreign}, timed), "a wrong secret")
	expect(t, !isOurs(standard, append(body, ' '), secrets, timed), "a changed body")
	expect(t, !isOurs(service, append(body, ' '), secrets, untimed), "a changed body without a time")
}

func expect(t *testing.T, isRight bool, what string) {
	t.Helper()
	if !isRight {
		t.Error(what)
	}
}
