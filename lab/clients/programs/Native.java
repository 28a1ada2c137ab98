import tillhook.ApiClient;
import tillhook.ApiException;
import tillhook.api.EventsApi;
import tillhook.api.EventsApi.APIGetEventRequest;
import tillhook.api.EventsApi.APIListEventsRequest;
import tillhook.api.PaymentsApi;
import tillhook.api.PaymentsApi.APICreateCheckoutRequest;
import tillhook.api.PaymentsApi.APIGetPaymentRequest;
import tillhook.api.PaymentsApi.APIListPaymentsRequest;
import tillhook.api.WebhookEndpointsApi;
import tillhook.api.WebhookEndpointsApi.APIListWebhookEndpointsRequest;
import tillhook.api.WebhookEndpointsApi.APIRegisterWebhookEndpointRequest;
import tillhook.api.WebhookEndpointsApi.APIUpdateWebhookEndpointRequest;
import tillhook.model.CheckoutExpiredEventRecord;
import tillhook.model.CheckoutFailedEventRecord;
import tillhook.model.CheckoutRequest;
import tillhook.model.CheckoutSuccessEventRecord;
import tillhook.model.ErrorResponse;
import tillhook.model.EventRecord;
import tillhook.model.PaymentStatus;
import tillhook.model.RefundFailedEventRecord;
import tillhook.model.RefundSuccessEventRecord;
import tillhook.model.TestEventRecord;
import tillhook.model.TransferFailedEventRecord;
import tillhook.model.TransferSuccessEventRecord;
import tillhook.model.WebhookEndpointRequest;
import tillhook.model.WebhookEndpointUpdate;
import tillhook.model.WebhookEvent;

import java.net.URI;
import java.util.HashSet;
import java.util.UUID;

class Native {
    static void must(boolean holds, Object what) {
        if (!holds) throw new AssertionError(what);
    }

    /** Checks the data of each kind of event, and returns the id of the event. */
    static UUID read(EventRecord record, String suffix) {
        var event = record.getActualInstance();
        if (event instanceof CheckoutSuccessEventRecord one) {
            must(one.getData().getCustomerEmail().equals("ada@example.com"), one);
            return one.getId();
        }
        if (event instanceof CheckoutFailedEventRecord one) {
            must(one.getData().getStatus() == PaymentStatus.FAILED, one);
            return one.getId();
        }
        if (event instanceof CheckoutExpiredEventRecord one) {
            must(one.getData().getReason().equals("cancelled" + suffix), one);
            return one.getId();
        }
        if (event instanceof TransferSuccessEventRecord one) {
            must(one.getData().getRecipientName().equals("Grace Hopper"), one);
            return one.getId();
        }
        if (event instanceof TransferFailedEventRecord one) {
            must(one.getData().getFailureReason() != null, one);
            return one.getId();
        }
        if (event instanceof RefundSuccessEventRecord one) {
            must(one.getData().getPaymentReference() != null, one);
            return one.getId();
        }
        if (event instanceof RefundFailedEventRecord one) {
            must(one.getData().getFailureReason() != null, one);
            return one.getId();
        }
        must(event instanceof TestEventRecord, event);
        return ((TestEventRecord) event).getId();
    }

    public static void main(String[] arguments) throws Exception {
        String key = System.getenv("API_KEY"), suffix = System.getenv("CODE_SUFFIX");
        var client = new ApiClient();
        client.updateBaseUri(System.getenv("BASE_URL"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        var payments = new PaymentsApi(client);
        var endpoints = new WebhookEndpointsApi(client);

        var request = new CheckoutRequest().email("ada@example.com").amount(5_000_000_000L);
        var created = payments.createCheckout(
            APICreateCheckoutRequest.newBuilder().checkoutRequest(request).build());
        must(created.getSuccess() && created.getData().getCheckoutUrl() != null, created);

        var listed = payments.listPayments(APIListPaymentsRequest.newBuilder().build());
        must(listed.getPayments().get(0).getAmount() == 5_000_000_000L, listed);
        must(listed.getPayments().get(0).getStatus() == PaymentStatus.PENDING, listed);

        var registration = new WebhookEndpointRequest().url(URI.create("https://203.0.114.10/webhooks"));
        var endpoint = endpoints.registerWebhookEndpoint(
            APIRegisterWebhookEndpointRequest.newBuilder().webhookEndpointRequest(registration).build());
        must(endpoint.getSecret().startsWith("whsec_"), endpoint);
        var registered = endpoints.listWebhookEndpoints(APIListWebhookEndpointsRequest.newBuilder().build());
        must(registered.getTotal() >= 1, registered);
        // The service refuses an empty list of events, so this fails when the client sends what was not set.
        var update = new WebhookEndpointUpdate().isActive(false);
        var updated = endpoints.updateWebhookEndpoint(
            APIUpdateWebhookEndpointRequest.newBuilder().id(endpoint.getId()).webhookEndpointUpdate(update).build());
        must(!updated.getIsActive(), updated);

        try {
            payments.getPayment(APIGetPaymentRequest.newBuilder().reference("ref_that_is_not_there").build());
            throw new AssertionError("The payment must be missing.");
        } catch (ApiException failure) {
            var error = client.getObjectMapper().readValue(failure.getResponseBody(), ErrorResponse.class).getError();
            must(error.getCode().equals("resource_not_found" + suffix), failure);
        }

        var events = new EventsApi(client);
        var kinds = new HashSet<Class<?>>();
        for (var record : events.listEvents(APIListEventsRequest.newBuilder().limit(100).build()).getEvents()) {
            kinds.add(record.getActualInstance().getClass());
            var id = read(record, suffix);
            must(read(events.getEvent(APIGetEventRequest.newBuilder().id(id).build()), suffix).equals(id), record);
        }
        must(kinds.size() == 8, kinds);

        var body = client.getObjectMapper().readValue(System.getenv("WEBHOOK_BODY"), WebhookEvent.class);
        must(body.getCheckoutSuccessEvent().getData().getAmount() == 5_000_000_000L, body);
    }
}
