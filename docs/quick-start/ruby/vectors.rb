# Compares receiver.rb with the published test vectors: ruby vectors.rb vectors.json
require 'json'
require_relative 'receiver'

file = ARGV.fetch(0, File.join(__dir__, '../vectors.json'))
published = JSON.parse(File.read(file, encoding: 'UTF-8'))
cases = published['vectors'].map { |vector| [vector, [vector['secret']]] }
cases += published['rotations'].map { |vector| [vector, [vector['secrets']['own'], *vector['secrets']['others']]] }
FOREIGN = 'whsec_Zm9yZWlnbmZvcmVpZ25mb3JlaWdu'

def agrees?(vector, secrets)
  id, now, body, expected = vector.values_at('id', 'timestamp', 'body', 'expected')
  service = { 'x-service-signature' => expected['X-Service-Signature'] }
  standard = {
    'webhook-id' => id,
    'webhook-timestamp' => now.to_s,
    'webhook-signature' => expected['webhook-signature'],
  }
  signatures = secrets.map { |secret| webhook_signature(secret, id, now, body) }
  [
    signatures.join(' ') == expected['webhook-signature'],
    service_signature(secrets[0], body) == expected['X-Service-Signature'],
    secrets.all? { |secret| ours?(standard, body, [secret], now) },
    ours?(standard, body, [FOREIGN, secrets[0]], now + 300),
    ours?(service, body, secrets, now, require_timestamp: false),
    !ours?(service, body, secrets, now),
    !ours?(standard, body, secrets, now + 301),
    !ours?(standard, body, secrets, now - 301),
    !ours?(standard, body, [FOREIGN], now),
    !ours?(standard, "#{body} ", secrets, now),
    !ours?(service, "#{body} ", secrets, now, require_timestamp: false),
  ].all?
end

wrong = cases.reject { |vector, secrets| agrees?(vector, secrets) }.map { |vector, _| vector['title'] }
abort "These vectors do not agree: #{wrong.join(', ')}" if wrong.any? || cases.empty?
puts "#{cases.length} vectors agree"
