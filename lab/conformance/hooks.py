"""Puts values into the requests of schemathesis that no schema describes: ids of existing rows, and accepted values.

The hooks change only the valid parts of a request, so that deliberate mistakes stay. A request of the stateful phase keeps its
ids, because they come from the responses to earlier requests.
"""

import atexit
import collections
import json
import os
import re
import uuid

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

THREE_LETTERS = re.compile(r"[A-Z]{3}")
PRINTABLE = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")
PASSWORD = re.compile(r"[^\0]{1,256}", re.DOTALL)
# Matches a URL up to the first dot of a host that may have more than 253 characters.
LONG_HOST = re.compile(r"^(https?://[^/?#.]+)\.(?=[^/?#]{190})")
EMAIL = re.compile(r"[a-z0-9.]{1,60}@[a-z0-9]{1,60}\.[a-z]{2,20}")

# Every fourth valid request of an operation keeps a made-up id, so that the operation also answers 404.
MADE_UP_IN = 4
# Every third valid request asks for CSV, if the operation supports CSV. schemathesis itself sends `Accept: */*`.
FILE_IN = 3

KEY = os.environ["TILLHOOK_KEY"]
SESSION = os.environ["TILLHOOK_SESSION"]

IS_SHORT = os.environ["TILLHOOK_SHORT"] == "true"

input_server = requests.Session()
# Requests that only read, or that are refused, change no rows, so all such requests of an operation share the same rows.
arranged = {}
valid_requests = collections.Counter()
real = set()
calls = collections.Counter()
carried_out = collections.Counter()
covered = set()


@schemathesis.hook
def filter_case(_context, case):
    """Skips, in a short run, a kind of value or mistake that was already sent in the same part of a request."""
    phase = case._meta.phase
    if not IS_SHORT or phase.name != TestPhase.COVERAGE:
        return True
    part = phase.data.parameter_location
    kind = (operation_of(case), phase.data.scenario, part, case._meta.generation.mode)
    is_new = kind not in covered
    covered.add(kind)
    return is_new


@schemathesis.hook
def before_call(_context, case, _kwargs):
    # The server refuses the `Idempotency-Key` of an earlier request, so each request gets a new key.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and PRINTABLE.fullmatch(key):
        case.headers["Idempotency-Key"] = f"{key[:200]}{uuid.uuid4()}"
    if is_valid(case, ParameterLocation.QUERY) and case.query:
        # No row has a made-up id in `after`, `after` excludes `offset`, and `wait` would delay the run.
        case.query.pop("after", None)
        case.query.pop("wait", None)
    if case._meta.phase.name == TestPhase.STATEFUL:
        in_a_sequence(case)
    elif is_let_in(case):
        about_what_is_there(case)


@schemathesis.hook
def after_call(_context, case, response):
    """An unexpected success may have changed the shared rows of the operation, so these rows are discarded."""
    calls[operation_of(case)] += 1
    if 200 <= response.status_code < 300:
        carried_out[operation_of(case)] += 1
        if case.method.upper() != "GET":
            arranged.pop(operation_of(case), None)


@schemathesis.deserializer("text/csv")
def read_csv(_context, response):
    """schemathesis checks a CSV file only if a deserializer returns it as its schema describes it: as a string."""
    return response.text


@schemathesis.check
def real_request_is_carried_out(_context, response, case):
    """Checks that a valid request about an existing row succeeds."""
    if case.id in real:
        assert 200 <= response.status_code < 300, f"A valid request about an existing row got {response.status_code}."


@atexit.register
def report():
    with open(os.environ["TILLHOOK_COUNTS"], "w", encoding="utf-8") as file:
        json.dump({name: [carried_out[name], calls[name]] for name in calls}, file)


def operation_of(case):
    return case.operation.definition.raw["operationId"]


def is_valid(case, location):
    component = case._meta.components.get(location)
    return component is None or not component.mode.is_negative


def is_let_in(case):
    """False for requests that have no or wrong credentials on purpose."""
    headers, cookies = case.headers or {}, case.cookies or {}
    key = headers.get("x-api-key") or (headers.get("authorization") or "").removeprefix("Bearer ")
    return KEY == key or SESSION == cookies.get("tillhook_session") or not security_of(case)


def about_what_is_there(case):
    operation = operation_of(case)
    is_whole = case._meta.generation.mode.is_positive
    valid_requests[operation] += is_whole
    with_session = comes_with_session(case) or (
        is_whole and valid_requests[operation] % 2 == 0 and takes_session(case)
    )
    found = find_real_input(case, operation, is_whole, with_session)
    let_in(case, found, with_session)
    if is_whole and valid_requests[operation] % FILE_IN == 0 and has_files(case):
        case.headers["Accept"] = "text/csv"
    keeps_made_up = is_whole and case.path_parameters and valid_requests[operation] % MADE_UP_IN == 0
    if is_valid(case, ParameterLocation.PATH) and not keeps_made_up:
        replace(case.path_parameters, found.get("path"))
    if is_valid(case, ParameterLocation.QUERY):
        replace(case.query, found.get("query"))
    if is_valid(case, ParameterLocation.BODY):
        shorten_hosts(case.body)
        replace(case.body, found.get("body"))
    if is_whole and not keeps_made_up:
        real.add(case.id)


