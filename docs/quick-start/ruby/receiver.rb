# Receives webhooks and verifies them. Needs Ruby 3.0 or newer, and its web server: gem install webrick
#
# WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
require 'json'
require 'openssl'
require 'webrick'

# verify:start
# sign:start
# The HMAC key is the decoded secret. The signature covers the id, the timestamp and the body.
def webhook_signature(secret, id, timestamp, raw_body)
  key = secret.delete_prefix('whsec_').unpack1('m')
  hmac = OpenSSL::HMAC.new(key, 'SHA256')
  hmac << "#{id}.#{timestamp}." << raw_body
  'v1,' + [hmac.digest].pack('m0')
end
# sign:end

# The HMAC key is the secret as text. The signature covers only the body.
def service_signature(secret, raw_body)
  OpenSSL::HMAC.hexdigest('SHA256', secret, raw_body)
end

def ours?(headers, raw_body, secrets, now, require_timestamp: true)
  any = ->(given, expected) { given.product(expected).any? { |pair| OpenSSL.secure_compare(*pair) } }
  standard = headers['webhook-signature']
  if standard.nil? && !require_timestamp
    service = headers['x-service-signature'].to_s
    return any.call([service], secrets.map { |secret| service_signature(secret, raw_body) })
  end
  id, timestamp = headers['webhook-id'].to_s, headers['webhook-timestamp'].to_s
  expected = secrets.map { |secret| webhook_signature(secret, id, timestamp, raw_body) }
  # During a rotation there are several signatures, one for each secret.
  any.call(standard.to_s.split(' '), expected) && (now - Integer(timestamp, 10)).abs <= 300
end
# verify:end

if $PROGRAM_NAME == __FILE__
  secrets = ENV.fetch('WEBHOOK_SECRET', '').split(',', -1)
  unless secrets.any? && secrets.all? { |secret| secret.match?(%r{\Awhsec_[\w+/=]{32,}\z}) }
    abort 'Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_'
  end
  # Set TILLHOOK_REQUIRE_TIMESTAMP=false only if a gateway drops the webhook-* headers: replays are then possible.
  require_timestamp = ENV['TILLHOOK_REQUIRE_TIMESTAMP'] != 'false'

  $stdout.sync = true
  server = WEBrick::HTTPServer.new(Port: ENV.fetch('PORT', 4000).to_i, AccessLog: [])
  server.mount_proc '/webhooks' do |request, response|
    # The signature covers the raw bytes of the body, so they are read before the body is parsed.
    raw_body = request.body.to_s
    if ours?(request, raw_body, secrets, Time.now.to_i, require_timestamp: require_timestamp)
      event = JSON.parse(raw_body)
      # The same event can arrive twice: store its webhook-id header, and ignore an id that is already stored. Put
      # slow work into a queue, because the service waits for this response.
      puts "Verified: #{event['event']}"
      puts "Paid: #{event['data']['reference']}" if event['event'] == 'checkout.success'
      response.status = 204
    else
      response.status = 400
    end
  end
  %w[INT TERM].each { |signal| trap(signal) { server.shutdown } }
  server.start
end
