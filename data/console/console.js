// What a page of the console does beyond its markup. Without this script every page works as well: it is loaded again by hand, files are
// chosen by a button, and cells are tried by one.

const body = document.body;
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const AGO = new Intl.RelativeTimeFormat('en', { style: 'short' });
const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];
switchTimes();
obeyKeys();
keepInput();
rememberReason();
void followLedger();
markOwnChoice();
tryWhileTyping();
sendDroppedFile();
foldFilters();

/** Shows times as the reader wants them: how long ago, by the own clock, or in UTC, as the server writes them. */
function showTimes(root) {
  const look = timeLook();
  for (const time of root.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    time.dataset.utc ??= time.textContent;
    const local = CLOCK.format(at).replaceAll(',', '');
    time.textContent =
      look === 'UTC'
        ? time.dataset.utc
        : look === 'Local' || time.dataset.exact === ''
          ? local
          : howLong(at, local);
    time.title = [local, time.dataset.utc].filter((text) => text !== time.textContent).join(', ');
  }
}

function timeLook() {
  return localStorage.getItem('times') ?? 'Relative';
}

/** After a month a day says more. */
function howLong(at, local) {
  const ms = at.getTime() - Date.now();
  if (Math.abs(ms) > 30 * 86_400_000) return local;
  const found = UNITS.find(([least]) => Math.abs(ms) >= least);
  if (!found) return ms > 0 ? 'in a moment' : 'just now';
  const [size, unit] = found;
  return AGO.format(Math.round(ms / size), unit).replace('.', '');
}

/** The switch between the three, in the foot of the page. */
function switchTimes() {
  const place = document.getElementById('times');
  const choice = document.createElement('select');
  choice.setAttribute('aria-label', 'Times');
  for (const look of ['Relative', 'Local', 'UTC'])
    choice.add(new Option(look, look, false, look === timeLook()));
  choice.addEventListener('change', () => {
    localStorage.setItem('times', choice.value);
    showTimes(document);
  });
  place.replaceChildren('Times ', choice, ` Your zone is ${CLOCK.resolvedOptions().timeZone}.`);
  showTimes(document);
  setInterval(() => showTimes(document), 30_000);
}

/** The keys that the dialog lists, anywhere but in a field. */
function obeyKeys() {
  const dialog = document.getElementById('keys');
  document.addEventListener('keydown', (event) => {
    if (!dialog || dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act(rowOf(event.target), dialog);
  });
}

const KEYS = {
  '/': () => {
    const field = document.getElementById('find');
    field?.focus();
    field?.select();
  },
  '?': (_, dialog) => dialog.showModal(),
  j: (row) => focusRow(row, 1),
  k: (row) => focusRow(row, -1),
  x: (row) => row?.querySelector('input[type="checkbox"]')?.click(),
  e: (row) => {
    const cell = row?.querySelector('input[type="text"]');
    if (cell) cell.focus();
    else row?.querySelector('a')?.click();
  },
};

function rowOf(element) {
  return element.closest('.list tbody tr');
}

/** Goes to the next or the previous row of the lists of a page: to its link, which Enter opens. */
function focusRow(row, step) {
  const rows = [...document.querySelectorAll('.list tbody tr')].filter((one) => one.querySelector('a'));
  const next = rows[row ? rows.indexOf(row) + step : 0];
  next?.querySelector('th a, a').focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Replaces the parts of a page that follow the ledger, whenever it has changed. */
async function followLedger() {
  if (!body.hasAttribute('data-live')) return;
  const own = { headers: { accept: 'text/html', 'x-registrar-live': '1' } };
  let known = body.dataset.live;
  for (let waitMs = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = 3_000;
    if (document.hidden) continue;
    try {
      const pulse = await fetch('/pulse', own);
      if (pulse.status === 401 || pulse.status === 403) return ended();
      if (!pulse.ok) continue;
      const now = await pulse.text();
      if (known !== now) {
        const began = performance.now();
        const response = await fetch(location.href, own);
        if (!response.ok || response.redirected) continue;
        putAnew(await response.text());
        // A page that takes long is renewed less often: to watch it costs a tenth of a thread at most.
        waitMs = Math.max(waitMs, 9 * (performance.now() - began));
      }
      known = now;
    } catch {
      // The console doesn't answer now; the page is tried again.
    }
  }
}

/** Says that the page no longer follows the ledger, with the way to sign in again. */
function ended() {
  const notice = document.createElement('p');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  const link = document.createElement('a');
  link.href = `/log-in?${new URLSearchParams({ to: location.pathname + location.search })}`;
  link.textContent = 'Sign in again';
  notice.append('Your session has ended, and this page no longer updates. ', link);
  document.getElementById('main').prepend(notice);
}

/** What was typed into a form whose session had ended is there again after the sign-in. It stays in this tab. */
function keepInput() {
  const here = location.pathname + location.search;
  const kept = JSON.parse(sessionStorage.getItem('input') ?? 'null');
  if (location.pathname !== '/log-in') sessionStorage.removeItem('input');
  if (kept?.page === here && document.referrer.startsWith(`${location.origin}/log-in`)) {
    for (const [action, name, value] of kept.fields)
      for (const form of document.querySelectorAll('form[method="post"]')) {
        const field = form.elements.namedItem(name);
        if (form.getAttribute('action') === action && field instanceof HTMLInputElement) field.value = value;
      }
  }
  document.addEventListener('submit', ({ target }) => {
    if (target.method !== 'post' || target.querySelector('[type="password"], [type="file"]')) return;
    const texts = [...target.elements].filter(
      ({ name, type }) => name && (type === 'text' || type === 'search'),
    );
    const fields = texts.map(({ name, value }) => [target.getAttribute('action'), name, value]);
    sessionStorage.setItem('input', JSON.stringify({ page: here, fields }));
  });
}

/** Replaces each part that follows the ledger by the part of the same id, unless the reader is editing it. */
function putAnew(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  showTimes(fresh);
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = fresh.getElementById(part.id);
    if (next && !part.contains(document.activeElement) && next.outerHTML !== part.outerHTML)
      part.replaceWith(next);
  }
}

/** A box at the head of a list chooses all of its page. */
function markOwnChoice() {
  for (const all of document.querySelectorAll('input[data-all]')) {
    all.hidden = false;
    all.addEventListener('change', () => {
      for (const box of document.querySelectorAll(`input[name="${CSS.escape(all.dataset.all)}"]`))
        box.checked = all.checked;
    });
  }
}

/** Shows the reading of each cell beside it, as the button to try it does, soon after input. A cell may stand outside its form. */
function tryWhileTyping() {
  let timer = 0;
  let latest = 0;
  document.addEventListener('input', ({ target }) => {
    const { form, name = '' } = target;
    if (!form?.dataset.try || !name.startsWith('cell-')) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      latest += 1;
      const own = latest;
      try {
        const response = await fetch(form.dataset.try, {
          method: 'POST',
          body: new URLSearchParams(new FormData(form)),
        });
        // An answer that was overtaken, and one that is no page of these rows, say nothing.
        if (own === latest && response.ok && !response.redirected) putReadings(form, await response.text());
      } catch {
        // The button is still there.
      }
    }, 350);
  });
}

