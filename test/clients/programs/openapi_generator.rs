use std::env::var;

use tillhook::apis::configuration::{ApiKey, Configuration};
use tillhook::apis::payments_api::{create_checkout, get_payment};
use tillhook::apis::wallets_api::list_wallets;
use tillhook::apis::webhook_endpoints_api::{list_webhook_endpoints, register_webhook_endpoint};
use tillhook::apis::Error;
use tillhook::models::{self, CheckoutRequest, CheckoutSuccessEvent, PaymentStatus, WebhookEndpointRequest};

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
    let body: models::Error = serde_json::from_str(&failure.content).unwrap();
    assert_eq!((failure.status.as_u16(), body.error.code), (404, format!("resource_not_found{suffix}")));

    // The union `WebhookEvent` of this generator cannot be read, so the program looks at `event` first.
    let body: serde_json::Value = serde_json::from_str(&var("WEBHOOK_BODY").unwrap()).unwrap();
    assert_eq!(body["event"], "checkout.success");
    let event: CheckoutSuccessEvent = serde_json::from_value(body).unwrap();
    assert_eq!(event.data.amount, 5_000_000_000);
}
