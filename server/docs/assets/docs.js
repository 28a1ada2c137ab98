// The pages are complete without this script.

redirectOldAnchor();
addCopyButtons();
offerTrial();
scrollContents();
followReader();

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

/** Marks the section that the reader sees in the contents of the page. */
function followReader() {
  const nav = document.querySelector('.on-this-page');
  if (!nav) return;
  const place = document.querySelector('.here span');
  const links = [...nav.querySelectorAll('a')];
  const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
  let isAsked = false;
  const follow = () => {
    isAsked = false;
    const shown = headings.indexOf(shownHeading(headings));
    const present = nav.querySelector('[aria-current]');
    if (links[shown] === present) return;
    present?.removeAttribute('aria-current');
    links[shown]?.setAttribute('aria-current', 'location');
    place.textContent = links[shown] ? ` · ${links[shown].textContent}` : '';
    keepInView(nav, links[shown] ?? nav);
  };
  const ask = () => {
    if (!isAsked) requestAnimationFrame(follow);
    isAsked = true;
  };
  for (const event of ['scroll', 'resize', 'hashchange']) window.addEventListener(event, ask, { passive: true });
  nav.addEventListener('toggle', () => keepInView(nav, nav.querySelector('[aria-current]') ?? nav));
  nav.addEventListener('click', ({ target }) => {
    if (target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
  });
  follow();
}

/** The last headings of a page may be too far down to reach the top of the window. */
function shownHeading(headings) {
  const { clientHeight, scrollHeight } = document.documentElement;
  const top = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 16;
  const isAtEnd = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2;
  const target = headings.find((heading) => heading?.matches(':target'));
  if (isAtEnd && target?.getBoundingClientRect().top >= 0) return target;
  if (isAtEnd) return headings.at(-1);
  return headings.findLast((heading) => heading?.getBoundingClientRect().top <= top);
}

function keepInView(nav, link) {
  const { top, bottom } = link.getBoundingClientRect();
  const edges = nav.getBoundingClientRect();
  if (top < edges.top || bottom > edges.bottom) nav.scrollTop += top - edges.top - nav.clientHeight / 2;
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
