/** Programs that send one request, in languages for which there is no SDK. They need no library. */
import { php, python, ruby, singleQuoted, valueText } from './value-text.ts';

export interface Call {
  method: string;
  url: string;
  headers: readonly Header[];
  /** Undefined if the request has no body. */
  body?: unknown;
}

export interface Header {
  name: string;
  text: string;
  /** The environment variable whose value follows the text. */
  variable?: string | undefined;
}

export const callPrograms: Readonly<Record<string, (call: Call) => string>> = {
  Python: pythonProgram,
  Go: goProgram,
  Java: javaProgram,
  PHP: phpProgram,
  Ruby: rubyProgram,
};

function pythonProgram({ method, url, headers, body }: Call): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const fields = headers.map(
    ({ name, text, variable }) =>
      `'${name}': ${joined(' + ', text && `'${text}'`, variable && `os.environ['${variable}']`)}`,
  );
  const lines = [
    `'${url}',`,
    isPlain ? '' : `method='${method}',`,
    fields.length > 0 ? `headers={${fields.join(', ')}},` : '',
    body === undefined ? '' : `data=json.dumps(${valueText(body, python, '    ')}).encode(),`,
  ];
  return `import ${hasVariable(headers) ? 'json, os' : 'json'}
from urllib.request import Request, urlopen

request = Request(
${indented(lines, '    ')})
with urlopen(request) as answer:
    print(json.load(answer))`;
}

function goProgram({ method, url, headers, body }: Call): string {
  const imports = ['fmt', 'io', 'log', 'net/http', hasVariable(headers) && 'os', body !== undefined && 'strings'];
  // A raw string of Go cannot contain its quote.
  const json = JSON.stringify(body, null, 2)?.replaceAll('`', '\\u0060');
  const set = headers.map(
    ({ name, text, variable }) =>
      `request.Header.Set("${name}", ${joined('+', text && `"${text}"`, variable && `os.Getenv("${variable}")`)})`,
  );
  return `package main

import (
${indented(
  imports.map((name) => name && `"${name}"`),
  '\t',
)})

func main() {
${json === undefined ? '' : `\tbody := strings.NewReader(\`${json}\`)\n`}	request, err := http.NewRequest("${method}", "${url}", ${json === undefined ? 'nil' : 'body'})
	if err != nil {
		log.Fatal(err)
	}
${indented(set, '\t')}	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status, string(text))
}`;
}

function javaProgram({ method, url, headers, body }: Call): string {
  const set = headers.map(
    ({ name, text, variable }) =>
      `.header("${name}", ${joined(' + ', text && `"${text}"`, variable && `System.getenv("${variable}")`)})`,
  );
  const publisher = body === undefined ? 'BodyPublishers.noBody()' : 'BodyPublishers.ofString(body)';
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

public class Call {
  public static void main(String[] arguments) throws Exception {
${body === undefined ? '' : `    String body = """\n${javaLines(body)}""";\n`}    var request = HttpRequest.newBuilder(URI.create("${url}"))
${indented(set, '        ')}        .method("${method}", ${publisher})
        .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`;
}

/** Writes ASCII, because Java 17 decodes a source file with the default encoding of the machine. */
function javaLines(body: unknown): string {
  return JSON.stringify(body, null, 2)
    .replaceAll(/[^\n\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\\', '\\\\')
    .replaceAll(/^/gm, '        ');
}

function phpProgram({ method, url, headers, body }: Call): string {
  const fields = headers.map(({ name, text, variable }) =>
    joined(' . ', `'${name}: ${text}'`, variable && `getenv('${variable}')`),
  );
  const lines = [
    `'method' => '${method}',`,
    fields.length > 0 && `'header' => [${fields.join(', ')}],`,
    body !== undefined && `'content' => json_encode(${valueText(body, php, '    ')}),`,
    "'ignore_errors' => true, // An error has a body too, which says what to correct.",
  ];
  return `<?php
$answer = file_get_contents('${url}', false, stream_context_create(['http' => [
${indented(lines, '    ')}]]));
print_r(json_decode($answer, true));`;
}

function rubyProgram({ method, url, headers, body }: Call): string {
  const fields = headers.map(
    ({ name, text, variable }) =>
      `'${name}' => ${joined(' + ', text && singleQuoted(text), variable && `ENV.fetch('${variable}')`)}`,
  );
  const type = method[0] + method.slice(1).toLowerCase();
  return `require 'json'
require 'net/http'

uri = URI('${url}')
request = Net::HTTP::${type}.new(${['uri', ...fields].join(', ')})
${body === undefined ? '' : `request.body = JSON.generate(${valueText(body, ruby)})\n`}answer = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
puts answer.code, answer.body`;
}

function hasVariable(headers: readonly Header[]): boolean {
  return headers.some(({ variable }) => variable !== undefined);
}

function joined(operator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(operator);
}

function indented(lines: readonly (string | false | undefined)[], indent: string): string {
  return lines
    .filter(Boolean)
    .map((line) => `${indent}${line}\n`)
    .join('');
}
