export const ruby = (path: string, port: number) => `require 'base64'
require 'json'
require 'openssl'
require 'sinatra'

SECRETS = ENV.fetch('TILLHOOK_WEBHOOK_SECRET').split(',')
set :port, ${port}

def ours?(env, raw_body)
  id, timestamp = env['HTTP_WEBHOOK_ID'].to_s, env['HTTP_WEBHOOK_TIMESTAMP'].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  SECRETS.any? do |secret|
    key = Base64.decode64(secret.delete_prefix('whsec_'))
    expected = 'v1,' + Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}." + raw_body))
    env['HTTP_WEBHOOK_SIGNATURE'].to_s.split(' ').any? { |given| OpenSSL.secure_compare(expected, given) }
  end
end

post '${path}' do
  # The bytes as they were sent, before anything parses them.
  raw_body = request.body.read
  halt 400, 'signature does not match' unless ours?(request.env, raw_body)
  event = JSON.parse(raw_body)
  # The same event can come twice: remember the header webhook-id, and do nothing the second time.
  puts "Paid: #{event['data']['reference']}" if event['event'] == 'checkout.success'
  204
end
`;
