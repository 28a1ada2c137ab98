# Receives webhooks and verifies them. Needs Ruby 3.0 or newer, and its web server: gem install webrick
#
# WEBHOOK_SECRET has the signing secret of the endpoint, or both secrets of a rotation with a comma between them.
require 'json'
require 'openssl'
require 'webrick'

# verify:start
# sign:start
# The key is the bytes that the secret encodes. It signs the id and the time too.
def webhook_signature(secret, id, timestamp, raw_body)
  key = secret.delete_prefix('whsec_').unpack1('m')
  hmac = OpenSSL::HMAC.new(key, 'SHA256')
  hmac << "#{id}.#{timestamp}." << raw_body
  'v1,' + [hmac.digest].pack('m0')
end
# sign:end

# The key is the whole secret as text. It signs the body alone.
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
  # Set it to false only if a gateway drops the headers webhook-*. An old webhook can then be sent again.
  require_timestamp = ENV['TILLHOOK_REQUIRE_TIMESTAMP'] != 'false'

  $stdout.sync = true
  server = WEBrick::HTTPServer.new(Port: ENV.fetch('PORT', 4000).to_i, AccessLog: [])
  server.mount_proc '/webhooks' do |request, response|
    # The bytes as they were sent, before anything parses them.
    raw_body = request.body.to_s
    if ours?(request, raw_body, secrets, Time.now.to_i, require_timestamp: require_timestamp)
      event = JSON.parse(raw_body)
      # The same event can come twice: remember the header webhook-id, and do nothing the second time. Leave slow
      # work to a queue, because the service waits for this answer.
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
