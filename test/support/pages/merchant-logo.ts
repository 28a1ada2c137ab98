import type { Page } from 'playwright-core';

/** The address of a merchant's server. It does not exist, and the test answers in its place. */
export const merchantServer = 'https://shop.example.com';
export const logoUrl = `${merchantServer}/logo.svg`;

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" rx="8" fill="#1f4fbf"/>
<circle cx="24" cy="20" r="10" fill="#ffffff"/><rect x="44" y="15" width="60" height="10" rx="5" fill="#ffffff"/></svg>`;

/** Answers requests for the merchant's logo with a picture, or with text if `isThere` is false. */
export async function answerLogo(page: Page, { isThere }: { isThere: boolean }): Promise<void> {
  await page.route(`${merchantServer}/logo.*`, (route) =>
    route.fulfill(
      isThere
        ? { contentType: 'image/svg+xml', body: picture }
        : { contentType: 'text/plain', body: 'No picture is here.' },
    ),
  );
}
