<?php
// Receives webhooks and verifies them. Needs PHP 8 or newer, and no library: php -S 0.0.0.0:4000 receiver.php
//
// WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.

// verify:start
// sign:start
/** The HMAC key is the decoded secret. The signature covers the id, the timestamp and the body. */
function webhook_signature(string $secret, string $id, string $timestamp, string $rawBody): string
{
    $key = base64_decode(substr($secret, strlen('whsec_')));
    return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
}
// sign:end

/** The HMAC key is the secret as text. The signature covers only the body. */
function service_signature(string $secret, string $rawBody): string
{
    return hash_hmac('sha256', $rawBody, $secret);
}

/** The names of the headers are in small letters. */
function is_ours(array $headers, string $rawBody, array $secrets, int $now, bool $requireTimestamp = true): bool
{
    $standard = $headers['webhook-signature'] ?? null;
    $service = $headers['x-service-signature'] ?? '';
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    foreach ($secrets as $secret) {
        if ($standard === null && !$requireTimestamp) {
            if (hash_equals(service_signature($secret, $rawBody), $service)) return true;
            continue;
        }
        $expected = webhook_signature($secret, $id, $timestamp, $rawBody);
        // During a rotation there are several signatures, one for each secret.
        foreach (explode(' ', $standard ?? '') as $given) {
            if (hash_equals($expected, $given)) return abs($now - (int) $timestamp) <= 300;
        }
    }
    return false;
}
// verify:end

// On the command line, vectors.php uses the functions alone.
if (PHP_SAPI === 'cli') return;

$secrets = explode(',', getenv('WEBHOOK_SECRET') ?: '');
foreach ($secrets as $secret) {
    if (preg_match('~^whsec_[\w+/=]{32,}$~D', $secret)) continue;
    error_log('Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_');
    http_response_code(500);
    exit;
}
// Set TILLHOOK_REQUIRE_TIMESTAMP=false only if a gateway drops the webhook-* headers: replays are then possible.
$requireTimestamp = getenv('TILLHOOK_REQUIRE_TIMESTAMP') !== 'false';

// The signature covers the raw bytes of the body, so they are read before the body is parsed.
$rawBody = file_get_contents('php://input');
if (!is_ours(array_change_key_case(getallheaders()), $rawBody, $secrets, time(), $requireTimestamp)) {
    http_response_code(400);
    exit;
}
$event = json_decode($rawBody, true);
// The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
// slow work into a queue, because the service waits for this response.
error_log("Verified: {$event['event']}");
if ($event['event'] === 'checkout.success') {
    error_log("Paid: {$event['data']['reference']}");
}
http_response_code(204);
