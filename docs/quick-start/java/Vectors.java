import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Compares the receiver with the published test vectors:
 * javac -d out Receiver.java Vectors.java, then java -cp out Vectors vectors.json
 */
public class Vectors {
  static final String FOREIGN = "whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu";

  public static void main(String[] arguments) throws Exception {
    String published = Files.readString(Path.of(arguments.length > 0 ? arguments[0] : "vectors.json"));
    // Java has no JSON parser. Each vector begins with its title, and has each of its fields once.
    String[] vectors = published.split("(?=\"title\":)");
    List<String> wrong = new ArrayList<>();
    for (int index = 1; index < vectors.length; index++) {
      if (!agrees(vectors[index])) wrong.add(field(vectors[index], "title"));
    }
    if (!wrong.isEmpty() || vectors.length < 2) {
      System.err.println("These vectors do not agree: " + String.join(", ", wrong));
      System.exit(1);
    }
    System.out.println(vectors.length - 1 + " vectors agree");
  }

  static boolean agrees(String vector) throws Exception {
    List<String> secrets = all(vector, "\"(whsec_[^\"]+)\"");
    String id = field(vector, "id");
    String timestamp = all(vector, "\"timestamp\":\\s*(\\d+)").get(0);
    byte[] body = field(vector, "body").getBytes(StandardCharsets.UTF_8);
    byte[] changed = (field(vector, "body") + " ").getBytes(StandardCharsets.UTF_8);
    Headers service = new Headers();
    service.set("X-Service-Signature", field(vector, "X-Service-Signature"));
    Headers standard = new Headers();
    standard.set("webhook-id", id);
    standard.set("webhook-timestamp", timestamp);
    standard.set("webhook-signature", field(vector, "webhook-signature"));
    Instant now = Instant.ofEpochSecond(Long.parseLong(timestamp));
    Receiver.Options timed = new Receiver.Options(now, true);
    Receiver.Options untimed = new Receiver.Options(now, false);

    List<String> signatures = new ArrayList<>();
    for (String secret : secrets) {
      signatures.add(Receiver.webhookSignature(secret, id, timestamp, body));
      if (!Receiver.isOurs(standard, body, List.of(secret), timed)) return false;
    }
    return String.join(" ", signatures).equals(field(vector, "webhook-signature"))
        && Receiver.serviceSignature(secrets.get(0), body).equals(field(vector, "X-Service-Signature"))
        && Receiver.isOurs(standard, body, List.of(FOREIGN, secrets.get(0)), at(now, 300))
        && Receiver.isOurs(service, body, secrets, untimed)
        && !Receiver.isOurs(service, body, secrets, timed)
        && !Receiver.isOurs(standard, body, secrets, at(now, 301))
        && !Receiver.isOurs(standard, body, secrets, at(now, -301))
        && !Receiver.isOurs(standard, body, List.of(FOREIGN), timed)
        && !Receiver.isOurs(standard, changed, secrets, timed)
        && !Receiver.isOurs(service, changed, secrets, untimed);
  }

  static Receiver.Options at(Instant now, int secondsLater) {
    return new Receiver.Options(now.plusSeconds(secondsLater), true);
  }

  static String field(String vector, String name) {
    return all(vector, "\"" + name + "\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").get(0).translateEscapes();
  }

  static List<String> all(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
