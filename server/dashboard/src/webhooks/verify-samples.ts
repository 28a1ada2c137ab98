/**
 * Receivers that verify `webhook-signature`, for one endpoint's address. Choice: a small set of our own, because the guide of
 * the docs has Node and parts of two more languages, and none with an address. All but Node's do without a library, so that the
 * code shows all that there is to do. Each was run against what the SDK signs, with both secrets of a rotation, a wrong one, a
 * changed body and an old time; `test/unit/verify-samples.test.ts` runs Node's, whose program is always there. After a change
 * of another one, run it.
 */
export interface Sample {
  name: string;
  /** What it needs to run, in a sentence. */
  needs: string;
  code: string;
}

export function verifySamples(url: string): Sample[] {
  const { path, port } = routeOf(url);
  return [
    { name: 'Node', needs: 'Needs @tillhook/sdk and express.', code: node(path, port) },
    { name: 'Python', needs: 'Needs Flask, and nothing else beside Python 3.9.', code: python(path, port) },
    { name: 'PHP', needs: `Needs PHP 8 and nothing else. The file that answers ${path}.`, code: php() },
    { name: 'Go', needs: 'Needs nothing but Go’s own library.', code: go(path, port) },
    { name: 'Ruby', needs: 'Needs sinatra, rackup and puma.', code: ruby(path, port) },
    { name: 'Java', needs: 'Needs nothing but Java 17.', code: java(path, port) },
  ];
}

/** Behind a proxy a receiver listens at a port of its own; on this machine at the one in the address. */
function routeOf(url: string): { path: string; port: number } {
  const { pathname, port, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.');
  // What is no plain path would have to be written in another way in each language.
  const path = /^[\w./~-]+$/.test(pathname) ? pathname : '/webhooks';
  return { path, port: isLocal && port !== '' ? Number(port) : 4000 };
}

const node = (path: string, port: number) => `import { unwrap, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import express from 'express';

const secrets = process.env.TILLHOOK_WEBHOOK_SECRET.split(',');
const app = express();

// The signature covers the bytes as they were sent: no express.json() may stand before this route.
app.post('${path}', express.raw({ type: '*/*' }), async (request, response) => {
  try {
    const event = await unwrap(request.body ?? '', request.headers, secrets);
    // The same event can come twice: remember the header webhook-id, and do nothing the second time.
    if (event.event === 'checkout.success') console.log('Paid:', event.data.reference);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.code);
  }
});

app.listen(${port});
`;

const python = (path: string, port: number) => `import base64, hmac, os, time
from flask import Flask, request

SECRETS = os.environ['TILLHOOK_WEBHOOK_SECRET'].split(',')
app = Flask(__name__)


def is_ours(headers, raw_body):
    id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f'{id}.{timestamp}.'.encode() + raw_body
    keys = [base64.b64decode(secret.removeprefix('whsec_')) for secret in SECRETS]
    expected = [b'v1,' + base64.b64encode(hmac.digest(key, signed, 'sha256')) for key in keys]
    given = headers.get('webhook-signature', '').encode().split(b' ')
    return any(hmac.compare_digest(ours, theirs) for ours in expected for theirs in given)


@app.post('${path}')
def webhook():
    # The bytes as they were sent, before anything parses them.
    if not is_ours(request.headers, request.get_data()):
        return 'signature does not match', 400
    event = request.get_json()
    # The same event can come twice: remember the header webhook-id, and do nothing the second time.
    if event['event'] == 'checkout.success':
        print('Paid:', event['data']['reference'])
    return '', 204


if __name__ == '__main__':
    app.run(port=${port})
`;

const php = () => `<?php
function is_ours(string $rawBody, array $secrets): bool {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
        foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
            if (hash_equals($expected, $given)) return true;
        }
    }
    return false;
}

// The bytes as they were sent, before anything parses them.
$rawBody = file_get_contents('php://input');
if (!is_ours($rawBody, explode(',', getenv('TILLHOOK_WEBHOOK_SECRET')))) {
    http_response_code(400);
    exit('signature does not match');
}
$event = json_decode($rawBody, true);
// The same event can come twice: remember the header webhook-id, and do nothing the second time.
if ($event['event'] === 'checkout.success') error_log('Paid: ' . $event['data']['reference']);
http_response_code(204);
`;

const go = (path: string, port: number) => `package main

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

const ruby = (path: string, port: number) => `require 'base64'
require 'json'
require 'openssl'
require 'sinatra'

SECRETS = ENV.fetch('TILLHOOK_WEBHOOK_SECRET').split(',')
set :port, ${port}

def ours?(env, raw_body)
  id, timestamp = env['HTTP_WEBHOOK_ID'].to_s, env['HTTP_WEBHOOK_TIMESTAMP'].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  SECRETS.any? do |secret|
    key = Base64.decode64(secret.delete_prefix('whsec_'))
    expected = 'v1,' + Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}." + raw_body))
    env['HTTP_WEBHOOK_SIGNATURE'].to_s.split(' ').any? { |given| OpenSSL.secure_compare(expected, given) }
  end
end

post '${path}' do
  # The bytes as they were sent, before anything parses them.
  raw_body = request.body.read
  halt 400, 'signature does not match' unless ours?(request.env, raw_body)
  event = JSON.parse(raw_body)
  # The same event can come twice: remember the header webhook-id, and do nothing the second time.
  puts "Paid: #{event['data']['reference']}" if event['event'] == 'checkout.success'
  204
end
`;

const java = (path: string, port: number) => `import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final String[] SECRETS = System.getenv("TILLHOOK_WEBHOOK_SECRET").split(",");

  static boolean isOurs(Headers headers, byte[] rawBody) throws Exception {
    String id = Objects.requireNonNullElse(headers.getFirst("webhook-id"), "");
    String timestamp = Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), "");
    String signatures = Objects.requireNonNullElse(headers.getFirst("webhook-signature"), "");
    if (!timestamp.matches("\\\\d{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
    for (String secret : SECRETS) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
      mac.update((id + "." + timestamp + ".").getBytes());
      String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
      for (String given : signatures.split(" ")) {
        if (MessageDigest.isEqual(expected.getBytes(), given.getBytes())) return true;
      }
    }
    return false;
  }

  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(${port}), 0);
    server.createContext("${path}", exchange -> {
      int status = 500;
      try {
        // The bytes as they were sent, before anything parses them.
        byte[] rawBody = exchange.getRequestBody().readAllBytes();
        status = isOurs(exchange.getRequestHeaders(), rawBody) ? 204 : 400;
        // The same event can come twice: remember the header webhook-id, and do nothing the second time.
        if (status == 204) System.out.println("Verified: " + new String(rawBody));
      } catch (Exception error) {
        error.printStackTrace();
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
`;
