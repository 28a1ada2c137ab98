use std::env::var;
use std::num::NonZeroU64;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use tillhook::types::{CheckoutRequest, PaymentStatus, WebhookEndpointRequest, WebhookEvent};
use tillhook::{Client, Error};

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

    let event = serde_json::from_str(&var("WEBHOOK_BODY").unwrap()).unwrap();
    let WebhookEvent::CheckoutSuccessEvent(event) = event else { panic!("{event:?}") };
    assert_eq!(event.data.amount.get(), 5_000_000_000);
}
