use std::collections::HashSet;
use std::env::var;
use std::mem::discriminant;

use tillhook::apis::configuration::{ApiKey, Configuration};
use tillhook::apis::events_api::{get_event, list_events};
use tillhook::apis::payments_api::{create_checkout, get_payment};
use tillhook::apis::wallets_api::list_wallets;
use tillhook::apis::webhook_endpoints_api::{list_webhook_endpoints, register_webhook_endpoint};
use tillhook::apis::Error;
use tillhook::models::{self, CheckoutRequest, EventRecord, PaymentStatus, WebhookEndpointRequest, WebhookEvent};

/// Looks at the data of each kind of event, and returns the id of the event.
fn check(record: &EventRecord, suffix: &str) -> String {
    match record {
        EventRecord::CheckoutSuccess(one) => {
            assert_eq!(one.data.customer_email, "ada@example.com");
            one.id.to_string()
        }
        EventRecord::CheckoutFailed(one) => {
            assert_eq!(one.data.status, PaymentStatus::Failed);
            one.id.to_string()
        }
        EventRecord::CheckoutExpired(one) => {
            assert_eq!(one.data.reason, format!("cancelled{suffix}"));
            one.id.to_string()
        }
        EventRecord::TransferSuccess(one) => {
            assert_eq!(one.data.recipient_name, "Grace Hopper");
            one.id.to_string()
        }
        EventRecord::TransferFailed(one) => {
            assert!(one.data.failure_reason.is_some());
            one.id.to_string()
        }
        EventRecord::RefundSuccess(one) => {
            assert!(!one.data.payment_reference.is_empty());
            one.id.to_string()
        }
        EventRecord::RefundFailed(one) => {
            assert!(one.data.failure_reason.is_some());
            one.id.to_string()
        }
        EventRecord::Test(one) => one.id.to_string(),
        EventRecord::Other(other) => panic!("{other:?}"),
    }
}

fn main() {
    let (key, suffix) = (var("API_KEY").unwrap(), var("CODE_SUFFIX").unwrap());
    let mut service = Configuration::new();
    service.base_path = var("BASE_URL").unwrap();
    service.bearer_access_token = Some(key.clone());
    service.api_key = Some(ApiKey { prefix: None, key });

    let request = CheckoutRequest::new("ada@example.com".into(), 5_000_000_000);
    let created = create_checkout(&service, request, None).unwrap();
    assert!(created.success && !created.data.checkout_url.is_empty());

    let payment = get_payment(&service, &created.data.reference).unwrap();
    assert_eq!((payment.amount, payment.status), (5_000_000_000, PaymentStatus::Pending));
    assert!(list_wallets(&service, None, None).unwrap().total >= 1);

    let registration = WebhookEndpointRequest::new("https://203.0.114.10/webhooks".into());
    let endpoint = register_webhook_endpoint(&service, registration, None).unwrap();
    assert!(endpoint.secret.starts_with("whsec_"));
    assert!(list_webhook_endpoints(&service, None, None).unwrap().total >= 1);

    let missing = get_payment(&service, "ref_that_is_not_there");
    let Err(Error::ResponseError(failure)) = missing else { panic!("{missing:?}") };
    // `failure.entity` has the name of the first failure, whatever the status is, so the program reads the text.
    let body: models::ErrorResponse = serde_json::from_str(&failure.content).unwrap();
    assert_eq!((failure.status.as_u16(), body.error.code), (404, format!("resource_not_found{suffix}")));

    let page = list_events(&service, Some(100), None, None, None, None, None, None, None, None, None).unwrap();
    let mut kinds = HashSet::new();
    for record in &page.events {
        kinds.insert(discriminant(record));
        let id = check(record, &suffix);
        let read = get_event(&service, &id).unwrap();
        assert_eq!((discriminant(&read), check(&read, &suffix)), (discriminant(record), id));
    }
    assert_eq!(kinds.len(), 8);

    let event = serde_json::from_str(&var("WEBHOOK_BODY").unwrap()).unwrap();
    let WebhookEvent::CheckoutSuccess(event) = event else { panic!("{event:?}") };
    assert_eq!(event.data.amount, 5_000_000_000);
}
