/**
 * Code that computes the signature of a delivery, in several languages. Each program runs unchanged, and a test runs
 * it.
 */

export interface Signed {
  id: string;
  timestamp: string;
  body: string;
  secret: string;
}

export interface CodeSample {
  language: string;
  /** The command that runs it. */
  run: string;
  code: string;
}

export function signatureCode(signed: Signed): CodeSample[] {
  return [
    { language: 'Node', run: 'Save it as verify.mjs and run it: node verify.mjs', code: node(signed) },
    { language: 'Python', run: 'Save it as verify.py and run it: python3 verify.py', code: python(signed) },
    { language: 'Go', run: 'Save it as verify.go and run it: go run verify.go', code: go(signed) },
    { language: 'PHP', run: 'Save it as verify.php and run it: php verify.php', code: php(signed) },
    { language: 'Ruby', run: 'Save it as verify.rb and run it: ruby verify.rb', code: ruby(signed) },
    { language: 'Shell', run: 'Paste it into a shell that has openssl.', code: shell(signed) },
  ];
}

/**
 * A JSON string is also a string literal of JavaScript, Python and Go. Go accepts no byte order mark in a source
 * file, so it is escaped.
 */
const quoted = (text: string) => JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');

/**
 * With `#` escaped, which begins an expression in Ruby, it is also a string literal of Ruby. In single quotes, Ruby
 * would read CR and LF together as LF.
 */
const inRuby = (text: string) => quoted(text).replaceAll('#', '\\#');

/** A string of PHP in single quotes, where only the quote and the backslash have a meaning. */
const plain = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function node({ id, timestamp, body, secret }: Signed): string {
  return `import { createHmac } from 'node:crypto';

const secret = ${quoted(secret)};
const id = ${quoted(id)}; // the header webhook-id
const timestamp = ${quoted(timestamp)}; // the header webhook-timestamp
const body = ${quoted(body)};

const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
const signature = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64');
console.log('v1,' + signature);`;
}

function python({ id, timestamp, body, secret }: Signed): string {
  return `import base64, hmac

secret = ${quoted(secret)}
id = ${quoted(id)}  # the header webhook-id
timestamp = ${quoted(timestamp)}  # the header webhook-timestamp
body = ${quoted(body)}

key = base64.b64decode(secret.removeprefix("whsec_"))
signature = hmac.digest(key, f"{id}.{timestamp}.{body}".encode(), "sha256")
print("v1," + base64.b64encode(signature).decode())`;
}

function go({ id, timestamp, body, secret }: Signed): string {
  return `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

func main() {
	secret := ${quoted(secret)}
	id := ${quoted(id)}               // the header webhook-id
	timestamp := ${quoted(timestamp)} // the header webhook-timestamp
	body := ${quoted(body)}

	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	fmt.Println("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}`;
}

function php({ id, timestamp, body, secret }: Signed): string {
  return `<?php
$secret = ${plain(secret)};
$id = ${plain(id)}; // the header webhook-id
$timestamp = ${plain(timestamp)}; // the header webhook-timestamp
$body = ${plain(body)};

$key = base64_decode(substr($secret, strlen('whsec_')));
echo 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true)), "\\n";`;
}

function ruby({ id, timestamp, body, secret }: Signed): string {
  return `require 'openssl'

secret = ${inRuby(secret)}
id = ${inRuby(id)} # the header webhook-id
timestamp = ${inRuby(timestamp)} # the header webhook-timestamp
body = ${inRuby(body)}

key = secret.delete_prefix('whsec_').unpack1('m')
signature = OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.#{body}")
puts 'v1,' + [signature].pack('m0')`;
}

function shell({ id, timestamp, body, secret }: Signed): string {
  return `secret=${inShell(secret)}
id=${inShell(id)}
timestamp=${inShell(timestamp)}
body=${inShell(body)}

key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
printf 'v1,%s\\n' "$(printf '%s.%s.%s' "$id" "$timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"`;
}
