/**
 * The style of a report's page: light and dark, wide and narrow, on screen and on paper. Every pair of text and ground has
 * a contrast of 4.5 at least (WCAG AA), which a test measures; a colour never says anything that no word says.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f8; --card: #ffffff; --sunk: #f6f8fa; --ink: #15202d; --soft: #52606f; --line: #d8dee6; --link: #0b559c;
  --good: #0e6b45; --good-bg: #e4f4eb; --good-bar: #2c9a69;
  --bad: #a02218; --bad-bg: #fdecea; --bad-bar: #d0453a;
  --open: #7a4a00; --open-bg: #fdf1da; --open-bar: #d99a1f;
  --calm: #4a5765; --calm-bg: #eaeef2; --calm-bar: #a9b4c0;
  --ink-bar: #5b6b7c;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1319; --card: #161d26; --sunk: #11171f; --ink: #e5eaf0; --soft: #a3b0be; --line: #2b3644; --link: #82bdff;
    --good: #7ddcab; --good-bg: #11301f; --good-bar: #3fae7b;
    --bad: #ff9d92; --bad-bg: #3b1715; --bad-bar: #e06156;
    --open: #f2c56b; --open-bg: #35270b; --open-bar: #d49a2a;
    --calm: #b4c0cc; --calm-bg: #232d38; --calm-bar: #5d6b7a;
    --ink-bar: #8b9bac;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
.top, main, footer { max-width: 68rem; margin: 0 auto; padding-inline: clamp(1rem, 4vw, 2rem); }
h1, h2, h3, p, ul, dl, figure { margin: 0; }
h1 { font-size: clamp(1.5rem, 1.15rem + 1.7vw, 2.15rem); line-height: 1.2; letter-spacing: -.015em; font-weight: 680; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; margin-bottom: .9rem; }
h3 { font-size: 1rem; line-height: 1.4; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font-family: var(--mono); font-size: .875em; }
code { overflow-wrap: anywhere; }
small { font-size: .8125rem; color: var(--soft); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; background: var(--card); padding: .6rem 1rem; border-radius: 6px; }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.25rem; padding-block: 1.5rem 1rem; }
.brand { font-weight: 700; letter-spacing: -.01em; }
.brand span { font-weight: 400; color: var(--soft); }
.selection { color: var(--soft); flex: 1 1 20rem; }
.selection b { color: var(--ink); }
.badge, .chip { display: inline-block; border-radius: 99px; font-weight: 600; white-space: nowrap; }
.badge { padding: .25rem .8rem; font-size: .875rem; }
.chip { padding: .05rem .55rem; font-size: .8125rem; font-weight: 550; }
.badge.good, .chip.good { color: var(--good); background: var(--good-bg); }
.badge.bad, .chip.bad { color: var(--bad); background: var(--bad-bg); }

.verdict, main > section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.1rem, 3vw, 2rem); margin-bottom: 1.25rem; }
.verdict { display: grid; grid-template-columns: auto 1fr; gap: 1.25rem; }
.glyph { width: 2.75rem; height: 2.75rem; border-radius: 50%; display: grid; place-items: center; font-size: 1.4rem; font-weight: 700; color: var(--calm); background: var(--calm-bg); }
.well .glyph { color: var(--good); background: var(--good-bg); }
.waiting .glyph, .attention .glyph { color: var(--open); background: var(--open-bg); }
.unbalanced .glyph, .failed .glyph { color: var(--bad); background: var(--bad-bg); }
.verdict.unbalanced, .verdict.failed { border-color: var(--bad-bar); border-width: 2px; }
.second { color: var(--soft); margin-top: .5rem; font-size: 1.05rem; }
.open { margin-top: .8rem; font-size: 1.15rem; font-weight: 600; }
.needs { margin-top: 1rem; padding: 0; list-style: none; display: grid; gap: .45rem; }
.needs li { padding-left: .9rem; border-left: 3px solid var(--open-bar); }
.needs li.broken { border-color: var(--bad-bar); }
.needs li.calm { border-color: var(--calm-bar); color: var(--soft); }

nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; list-style: none; padding: 0; margin: 0 0 1.25rem; font-size: .9375rem; }
nav a { display: inline-block; padding-block: .25rem; }

.sums { display: grid; gap: 1.75rem; }
.sum h3 { color: var(--soft); font-weight: 550; margin-bottom: .45rem; }
.equation, .term { display: flex; align-items: stretch; gap: .5rem; }
.equation { flex-wrap: wrap; }
.equation b { display: block; font-size: 1.4rem; line-height: 1.15; font-weight: 680; letter-spacing: -.01em; }
.equation small { display: block; }
.total, .part { display: block; padding: .5rem .8rem; border-radius: 9px; line-height: 1.35; }
.total { padding-left: 0; min-width: 6.75rem; }
.part { border-left: 4px solid; }
.part.good { background: var(--good-bg); border-color: var(--good-bar); }
.part.bad { background: var(--bad-bg); border-color: var(--bad-bar); }
.part.open { background: var(--open-bg); border-color: var(--open-bar); }
.part.calm { background: var(--calm-bg); border-color: var(--calm-bar); }
.part small { color: inherit; }
.op { align-self: center; font-size: 1.2rem; color: var(--soft); }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; margin-top: .7rem; background: var(--calm-bg); }
svg .good, svg.good { fill: var(--good-bar); } svg .bad, svg.bad { fill: var(--bad-bar); }
svg .open, svg.open { fill: var(--open-bar); } svg .calm, svg.calm { fill: var(--calm-bar); } svg.ink { fill: var(--ink-bar); }
.none { color: var(--soft); font-size: .8125rem; margin-top: .35rem; }
.note, .lead { color: var(--soft); font-size: .9375rem; }
section > .note { margin-top: 1rem; }
.empty { color: var(--soft); }

.cause { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .25rem 1.25rem; padding-top: 1.4rem; margin-top: 1.4rem; border-top: 1px solid var(--line); }
.lead + .cause { margin-top: 1rem; }
.big b { display: block; font-size: 1.75rem; line-height: 1.15; font-weight: 680; letter-spacing: -.02em; white-space: nowrap; }
.big .long { font-size: 1.2rem; }
.big span { color: var(--soft); font-size: .875rem; }
.cause h3 { font-size: 1.1rem; }
.cause div > p { margin-top: .4rem; }
.meta { color: var(--soft); font-size: .9375rem; }
.who { font-size: .9375rem; }
pre { margin: .75rem 0 0; padding: .7rem .9rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
.where, .choices { margin-top: .4rem; padding-left: 1.1rem; font-size: .9375rem; }
.choices { margin-top: .6rem; }
.where b { font-weight: 600; }
details { margin-top: .8rem; }
summary { cursor: pointer; color: var(--link); font-weight: 550; padding-block: .2rem; width: fit-content; }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; margin-top: .6rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding: .6rem .8rem; font-size: .875rem; }
caption span { position: sticky; left: .8rem; display: inline-block; max-width: min(100%, calc(100vw - 6.5rem)); }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; border-top: 1px solid var(--line); }
thead th, thead td { background: var(--sunk); color: var(--soft); font-weight: 600; white-space: nowrap; }
th[scope=row] { font-weight: 550; }
th small { display: block; font-weight: 400; }
.n { text-align: right; white-space: nowrap; }
.absent { color: var(--soft); }
.absent { font-style: italic; white-space: nowrap; }
.files th[scope=row], .settings th[scope=row] { overflow-wrap: anywhere; min-width: 9rem; }
.files thead th, .settings thead th { white-space: normal; }
.counts { display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
.counts span { white-space: nowrap; }
.counts b { font-weight: 600; }
.narrow { display: none; }
.rows { table-layout: fixed; }
.rows td, .rows th { overflow-wrap: anywhere; white-space: normal; }
.rows thead th:first-child { width: 30%; }
.rows tbody tr:not(.place) > * { border-top-color: transparent; padding-block: .15rem; }
.rows tbody tr:last-child > * { padding-bottom: .7rem; }
.rows td { font-family: var(--mono); font-size: .8125rem; line-height: 1.6; }
.rows .absent, .rows .besides td { font-family: inherit; }
.rows .besides > * { color: var(--soft); font-size: .8125rem; }
.rows th[scope=row] { font-weight: 500; }
.rows th[scope=row] small { display: inline; margin-left: .4rem; }
.place th { padding-top: .7rem; font-weight: 600; }
.place .chip { margin-inline: .35rem; }
.place small { display: inline; }
.said, .problem { display: block; font-weight: 400; margin-top: .2rem; }
.said { color: var(--soft); }
.problem i { font-style: normal; color: var(--soft); }
.changed { background: var(--open-bg); }

.timeline figcaption { color: var(--soft); font-size: .9375rem; margin-bottom: .8rem; }
.lane { display: grid; grid-template-columns: 9rem minmax(0, 1fr) 4rem; gap: .9rem; align-items: center; border-top: 1px solid var(--line); padding-block: .35rem; }
.lane .name { line-height: 1.25; } .lane .name b, .lane .name small { display: block; }
.lane svg { width: 100%; height: 3.25rem; display: block; border-bottom: 1px solid var(--line); }
.lane .count { text-align: right; font-weight: 650; font-size: 1.1rem; }
.few svg { max-width: 16rem; } .few .axis { max-width: 16rem; }
.axis { display: flex; justify-content: space-between; margin: 0 4.9rem 0 9.9rem; color: var(--soft); font-size: .8125rem; }

.scroll + .scroll { margin-top: 1rem; }
.notices > li { min-width: 0; }
.notices:last-child { margin-bottom: 0; }
.notices { list-style: none; padding: 0; display: grid; gap: .6rem; margin-bottom: .8rem; }
footer { color: var(--soft); font-size: .875rem; padding-block: .5rem 3rem; display: grid; gap: .5rem; }
footer b { color: var(--ink); }

@media (max-width: 40rem) {
  .verdict { grid-template-columns: 1fr; gap: .8rem; }
  .cause { grid-template-columns: minmax(0, 1fr); }
  .big { display: flex; align-items: baseline; gap: .4rem; } .big b { display: inline; }
  .lane { grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .9rem; }
  .lane svg { grid-column: 1 / -1; grid-row: 2; height: 2.5rem; }
  .axis { margin-inline: 0; }
  .total { min-width: 100%; }
  .equation { gap: .4rem; }
  .term { flex: 1 1 44%; }
  .part { flex: 1; padding-inline: .65rem; }
  .op { font-size: 1rem; }
  .rows th[scope=row] small { display: block; margin: 0; }
  th, td { padding-inline: .6rem; }
  .files, .files tbody, .files tr, .files th, .files td, .files caption { display: block; }
  .files thead { position: absolute; left: -999rem; }
  .files th[scope=row] { border-top: 1px solid var(--line); padding-top: .7rem; }
  .files td { border-top: 0; padding-block: .1rem; text-align: left; }
  .files tr { padding-bottom: .6rem; }
  .narrow { display: inline; }
  .counts span { white-space: normal; }
}
@page { margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light; --ground: #fff; --card: #fff; --sunk: #fff; --ink: #000; --soft: #3d4854; --line: #bfc7d0; --link: #000; }
  html { font-size: 8.5pt; }
  body { font-size: 1rem; line-height: 1.35; }
  h1 { font-size: 1.7rem; } h2 { margin-bottom: .4rem; }
  .lead + .cause, .cause { margin-top: .5rem; padding-top: .5rem; }
  .big b { font-size: 1.5rem; }
  .cause { grid-template-columns: 4rem minmax(0, 1fr); break-inside: avoid; }
  .cause div > p, .where, .choices, details, pre { margin-top: .15rem; }
  pre { padding: .25rem .5rem; }
  th, td { padding: .2rem .5rem; }
  .lane svg { height: 2rem; }
  .equation b { font-size: 1.25rem; } .total, .part { padding: .2rem .5rem; } .sums { gap: .6rem; }
  .top, main, footer { max-width: none; padding-inline: 0; }
  nav, .skip { display: none; }
  .verdict, main > section { border: 0; padding: 0; margin-bottom: 1.4rem; border-radius: 0; }
  h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
  h2, h3, caption, .place { break-after: avoid; }
  tr, .sum, .lane, .needs li { break-inside: avoid; }
  .scroll { overflow: visible; border: 0; }
  pre { white-space: pre-wrap; }
  thead { display: table-row-group; }
  /* What is folded on the screen is so on paper, with its count; the first list is closed too. */
  details > :not(summary) { display: none; }
  details:not([open])::details-content { display: none; }
  summary { color: inherit; }
  svg, .part, .chip, .badge, .glyph, .changed { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
