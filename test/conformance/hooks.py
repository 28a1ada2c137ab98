"""What a schema cannot tell schemathesis. Only well-formed values are touched, so what is broken on purpose stays broken."""

import os
import re
import uuid

import requests
import schemathesis

THREE_LETTERS = re.compile(r"[A-Z]{3}")
PRINTABLE = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")
PASSWORD = re.compile(r"[^\0]{1,256}", re.DOTALL)
EMAIL = re.compile(r"[a-z0-9.]{1,60}@[a-z0-9]{1,60}\.[a-z]{2,20}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


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
    in_dashboard = dashboard.get(case.operation.definition.raw["operationId"])
    if in_dashboard:
        in_dashboard(case)


def with_password(case):
    """Whoever gives this password signs in."""
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("password"), str) and PASSWORD.fullmatch(body["password"]):
        body["password"] = os.environ["TILLHOOK_PASSWORD"]
        if isinstance(body.get("email"), str) and EMAIL.fullmatch(body["email"]):
            body["email"] = os.environ["TILLHOOK_EMAIL"]


def with_endpoint(case):
    """Whoever gives the password is shown the secret of an endpoint that is there."""
    with_password(case)
    if UUID.fullmatch(str((case.path_parameters or {}).get("id"))):
        case.path_parameters["id"] = os.environ["TILLHOOK_ENDPOINT_ID"]


def with_session_of_its_own(case):
    """Signing out must not end the session that all other calls come with."""
    if (case.cookies or {}).get("tillhook_session") == os.environ["TILLHOOK_SESSION"]:
        typed = {"email": os.environ["TILLHOOK_EMAIL"], "password": os.environ["TILLHOOK_PASSWORD"]}
        signed_in = requests.post(f"{os.environ['TILLHOOK_URL']}{case.path}", json=typed, timeout=10)
        case.cookies["tillhook_session"] = signed_in.cookies["tillhook_session"]


def with_another_key(case):
    """Nor may the key end that they come with."""
    if (case.path_parameters or {}).get("id") == os.environ["TILLHOOK_KEY_ID"]:
        case.path_parameters["id"] = str(uuid.uuid4())


def over_a_week(case):
    """Two moments that are made up are mostly in the wrong order, or further apart than what is counted at once."""
    moments = [case.query[name] for name in ("from", "to") if name in (case.query or {})]
    if moments and all(isinstance(moment, str) and MOMENT.fullmatch(moment) for moment in moments):
        case.query.pop("from", None)


dashboard = {
    "signIn": with_password,
    "revealWebhookSecret": with_endpoint,
    "signOut": with_session_of_its_own,
    "rollApiKey": with_another_key,
    "revokeApiKey": with_another_key,
    "getStatistics": over_a_week,
}
