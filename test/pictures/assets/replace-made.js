/** Runs in a page. Replaces values that differ in every run, so that screenshots stay the same. */
(() => {
  const always = {
    'html:not([data-mantine-color-scheme]) time': '15 January 2026 at 10:00 UTC',
    '.request-id code': 'req_019aa3c49d1e7c528f3a',
    '#why code': 'pQ3u',
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = settled(texts.currentNode.data);
  for (const field of document.querySelectorAll('input:not([type="hidden"]), textarea'))
    field.value = settled(field.value);
  for (const [selector, text] of Object.entries(always))
    for (const element of document.querySelectorAll(selector)) element.textContent = text;
  document.activeElement?.blur?.();
})();

function settled(text) {
  return text
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60')
    .replace(/whsec_[\w+/=-]{20,}/g, 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u')
    .replace(/\bv1,[\w+/=]{40,}/g, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
    .replace(/(X-Service-Signature: )\S+/gi, '$18d1f0c2b7a6e5d4c3b2a190807f6e5d4c3b2a190807f6e5d4c3b2a190807f6e5')
    .replace(/\breq_[\da-z]{20}\b/g, 'req_019aa3c49d1e7c528f3a')
    .replace(/localhost:\d+/g, 'localhost:3000')
    .replace(/\b4:5\d\b/g, '4:59');
}
