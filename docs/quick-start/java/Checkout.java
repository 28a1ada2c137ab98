import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates a checkout and prints its URL. Needs Java 17 or newer, and no library. */
public class Checkout {
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String baseUrl = System.getenv().getOrDefault("TILLHOOK_BASE_URL", "http://localhost:3000");
    // The amount is in the minor unit of your currency.
    String checkout = """
        {"email": "ada@example.com", "amount": 500000}""";
    HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/api/v1/payments/checkout"))
        .timeout(Duration.ofSeconds(30))
        .header("x-api-key", System.getenv().getOrDefault("TILLHOOK_API_KEY", ""))
        .header("Content-Type", "application/json")
        // After a lost response, repeat the call with the same Idempotency-Key: this creates no second checkout.
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .POST(BodyPublishers.ofString(checkout))
        .build();

    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    // Java has no JSON parser. In your program, use the JSON library that it already has.
    Matcher address = Pattern.compile("\"checkoutUrl\":\\s*\"([^\"]+)\"").matcher(answer.body());
    if (!address.find()) {
      System.err.println(answer.statusCode() + ": " + answer.body());
      System.exit(1);
    }
    System.out.println(address.group(1));
  }
}
