import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Receives webhooks and verifies them. Needs Java 17 or newer, and no library.
 *
 * WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
 */
public class Receiver {
  static final String PATH = "/webhooks";
  static final List<String> SECRETS = List.of(environment("WEBHOOK_SECRET", "").split(",", -1));
  // Set TILLHOOK_REQUIRE_TIMESTAMP=false only if a gateway drops the webhook-* headers: replays are then possible.
  static final boolean REQUIRE_TIMESTAMP = !environment("TILLHOOK_REQUIRE_TIMESTAMP", "true").equals("false");

  public static void main(String[] arguments) throws IOException {
    if (!SECRETS.stream().allMatch(secret -> secret.matches("whsec_[\\w+/=]{32,}"))) {
      System.err.println("Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_");
      System.exit(1);
    }
    int port = Integer.parseInt(environment("PORT", "4000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext(PATH, exchange -> {
      try (exchange) {
        exchange.sendResponseHeaders(receive(exchange), -1);
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException(error);
      }
    });
    server.start();
  }

  static int receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
    // The signature covers the raw bytes of the body, so they are read before the body is parsed.
    byte[] rawBody = exchange.getRequestBody().readNBytes(1_000_000);
    Headers headers = exchange.getRequestHeaders();
    if (!isOurs(headers, rawBody, SECRETS, new Options(Instant.now(), REQUIRE_TIMESTAMP))) return 400;
    // The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
    // slow work into a queue, because the service waits for this response.
    System.out.println("Verified: " + new String(rawBody, StandardCharsets.UTF_8));
    return 204;
  }

  // verify:start
  // sign:start
  /** The HMAC key is the decoded secret. The signature covers the id, the timestamp and the body. */
  static String webhookSignature(String secret, String id, String timestamp, byte[] rawBody)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
  }
  // sign:end

  /** The HMAC key is the secret as text. The signature covers only the body. */
  static String serviceSignature(String secret, byte[] rawBody) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(rawBody));
  }

  record Options(Instant now, boolean requireTimestamp) {}

  static boolean isOurs(Headers headers, byte[] rawBody, List<String> secrets, Options options)
      throws GeneralSecurityException {
    boolean isTimed = options.requireTimestamp() || headers.containsKey("webhook-signature");
    String id = header(headers, "webhook-id");
    String timestamp = header(headers, "webhook-timestamp");
    String given = header(headers, isTimed ? "webhook-signature" : "X-Service-Signature");
    for (String secret : secrets) {
      String expected = isTimed
          ? webhookSignature(secret, id, timestamp, rawBody)
          : serviceSignature(secret, rawBody);
      // During a rotation there are several signatures, one for each secret.
      for (String signature : given.split(" ")) {
        if (MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8)))
          return !isTimed || Math.abs(options.now().getEpochSecond() - Long.parseLong(timestamp)) <= 300;
      }
    }
    return false;
  }

  static String header(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }
  // verify:end

  static String environment(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
