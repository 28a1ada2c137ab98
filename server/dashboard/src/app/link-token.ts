/**
 * A link in a mail leads to a page with a token. As long as the address bar shows the token, people and extensions can
 * read it, so it is removed before anything else happens. After a reload, the user opens the link of the mail again.
 */
export const linkToken: string | null = takeToken();

function takeToken(): string | null {
  const { href } = location;
  const url = new URL(href);
  const token = url.searchParams.get('token');
  url.searchParams.delete('token');
  if (token !== null) history.replaceState(history.state, '', url);
  return token;
}
