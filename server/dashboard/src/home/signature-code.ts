/**
 * Each sample runs unchanged, and a test runs it. The samples for Node and the shell stand in this file, because the
 * TypeScript receiver uses the SDK and there is no receiver for the shell.
 */
import { languages, partOf } from '../../../../docs/quick-start/languages.ts';
import { type ProgramFiles, textAt } from '../kit/program-files.ts';

export interface Signed {
  id: string;
  timestamp: string;
  body: string;
  secret: string;
}

export interface CodeSample {
  language: string;
  run: string;
  code: string;
}

export function signatureCode(signed: Signed, files: ProgramFiles): CodeSample[] {
  const sample = (language: string, [file, program]: [string, string], code: string) => ({
    language,
    run: `Save it as ${file} and run it: ${program} ${file}`,
    code,
  });
  const signer = (name: string) => {
    const path = languages.find((language) => language.name === name)?.receiver.path ?? '';
    return partOf(textAt(files, path), 'sign') ?? '';
  };
  return [
    sample('Node', ['verify.mjs', 'node'], node(signed)),
    sample('Python', ['verify.py', 'python3'], python(signer('Python'), signed)),
    sample('Go', ['verify.go', 'go run'], go(signer('Go'), signed)),
    sample('Java', ['Verify.java', 'java'], java(signer('Java'), signed)),
    sample('PHP', ['verify.php', 'php'], php(signer('PHP'), signed)),
    sample('Ruby', ['verify.rb', 'ruby'], ruby(signer('Ruby'), signed)),
    { language: 'Shell', run: 'Paste it into a shell that has openssl.', code: shell(signed) },
  ];
}

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

function python(signer: string, { id, timestamp, body, secret }: Signed): string {
  return `import base64, hmac

secret = ${quoted(secret)}
id = ${quoted(id)}  # the header webhook-id
timestamp = ${quoted(timestamp)}  # the header webhook-timestamp
body = ${quoted(body)}

${signer}

print(webhook_signature(secret, id, timestamp, body.encode()))`;
}

function go(signer: string, { id, timestamp, body, secret }: Signed): string {
  return `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

${signer}

func main() {
	secret := ${quoted(secret)}
	id := ${quoted(id)}               // the header webhook-id
	timestamp := ${quoted(timestamp)} // the header webhook-timestamp
	body := ${quoted(body)}

	fmt.Println(webhookSignature(secret, id, timestamp, []byte(body)))
}`;
}

function java(signer: string, { id, timestamp, body, secret }: Signed): string {
  return `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
${signer.replaceAll(/^(?=.)/gm, '  ')}

  public static void main(String[] arguments) throws GeneralSecurityException {
    String secret = ${inJava(secret)};
    String id = ${inJava(id)}; // the header webhook-id
    String timestamp = ${inJava(timestamp)}; // the header webhook-timestamp
    String body = ${inJava(body)};

    System.out.println(webhookSignature(secret, id, timestamp, body.getBytes(StandardCharsets.UTF_8)));
  }
}`;
}

function php(signer: string, { id, timestamp, body, secret }: Signed): string {
  return `<?php
$secret = ${inPhp(secret)};
$id = ${inPhp(id)}; // the header webhook-id
$timestamp = ${inPhp(timestamp)}; // the header webhook-timestamp
$body = ${inPhp(body)};

${signer}

echo webhook_signature($secret, $id, $timestamp, $body), "\\n";`;
}

function ruby(signer: string, { id, timestamp, body, secret }: Signed): string {
  return `require 'openssl'

secret = ${inRuby(secret)}
id = ${inRuby(id)} # the header webhook-id
timestamp = ${inRuby(timestamp)} # the header webhook-timestamp
body = ${inRuby(body)}

${signer}

puts webhook_signature(secret, id, timestamp, body)`;
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

/**
 * A JSON string is also a string literal of JavaScript, Python and Go, but Go allows no byte order mark in a source
 * file.
 */
export const quoted = (text: string): string => JSON.stringify(text).replaceAll('\ufeff', '\\ufeff');

/**
 * Writes a Java string literal in ASCII, because Java 17 decodes a source file with the machine's default encoding.
 */
export const inJava = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * A JSON string is also a string literal of Ruby when `#` is escaped, because `#{` begins an interpolation. Single
 * quotes would not work, because Ruby reads CR LF in a source file as LF.
 */
export const inRuby = (text: string): string => quoted(text).replaceAll('#', '\\#');

/** Writes a string literal of PHP in single quotes, in which only the quote and the backslash are escaped. */
export const inPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
