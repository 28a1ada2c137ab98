/** Server and mock explain failed TLS connections with the same sentences. */

const codes =
  /^(EPROTO$|ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

/** Node reports some failures as `EPROTO`; then only the message contains the name of the failure. */
export function tlsCode({ code = '', message }: { code?: string; message: string }): string | null {
  const [, reason] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  if (code === 'EPROTO' && reason) return `ERR_SSL_${reason.replaceAll(' ', '_').toUpperCase()}`;
  return codes.test(code) ? code : null;
}

const sentences: readonly [code: RegExp, sentence: string][] = [
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the receiver, or one above it in its chain, has expired.'],
  [/^CERT_NOT_YET_VALID$/, 'The certificate of the receiver, or one above it in its chain, is not valid yet.'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'The certificate of the receiver is self-signed: no authority has issued it.'],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, 'The certificate of the receiver comes from an authority that is not trusted.'],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    'The issuer of the receiver’s certificate is not known: the receiver does not send the whole chain, or the authority is not trusted.',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'The certificate of the receiver is for another host name than the one in the address.',
  ],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'The receiver does not speak TLS at this port.'],
  [/^ERR_SSL_.*NO_APPLICATION_PROTOCOL$/, 'The receiver does not accept HTTP/1.1 over TLS, which every delivery uses.'],
  [
    /^ERR_SSL_.*(PROTOCOL|VERSION)/,
    'The receiver and the sender have no version of TLS in common: at least TLS 1.2 is needed.',
  ],
  [
    /^ERR_SSL_.*(HANDSHAKE_FAILURE|BAD_CERTIFICATE|CERTIFICATE_REQUIRED)$/,
    'The receiver ended the TLS handshake: it accepts none of the offered ciphers, or it asks for a certificate of the sender.',
  ],
];

export function tlsFailure(code: string | null | undefined): string | null {
  return sentences.find(([form]) => form.test(code ?? ''))?.[1] ?? null;
}
