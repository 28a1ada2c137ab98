"""Creates a checkout and prints its URL. Needs Python 3.9 or newer, and no library."""

import json
import os
import sys
import uuid
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

base_url = os.environ.get("TILLHOOK_BASE_URL", "http://localhost:3000")
headers = {
    "x-api-key": os.environ["TILLHOOK_API_KEY"],
    "Content-Type": "application/json",
    # After a lost response, repeat the call with the same Idempotency-Key: this creates no second checkout.
    "Idempotency-Key": str(uuid.uuid4()),
}
# The amount is in the minor unit of your currency.
checkout = {"email": "ada@example.com", "amount": 500000}

request = Request(f"{base_url}/api/v1/payments/checkout", json.dumps(checkout).encode(), headers)
try:
    with urlopen(request, timeout=30) as answer:
        print(json.load(answer)["data"]["checkoutUrl"])
except HTTPError as error:
    sys.exit(f"{error.code}: {error.read().decode()}")
except URLError as error:
    sys.exit(f"{base_url} does not answer: {error.reason}")