/** Replaces the readings beside the cells of a form, and leaves the cells alone. */
function putReadings(form, text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const reading of document.querySelectorAll('[data-reading]')) {
    const next = fresh.getElementById(reading.id);
    if (next) reading.replaceChildren(...next.childNodes);
  }
  for (const cell of form.elements) {
    if (!cell.name?.startsWith('cell-')) continue;
    const isWrong = fresh.getElementById(cell.id)?.getAttribute('aria-invalid') === 'true';
    if (isWrong) cell.setAttribute('aria-invalid', 'true');
    else cell.removeAttribute('aria-invalid');
  }
}

/** The last reason is proposed for the next decision in this tab. */
function rememberReason() {
  for (const field of document.querySelectorAll('form[method="post"] input[name="because"]')) {
    if (field.value === '') field.value = sessionStorage.getItem('because') ?? '';
    field.form.addEventListener('submit', () => sessionStorage.setItem('because', field.value));
  }
}

/** A file that is dragged onto the area is sent with its progress, as one that is chosen there. */
function sendDroppedFile() {
  const form = document.querySelector('form[data-drop]');
  if (!form) return;
  const input = form.elements.namedItem('file');
  const progress = form.querySelector('[data-progress]');
  const mark = (isOver) => form.classList.toggle('over', isOver);
  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  form.addEventListener('dragleave', () => mark(false));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    if (!event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [file] = input.files;
    if (file.size > Number(form.dataset.largest)) {
      progress.textContent = 'The file is too large.';
      return;
    }
    const request = new XMLHttpRequest();
    const button = form.querySelector('button');
    button.disabled = true;
    const fail = (text) => {
      progress.textContent = text;
      button.disabled = false;
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      progress.textContent = `${Math.floor((100 * loaded) / Math.max(total, 1))} % sent`;
    });
    request.addEventListener('error', () => fail('The connection was lost. Nothing of the file was kept.'));
    request.addEventListener('load', () => {
      const { to, message } = answerOf(request.responseText);
      if (to) location.assign(to);
      else fail(message ?? 'The file was not uploaded. Reload this page: you may have to sign in.');
    });
    request.open('POST', form.action);
    request.setRequestHeader('accept', 'application/json');
    request.send(new FormData(form));
  });
}

function answerOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** On a phone the rows of a list come first. */
function foldFilters() {
  if (!matchMedia('(max-width: 40rem)').matches) return;
  for (const filters of document.querySelectorAll('.filters')) filters.open = false;
}
