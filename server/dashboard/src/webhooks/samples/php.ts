export const php = () => `<?php
function is_ours(string $rawBody, array $secrets): bool {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
        foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
            if (hash_equals($expected, $given)) return true;
        }
    }
    return false;
}

// The bytes as they were sent, before anything parses them.
$rawBody = file_get_contents('php://input');
if (!is_ours($rawBody, explode(',', getenv('TILLHOOK_WEBHOOK_SECRET')))) {
    http_response_code(400);
    exit('signature does not match');
}
$event = json_decode($rawBody, true);
// The same event can come twice: remember the header webhook-id, and do nothing the second time.
if ($event['event'] === 'checkout.success') error_log('Paid: ' . $event['data']['reference']);
http_response_code(204);
`;
