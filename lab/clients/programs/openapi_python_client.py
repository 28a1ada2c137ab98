import json
import os

from tillhook.api.events import get_event, list_events
from tillhook.api.payments import create_checkout, get_payment, list_payments
from tillhook.api.webhook_endpoints import list_webhook_endpoints, register_webhook_endpoint
from tillhook.client import AuthenticatedClient
from tillhook.models.checkout_request import CheckoutRequest
from tillhook.models.checkout_success_event import CheckoutSuccessEvent
from tillhook.models.webhook_endpoint_request import WebhookEndpointRequest

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


client = AuthenticatedClient(base_url=url, token=key)
checkout_client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="x-api-key")

created = create_checkout.sync(
    client=checkout_client, body=CheckoutRequest(email="ada@example.com", amount=5_000_000_000)
)
assert created.success and created.data.checkout_url, created

listed = list_payments.sync(client=client)
assert listed.payments[0].amount == 5_000_000_000, listed
assert listed.payments[0].status == "pending", listed

endpoint = register_webhook_endpoint.sync(
    client=client, body=WebhookEndpointRequest(url="https://203.0.114.10/webhooks")
)
assert endpoint.secret.startswith("whsec_"), endpoint
assert list_webhook_endpoints.sync(client=client).total >= 1

missing = get_payment.sync(client=client, reference="ref_that_is_not_there")
assert missing.error.code == f"resource_not_found{suffix}", missing

page = list_events.sync(client=client, limit=100).events
assert len({check(record) for record in page}) == 8, page
for record in page:
    assert check(get_event.sync(client=client, id=record.id)) == record.event, record

event = CheckoutSuccessEvent.from_dict(json.loads(os.environ["WEBHOOK_BODY"]))
assert event.event == "checkout.success" and event.data.amount == 5_000_000_000, event
