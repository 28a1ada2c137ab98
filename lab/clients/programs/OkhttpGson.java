import tillhook.ApiClient;
import tillhook.ApiException;
import tillhook.api.EventsApi;
import tillhook.api.PaymentsApi;
import tillhook.api.WebhookEndpointsApi;
import tillhook.auth.ApiKeyAuth;
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

class OkhttpGson {
    static void must(boolean holds, Object what) {
        if (!holds) throw new AssertionError(what);
    }

    /** Looks at the data of each kind of event, and returns the id of the event. */
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
        var client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
        client.setBearerToken(key);
        ((ApiKeyAuth) client.getAuthentication("apiKeyHeader")).setApiKey(key);
        var payments = new PaymentsApi(client);
        var endpoints = new WebhookEndpointsApi(client);

        var request = new CheckoutRequest().email("ada@example.com").amount(5_000_000_000L);
        var created = payments.createCheckout(request).execute();
        must(created.getSuccess() && created.getData().getCheckoutUrl() != null, created);

        var listed = payments.listPayments().execute();
        must(listed.getPayments().get(0).getAmount() == 5_000_000_000L, listed);
        must(listed.getPayments().get(0).getStatus() == PaymentStatus.PENDING, listed);

        var registration = new WebhookEndpointRequest().url(URI.create("https://203.0.114.10/webhooks"));
        var endpoint = endpoints.registerWebhookEndpoint(registration).execute();
        must(endpoint.getSecret().startsWith("whsec_"), endpoint);
        must(endpoints.listWebhookEndpoints().execute().getTotal() >= 1, "The endpoint must be listed.");
        // The service refuses an empty list of events, so this fails when the client sends what was not set.
        var update = new WebhookEndpointUpdate().isActive(false);
        must(!endpoints.updateWebhookEndpoint(endpoint.getId(), update).execute().getIsActive(), endpoint);

        try {
            payments.getPayment("ref_that_is_not_there").execute();
            throw new AssertionError("The payment must be missing.");
        } catch (ApiException failure) {
            var code = ErrorResponse.fromJson(failure.getResponseBody()).getError().getCode();
            must(code.equals("resource_not_found" + suffix), failure);
        }

        var events = new EventsApi(client);
        var kinds = new HashSet<Class<?>>();
        for (var record : events.listEvents().limit(100).execute().getEvents()) {
            kinds.add(record.getActualInstance().getClass());
            var id = read(record, suffix);
            must(read(events.getEvent(id).execute(), suffix).equals(id), record);
        }
        must(kinds.size() == 8, kinds);

        var event = WebhookEvent.fromJson(System.getenv("WEBHOOK_BODY")).getCheckoutSuccessEvent();
        must(event.getData().getAmount() == 5_000_000_000L, event);
    }
}
