export const java = (path: string, port: number) => `import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final String[] SECRETS = System.getenv("TILLHOOK_WEBHOOK_SECRET").split(",");

  static boolean isOurs(Headers headers, byte[] rawBody) throws Exception {
    String id = Objects.requireNonNullElse(headers.getFirst("webhook-id"), "");
    String timestamp = Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), "");
    String signatures = Objects.requireNonNullElse(headers.getFirst("webhook-signature"), "");
    if (!timestamp.matches("\\\\d{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
    for (String secret : SECRETS) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
      mac.update((id + "." + timestamp + ".").getBytes());
      String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
      for (String given : signatures.split(" ")) {
        if (MessageDigest.isEqual(expected.getBytes(), given.getBytes())) return true;
      }
    }
    return false;
  }

  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(${port}), 0);
    server.createContext("${path}", exchange -> {
      int status = 500;
      try {
        // The bytes as they were sent, before anything parses them.
        byte[] rawBody = exchange.getRequestBody().readAllBytes();
        status = isOurs(exchange.getRequestHeaders(), rawBody) ? 204 : 400;
        // The same event can come twice: remember the header webhook-id, and do nothing the second time.
        if (status == 204) System.out.println("Verified: " + new String(rawBody));
      } catch (Exception error) {
        error.printStackTrace();
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
`;
