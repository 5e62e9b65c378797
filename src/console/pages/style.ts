/**
 * What the console adds to the style of a report's page, in the same colours. Whatever can be pressed is 24 pixels high at least (WCAG
 * 2.5.8).
 */
export const CONSOLE_STYLE = `
.console .top { padding-block: 1rem .25rem; gap: .4rem 1.25rem; }
.console .top nav { flex: 1 0 100%; border-bottom: 1px solid var(--line); }
.console .top nav ul { margin: 0; gap: .1rem 1.1rem; }
.console .top nav a { padding-block: .45rem; text-decoration: none; border-bottom: 3px solid transparent; }
.console .top nav a:hover { text-decoration: underline; }
.console .top nav a[aria-current] { color: var(--ink); font-weight: 650; border-color: var(--link); }
.headline { font-size: clamp(1.25rem, 1.05rem + 1vw, 1.7rem); line-height: 1.25; font-weight: 680; letter-spacing: -.015em; text-wrap: balance; }
.brand a { color: inherit; text-decoration: none; font-size: 1.125rem; }
.person { margin-left: auto; display: flex; align-items: center; gap: .8rem; }
.console main { padding-top: 1.25rem; }
.console main > h1 { margin-bottom: 1.1rem; overflow-wrap: anywhere; }
.console main > p { margin-bottom: 1rem; }
main section section { margin-top: 1.5rem; }
main > [data-part] > section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.1rem, 3vw, 2rem); margin-bottom: 1.25rem; }

button, .button, input, select, textarea { font: inherit; color: inherit; }
button, .button { display: inline-block; padding: .45rem 1rem; min-height: 2.5rem; border-radius: 8px; border: 1px solid var(--link); background: var(--link); color: var(--card); font-weight: 600; cursor: pointer; text-decoration: none; }
button.second-choice, .button.second-choice { background: transparent; color: var(--link); }
button.plain { background: none; border: 0; padding: .2rem 0; min-height: 1.75rem; color: var(--link); text-decoration: underline; font-weight: 400; }
button:disabled { opacity: .6; cursor: not-allowed; }
input, select, textarea { background: var(--card); border: 1px solid var(--soft); border-radius: 8px; padding: .4rem .6rem; min-height: 2.5rem; max-width: 100%; }
input[type=checkbox], input[type=radio] { min-height: 0; width: 1.15rem; height: 1.15rem; accent-color: var(--link); vertical-align: -.2rem; }
input[aria-invalid=true] { border: 2px solid var(--bad-bar); }
textarea { width: 100%; }
.field { display: grid; gap: .25rem; justify-items: start; margin-block: .8rem; }
.field label, .field legend { font-weight: 600; font-size: .9375rem; }
.field input:not([type=checkbox]):not([type=radio]), .field textarea { width: min(100%, 32rem); }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin-top: 1rem; }
.second + .filter { margin-top: .9rem; }
.filter { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin-bottom: 1rem; }
.filter .field { margin: 0; } .filter .field label { font-weight: 500; color: var(--soft); font-size: .875rem; }
.filter .field input { width: 14rem; }
.told { padding: .8rem 1rem; border-radius: 10px; border-left: 4px solid var(--calm-bar); background: var(--calm-bg); margin-bottom: 1.25rem; }
.told.good { border-color: var(--good-bar); background: var(--good-bg); }
.told.bad { border-color: var(--bad-bar); background: var(--bad-bg); }
.told.open { font: inherit; margin-top: 0; border-color: var(--open-bar); background: var(--open-bg); }
.console .scroll { position: relative; }
.list { font-size: .9375rem; } .list th[scope=row], .list td { overflow-wrap: anywhere; }
.list tbody th:has(bdi), .list tbody th.short { min-width: 9.5rem; } .list tbody th:has(> code) { min-width: 15rem; } .list td { min-width: 7.75rem; } .list .n, .list td:has(> input) { min-width: 0; } .list td:has(> ul small) { min-width: 12rem; }
.list caption { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
.list thead th, .list thead td { border-top: 0; vertical-align: middle; }
.list thead a { color: inherit; display: inline-block; padding-block: .2rem; }
.list .short { overflow-wrap: normal; }
.list time { white-space: nowrap; } .list time small { display: block; }
.issues { padding-left: 1.1rem; margin-block: .6rem .9rem; }
.verdict .note { margin-top: .5rem; }
.list input[type=checkbox] { margin-block: .2rem; }
.list td ul { list-style: none; margin: 0; padding: 0; } .list td p { margin: 0 0 .3rem; }
.list td .buttons { margin-top: .4rem; }
pre.answer { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font-size: .875rem; }
.cells { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0 1.25rem; } .cells .field { align-content: start; }
.console h3 { margin: 1.1rem 0 .4rem; } .buttons + dl.pairs, .second + dl.pairs { margin-top: .9rem; }
.pager { margin-top: 1rem; }
.drop { border: 2px dashed var(--soft); border-radius: 12px; padding: 1.25rem; display: flex; flex-wrap: wrap; gap: .8rem 1.25rem; align-items: end; }
.drop .field, .drop .buttons { margin: 0; } .drop .note { flex: 1 0 100%; } .drop [data-progress]:empty { display: none; }
::file-selector-button { font: inherit; color: var(--link); background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: .1rem .6rem; margin-right: .6rem; }
.drop.over { border-color: var(--link); background: var(--calm-bg); }
.chip.open { margin: 0; font: inherit; font-size: .8125rem; font-weight: 550; color: var(--open); background: var(--open-bg); } .chip.calm { color: var(--calm); background: var(--calm-bg); }
time small { white-space: nowrap; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; }
dl.pairs { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; margin: 0; }
dl.pairs dt { color: var(--soft); } dl.pairs dd { margin: 0; overflow-wrap: anywhere; }
@media (min-width: 40.01rem) { .console .lane { grid-template-columns: 11.5rem minmax(0, 1fr) 4rem; } }
@media (max-width: 40rem) {
  .cards, .cards thead, .cards tbody, .cards tr, .cards th, .cards td { display: block; }
  .cards thead tr { display: flex; flex-wrap: wrap; background: var(--sunk); } .cards thead th:not(:has(a)) { display: none; }
  .cards tbody tr { border-top: 1px solid var(--line); padding-block: .6rem; }
  .cards tbody th, .cards td { border: 0; padding-block: .15rem; text-align: left; }
  .cards td { position: relative; padding-left: 8rem; min-height: 1.7rem; }
  .cards td:not([data-title]) { padding-left: .6rem; min-height: 0; }
  .cards td::before { content: attr(data-title); position: absolute; left: .6rem; width: 7rem; color: var(--soft); font-size: .875rem; }
  dl.pairs { grid-template-columns: 1fr; } dl.pairs dd { margin-bottom: .4rem; }
  .person { margin-left: 0; }
}
@media print { .person, .filter, .pager, .buttons, .drop { display: none; } }
`;
