<?php
// Compares receiver.php with the published test vectors: php vectors.php vectors.json

require __DIR__ . '/receiver.php';

const FOREIGN = 'whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu';

function agrees(array $vector, array $secrets): bool
{
    ['id' => $id, 'timestamp' => $now, 'body' => $body, 'expected' => $expected] = $vector;
    $service = ['x-service-signature' => $expected['X-Service-Signature']];
    $standard = [
        'webhook-id' => $id,
        'webhook-timestamp' => (string) $now,
        'webhook-signature' => $expected['webhook-signature'],
    ];
    $signatures = array_map(fn ($secret) => webhook_signature($secret, $id, $now, $body), $secrets);
    $refused = array_filter($secrets, fn ($secret) => !is_ours($standard, $body, [$secret], $now));
    return implode(' ', $signatures) === $expected['webhook-signature']
        && service_signature($secrets[0], $body) === $expected['X-Service-Signature']
        && $refused === []
        && is_ours($standard, $body, [FOREIGN, $secrets[0]], $now + 300)
        && is_ours($service, $body, $secrets, $now, requireTimestamp: false)
        && !is_ours($service, $body, $secrets, $now)
        && !is_ours($standard, $body, $secrets, $now + 301)
        && !is_ours($standard, $body, $secrets, $now - 301)
        && !is_ours($standard, $body, [FOREIGN], $now)
        && !is_ours($standard, "$body ", $secrets, $now)
        && !is_ours($service, "$body ", $secrets, $now, requireTimestamp: false);
}

$published = json_decode(file_get_contents($argv[1] ?? __DIR__ . '/../vectors.json'), true);
$secretsOf = fn ($vector) => isset($vector['secret'])
    ? [$vector['secret']]
    : [$vector['secrets']['own'], ...$vector['secrets']['others']];
$cases = [...$published['vectors'], ...$published['rotations']];
$wrong = array_filter($cases, fn ($vector) => !agrees($vector, $secretsOf($vector)));
if ($wrong !== [] || $cases === []) {
    fwrite(STDERR, 'These vectors do not agree: ' . implode(', ', array_column($wrong, 'title')) . "\n");
    exit(1);
}
echo count($cases), " vectors agree\n";
