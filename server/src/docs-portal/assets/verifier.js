// Verifies what is pasted with the SDK's own code, here in the browser; nothing of it is sent anywhere.

const verifier = document.getElementById('verifier');
const verdict = document.getElementById('verdict');
const { body, headers, secret, tolerance, timeless, sample, tamper } = verifier.elements;

const nextSteps = {
  missing_headers:
    'Paste all headers of the delivery: webhook-id, webhook-timestamp and webhook-signature must be among them. If they are missing in your code too, a proxy in front of it drops them, or somebody sent an old delivery again without them.',
  wrong_signature:
    'Compare the secret with that of this endpoint, in this mode, in the dashboard; and take the body before anything parses it.',
  timestamp_out_of_tolerance:
    'The signature is right, but the time that it covers is too far from now. For an old delivery that is as it should be: allow more seconds above to look at it. For a new one, set the clock of your machine.',
  invalid_body: 'The signature is right, but the body is not an event of ours: JSON with a field `event`.',
};

const { sign, unwrap, WebhookVerificationError } = await import(`./sdk/${verifier.dataset.sdk}`);

verifier.addEventListener('submit', async (event) => {
  event.preventDefault();
  await verify();
});
sample.addEventListener('click', signSample);
tamper.addEventListener('click', async () => {
  body.value = body.value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  await verify();
});
await signSample();
verifier.hidden = false;
document.getElementById('verifier-note').remove();

/** A delivery that verifies, under a secret made here. */
async function signSample() {
  secret.value = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
  body.value = verifier.querySelector('textarea').defaultValue;
  headers.value = linesOf({ 'Content-Type': 'application/json', ...(await sign(body.value, secret.value)) });
  verdict.hidden = true;
}

async function verify() {
  const secrets = secret.value.trim().split(/\s+/);
  const options = { toleranceSeconds: Number(tolerance.value), requireTimestamp: !timeless.checked };
  try {
    const event = await unwrap(rawBody(), headersIn(headers.value), secrets, options);
    const [title, words] = [`Verified: ${event.event}`, warningOf()];
    show({ isVerified: true, title, words, code: JSON.stringify(event, null, 2) });
  } catch (error) {
    const isRefusal = error instanceof WebhookVerificationError;
    const title = isRefusal ? error.code : 'This cannot be verified';
    show({ isVerified: false, title, words: [error.message, nextSteps[error.code]].filter(Boolean).join(' ') });
  }
}

/** Pasting adds a line break at the end that no delivery has. */
function rawBody() {
  return body.value.replace(/\n$/, '');
}

function warningOf() {
  if (headersIn(headers.value).some(([name]) => name.toLowerCase() === 'webhook-signature')) return '';
  return 'By X-Service-Signature alone, which knows no time: it cannot tell an old delivery that is sent again.';
}

/** Each line by itself: a header may be empty. */
function headersIn(lines) {
  return [...lines.matchAll(/^[ \t]*([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/gm)].map(([, name, value]) => [name, value]);
}

function linesOf(pairs) {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function show({ isVerified, title, words, code = '' }) {
  verdict.className = `verdict ${isVerified ? 'verified' : 'refused'}`;
  const parts = Object.entries({ h2: title, p: words, pre: code }).filter(([, text]) => text !== '');
  verdict.replaceChildren(
    ...parts.map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })),
  );
  // A keyboard can scroll it.
  verdict.querySelector('pre')?.setAttribute('tabindex', '0');
  verdict.hidden = false;
}
