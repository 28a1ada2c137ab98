interface Findings {
  found: { address: string; title: string[]; excerpt: string[]; isOfOperation: boolean }[];
  isPartial: boolean;
  nearest: string[];
}

/** What the search of the documentation answers to a program. */
export async function findings({ url }: { url: string }, query: string): Promise<Findings> {
  const response = await fetch(`${url}/docs/search.json?q=${encodeURIComponent(query)}`);
  return (await response.json()) as Findings;
}