def find_real_input(case, operation, is_whole, with_session):
    valid = {"withSession": with_session}
    if is_valid(case, ParameterLocation.QUERY):
        valid["query"] = case.query or {}
    if is_valid(case, ParameterLocation.BODY) and isinstance(case.body, dict):
        valid["body"] = case.body
    if is_whole and case.method.upper() != "GET":
        return ask(operation, valid)
    places = [place for place in ("query", "body") if place in valid]
    names = str((with_session, sorted((place, name) for place in places for name in valid[place])))
    found = arranged.setdefault(operation, {})
    if names not in found:
        found[names] = ask(operation, valid)
    return found[names]


def ask(operation, valid):
    answer = input_server.post(f"{os.environ['TILLHOOK_INPUT_SERVER']}/{operation}", json=valid, timeout=60)
    answer.raise_for_status()
    return answer.json()


def comes_with_session(case):
    return (case.cookies or {}).get("tillhook_session") == SESSION


def takes_session(case):
    return any("dashboardSession" in alternative for alternative in security_of(case))


def security_of(case):
    definition = case.operation.definition.raw
    return definition.get("security", case.operation.schema.raw_schema.get("security", []))


def has_files(case):
    return "text/csv" in case.operation.definition.raw["responses"].get("200", {}).get("content", {})


def let_in(case, found, with_session):
    if comes_with_session(case):
        case.cookies["tillhook_session"] = found["session"]
        if "mode" in found:
            case.headers["X-Service-Mode"] = found["mode"]
        return
    for name, value in (("Authorization", f"Bearer {KEY}"), ("X-Api-Key", KEY)):
        if (case.headers or {}).get(name) == value:
            if with_session:
                del case.headers[name]
                case.headers["X-Service-Mode"] = "test"
                case.cookies = {**(case.cookies or {}), "tillhook_session": found["session"]}
            else:
                case.headers[name] = value.replace(KEY, found["key"])


def replace(place, values):
    """Replaces the values of the given names. A null removes a field, and the other fields then take its part."""
    values = values or {}
    if not isinstance(place, dict):
        return
    is_instead = None in values.values()
    for name, value in values.items():
        if value is None:
            place.pop(name, None)
        elif is_instead or name in place:
            place[name] = value


def shorten_hosts(body):
    """Shortens hosts that are too long for DNS. The path begins after the first label, so the URL keeps its length."""
    for name, value in (body.items() if isinstance(body, dict) else ()):
        if isinstance(value, str):
            body[name] = LONG_HOST.sub(r"\1/", value)


def in_a_sequence(case):
    """Changes a request of the stateful phase as little as possible, because other requests of its sequence depend on it."""
    shorten_hosts(case.body)
    for place in (case.body, case.query):
        if isinstance(place, dict) and isinstance(place.get("currency"), str):
            # Three random capital letters are rarely an ISO 4217 currency.
            if THREE_LETTERS.fullmatch(place["currency"]):
                place["currency"] = "NGN"
    change = sequence.get(operation_of(case))
    if change:
        change(case)


def with_password(case):
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("password"), str) and PASSWORD.fullmatch(body["password"]):
        body["password"] = os.environ["TILLHOOK_PASSWORD"]
        if isinstance(body.get("email"), str) and EMAIL.fullmatch(body["email"]):
            body["email"] = os.environ["TILLHOOK_EMAIL"]


def with_another_session(case):
    """Signs out of a new session, because all other requests need the session of the run."""
    if (case.cookies or {}).get("tillhook_session") == SESSION:
        case.cookies["tillhook_session"] = ask("signOut", {"withSession": True})["session"]


def with_another_key(case):
    """Replaces the id of the run's key, which must not be rolled or revoked, because all other requests need it."""
    if (case.path_parameters or {}).get("id") == os.environ["TILLHOOK_KEY_ID"]:
        case.path_parameters["id"] = str(uuid.uuid4())


def over_a_week(case):
    """Removes `from`, because two generated times are usually in the wrong order or too far apart for one response."""
    (case.query or {}).pop("from", None)


sequence = {
    "signIn": with_password,
    "revealWebhookSecret": with_password,
    "signOut": with_another_session,
    "rollApiKey": with_another_key,
    "revokeApiKey": with_another_key,
    "getStatistics": over_a_week,
}
