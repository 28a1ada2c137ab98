<?php
// Creates a checkout and prints its URL. Needs PHP 8 or newer, and no library: php checkout.php

$baseUrl = getenv('TILLHOOK_BASE_URL') ?: 'http://localhost:3000';
$headers = [
    'x-api-key: ' . getenv('TILLHOOK_API_KEY'),
    'Content-Type: application/json',
    // After a lost response, repeat the call with the same Idempotency-Key: this creates no second checkout.
    'Idempotency-Key: ' . bin2hex(random_bytes(16)),
];
// The amount is in the minor unit of your currency.
$checkout = ['email' => 'ada@example.com', 'amount' => 500000];

$answer = file_get_contents("$baseUrl/api/v1/payments/checkout", false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => $headers,
    'content' => json_encode($checkout),
    'timeout' => 30,
    'follow_location' => 0,
    'ignore_errors' => true, // An error has a body too, which says what to correct.
]]));
$checkoutUrl = json_decode((string) $answer, true)['data']['checkoutUrl'] ?? null;
if ($checkoutUrl === null) {
    fwrite(STDERR, "$answer\n");
    exit(1);
}
echo "$checkoutUrl\n";
