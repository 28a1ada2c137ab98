// The pages are complete without this script.

redirectOldAnchor();
addCopyButtons();
offerTrial();
scrollContents();

/** Redirects links of earlier versions, in which an anchor of the overview or the reference names an operation. */
function redirectOldAnchor() {
  const [, docs] = /^(.*\/docs)(?:\/reference)?$/.exec(window.location.pathname) ?? [];
  const id = window.location.hash.slice(1);
  if (docs === undefined || !/^[a-z]+[A-Z]\w*$/.test(id) || document.getElementById(id)) return;
  const address = `${docs}/reference/${id}`;
  if (document.querySelector(`.contents a[href="${address}"]`)) window.location.replace(address);
}

function scrollContents() {
  const contents = document.querySelector('.contents');
  const present = contents?.querySelector('[aria-current]');
  const isBelow = present && present.offsetTop > contents.clientHeight * 0.8;
  if (isBelow) contents.scrollTop = present.offsetTop - contents.clientHeight / 2;
}

function addCopyButtons() {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    figure.querySelector('figcaption').append(button);
  }
}

/** On a narrow screen the form that sends a request is far below the title, so a link leads to the form. */
function offerTrial() {
  const details = document.getElementById('try');
  if (!details) return;
  details.hidden = false;
  details.addEventListener('toggle', () => import('./try.js'), { once: true });
  const link = document.createElement('a');
  link.href = '#try';
  link.className = 'to-try';
  link.textContent = 'Try it';
  link.addEventListener('click', () => {
    details.open = true;
  });
  document.querySelector('.text .call').after(link);
  if (window.location.hash === '#try') details.open = true;
}
