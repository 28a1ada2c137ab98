use std::collections::HashSet;
use std::env::var;
use std::mem::discriminant;
use std::num::NonZeroU64;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use tillhook::types::{CheckoutRequest, EventRecord, PaymentStatus, WebhookEndpointRequest, WebhookEvent};
use tillhook::{Client, Error};

/// Looks at the data of each kind of event, and returns the id of the event.
fn check(record: &EventRecord, suffix: &str) -> String {
    match record {
        EventRecord::CheckoutSuccessEventRecord(one) => {
            assert_eq!(one.data.customer_email.as_str(), "ada@example.com");
            one.id.to_string()
        }
        EventRecord::CheckoutFailedEventRecord(one) => {
            assert_eq!(one.data.status, PaymentStatus::Failed);
            one.id.to_string()
        }
        EventRecord::CheckoutExpiredEventRecord(one) => {
            assert_eq!(one.data.reason.as_str(), format!("cancelled{suffix}"));
            one.id.to_string()
        }
        EventRecord::TransferSuccessEventRecord(one) => {
            assert_eq!(one.data.recipient_name.as_str(), "Grace Hopper");
            one.id.to_string()
        }
        EventRecord::TransferFailedEventRecord(one) => {
            assert!(one.data.failure_reason.is_some());
            one.id.to_string()
        }
        EventRecord::RefundSuccessEventRecord(one) => {
            assert!(!one.data.payment_reference.as_str().is_empty());
            one.id.to_string()
        }
        EventRecord::RefundFailedEventRecord(one) => {
            assert!(one.data.failure_reason.is_some());
            one.id.to_string()
        }
        EventRecord::TestEventRecord(one) => one.id.to_string(),
    }
}

#[tokio::main]
async fn main() {
    let suffix = var("CODE_SUFFIX").unwrap();
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {}", var("API_KEY").unwrap()).parse().unwrap());
    let caller = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let service = Client::new_with_client(&var("BASE_URL").unwrap(), caller);

    let request = CheckoutRequest::builder().email("ada@example.com").amount(NonZeroU64::new(5_000_000_000).unwrap());
    let created = service.create_checkout().body(request).send().await.unwrap().into_inner();
    assert!(created.success && !created.data.checkout_url.is_empty());

    let payment = service.get_payment().reference(created.data.reference.as_str()).send().await.unwrap();
    assert_eq!((payment.amount.get(), payment.status), (5_000_000_000, PaymentStatus::Pending));
    let payments = service.list_payments().limit(1).send().await.unwrap();
    assert_eq!((payments.payments.len(), *payments.total >= 1), (1, true));

    let registration = WebhookEndpointRequest::builder().url("https://203.0.114.10/webhooks");
    let endpoint = service.register_webhook_endpoint().body(registration).send().await.unwrap();
    assert!(endpoint.secret.starts_with("whsec_"));
    let endpoints = service.list_webhook_endpoints().send().await.unwrap();
    assert!(*endpoints.total >= 1);

    let missing = service.get_payment().reference("ref_that_is_not_there").send().await;
    let Err(Error::ErrorResponse(failure)) = missing else { panic!("{missing:?}") };
    assert_eq!(failure.status().as_u16(), 404);
    assert_eq!(failure.error.code.as_str(), format!("resource_not_found{suffix}"));

    let page = service.list_events().limit(100).send().await.unwrap();
    let mut kinds = HashSet::new();
    for record in &page.events {
        kinds.insert(discriminant(record));
        let id = check(record, &suffix);
        let read = service.get_event().id(id.as_str()).send().await.unwrap();
        assert_eq!((discriminant(&*read), check(&read, &suffix)), (discriminant(record), id));
    }
    assert_eq!(kinds.len(), 8);

    let event = serde_json::from_str(&var("WEBHOOK_BODY").unwrap()).unwrap();
    let WebhookEvent::CheckoutSuccessEvent(event) = event else { panic!("{event:?}") };
    assert_eq!(event.data.amount.get(), 5_000_000_000);
}
