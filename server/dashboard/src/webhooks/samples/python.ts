export const python = (path: string, port: number) => `import base64, hmac, os, time
from flask import Flask, request

SECRETS = os.environ['TILLHOOK_WEBHOOK_SECRET'].split(',')
app = Flask(__name__)


def is_ours(headers, raw_body):
    id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f'{id}.{timestamp}.'.encode() + raw_body
    keys = [base64.b64decode(secret.removeprefix('whsec_')) for secret in SECRETS]
    expected = [b'v1,' + base64.b64encode(hmac.digest(key, signed, 'sha256')) for key in keys]
    given = headers.get('webhook-signature', '').encode().split(b' ')
    return any(hmac.compare_digest(ours, theirs) for ours in expected for theirs in given)


@app.post('${path}')
def webhook():
    # The bytes as they were sent, before anything parses them.
    if not is_ours(request.headers, request.get_data()):
        return 'signature does not match', 400
    event = request.get_json()
    # The same event can come twice: remember the header webhook-id, and do nothing the second time.
    if event['event'] == 'checkout.success':
        print('Paid:', event['data']['reference'])
    return '', 204


if __name__ == '__main__':
    app.run(port=${port})
`;
