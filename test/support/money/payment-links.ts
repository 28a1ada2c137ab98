/** Sends the form of a payment link, and returns the answer without following its redirect. */
export async function sendLinkForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; html: string; checkoutUrl: string | null }> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.com', ...fields }),
    headers,
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  const checkoutUrl = location === null ? null : new URL(location, url).href;
  return { status: response.status, html: await response.text(), checkoutUrl };
}
