"""Receives webhooks and verifies them. Needs Python 3.9 or newer, and no library.

WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
"""

import base64
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/webhooks"
SECRETS = os.environ.get("WEBHOOK_SECRET", "").split(",")
# Set TILLHOOK_REQUIRE_TIMESTAMP=false only if a gateway drops the webhook-* headers: replays are then possible.
REQUIRE_TIMESTAMP = os.environ.get("TILLHOOK_REQUIRE_TIMESTAMP") != "false"


# verify:start
# sign:start
def webhook_signature(secret, id, timestamp, raw_body):
    """The HMAC key is the decoded secret. The signature covers the id, the timestamp and the body."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + raw_body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
# sign:end


def service_signature(secret, raw_body):
    """The HMAC key is the secret as text. The signature covers only the body."""
    return hmac.digest(secret.encode(), raw_body, "sha256").hex()


def is_ours(headers, raw_body, secrets, now, require_timestamp=True):
    def is_any(given, expected):
        return any(hmac.compare_digest(one.encode(), other.encode()) for one in given for other in expected)

    standard = headers.get("webhook-signature")
    if standard is None and not require_timestamp:
        service = headers.get("X-Service-Signature", "")
        return is_any([service], [service_signature(secret, raw_body) for secret in secrets])
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    expected = [webhook_signature(secret, id, timestamp, raw_body) for secret in secrets]
    # During a rotation there are several signatures, one for each secret.
    return is_any((standard or "").split(" "), expected) and abs(now - int(timestamp)) <= 300
# verify:end


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        # The signature covers the raw bytes of the body, so they are read before the body is parsed.
        length = int(self.headers.get("Content-Length", 0))
        raw_body = self.rfile.read(max(0, min(length, 1_000_000)))
        if self.path != PATH:
            return self.answer(404)
        if not is_ours(self.headers, raw_body, SECRETS, time.time(), REQUIRE_TIMESTAMP):
            return self.answer(400)
        event = json.loads(raw_body)
        # The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
        # slow work into a queue, because the service waits for this response.
        print("Verified:", event["event"], flush=True)
        if event["event"] == "checkout.success":
            print("Paid:", event["data"]["reference"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    if not all(re.fullmatch(r"whsec_[\w+/=]{32,}", secret) for secret in SECRETS):
        sys.exit("Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_")
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
