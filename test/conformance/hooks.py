"""What a schema cannot tell schemathesis. Only well-formed values are touched, so what is broken on purpose stays broken."""

import re
import uuid

import schemathesis

THREE_LETTERS = re.compile(r"[A-Z]{3}")
PRINTABLE = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Makes well-formed values meaningful, so that a call gets past them to what it is about."""
    # Three capital letters are mostly no currency of ISO 4217, which is `unsupported_currency` in the contract's own words.
    for place in (case.body, case.query):
        if isinstance(place, dict) and isinstance(place.get("currency"), str):
            if THREE_LETTERS.fullmatch(place["currency"]):
                place["currency"] = "NGN"
    # A key that comes again with another request is refused, as it should be; each request here is another.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and PRINTABLE.fullmatch(key):
        case.headers["Idempotency-Key"] = f"{key[:200]}{uuid.uuid4()}"
