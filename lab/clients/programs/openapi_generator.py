import os

import tillhook
from tillhook.models.error_response import ErrorResponse
from tillhook.models.webhook_event import WebhookEvent

url, key, suffix = os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["CODE_SUFFIX"]

def check(record):
    """Looks at the data of each kind of event."""
    if record.event == "checkout.expired":
        assert record.data.reason == f"cancelled{suffix}", record
    elif record.event.startswith("transfer."):
        assert record.data.recipient_name == "Grace Hopper", record
    elif record.event.startswith("refund."):
        assert record.data.payment_reference, record
    else:
        assert record.data.customer_email.endswith("@example.com"), record
    return record.event


client = tillhook.ApiClient(
    tillhook.Configuration(host=url, access_token=key, api_key={"apiKeyHeader": key})
)
payments = tillhook.PaymentsApi(client)
endpoints = tillhook.WebhookEndpointsApi(client)

created = payments.create_checkout(
    tillhook.CheckoutRequest(email="ada@example.com", amount=5_000_000_000)
)
assert created.success and created.data.checkout_url, created

listed = payments.list_payments()
assert listed.payments[0].amount == 5_000_000_000, listed
assert listed.payments[0].status == "pending", listed

endpoint = endpoints.register_webhook_endpoint(
    tillhook.WebhookEndpointRequest(url="https://203.0.114.10/webhooks")
)
assert endpoint.secret.startswith("whsec_"), endpoint
assert endpoints.list_webhook_endpoints().total >= 1

try:
    payments.get_payment("ref_that_is_not_there")
    raise AssertionError("The payment must be missing.")
except tillhook.ApiException as failure:
    assert ErrorResponse.from_json(failure.body).error.code == f"resource_not_found{suffix}", failure

events = tillhook.EventsApi(client)
page = [record.actual_instance for record in events.list_events(limit=100).events]
assert len({check(record) for record in page}) == 8, page
for record in page:
    assert check(events.get_event(record.id).actual_instance) == record.event, record

event = WebhookEvent.from_json(os.environ["WEBHOOK_BODY"]).actual_instance
assert event.event == "checkout.success" and event.data.amount == 5_000_000_000, event
