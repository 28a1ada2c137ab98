# Creates a checkout and prints its URL. Needs Ruby 3.0 or newer, and no library.
require 'json'
require 'net/http'
require 'securerandom'

base_url = ENV.fetch('TILLHOOK_BASE_URL', 'http://localhost:3000')
headers = {
  'x-api-key' => ENV.fetch('TILLHOOK_API_KEY'),
  'Content-Type' => 'application/json',
  # After a lost response, repeat the call with the same Idempotency-Key: this creates no second checkout.
  'Idempotency-Key' => SecureRandom.uuid,
}
# The amount is in the minor unit of your currency.
checkout = { email: 'ada@example.com', amount: 500000 }

answer = Net::HTTP.post(URI("#{base_url}/api/v1/payments/checkout"), checkout.to_json, headers)
abort "#{answer.code}: #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)
puts JSON.parse(answer.body)['data']['checkoutUrl']
