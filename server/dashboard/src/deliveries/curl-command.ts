interface Request {
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** The command shows the status and the headers of the answer too. A POSIX shell takes it as it is. */
export function curlCommand({ url, headers, body }: Request): string {
  const lines = [
    // Without `--globoff`, brackets and braces in the address would mean several addresses.
    `curl --include --globoff ${quoted(url)}`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
