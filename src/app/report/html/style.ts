// The look of the report: system fonts, two colour schemes, nothing loaded from anywhere.

export const STYLE = `
:root { color-scheme: light dark;
  --bg: #f6f7f9; --card: #ffffff; --ink: #1b2230; --soft: #5b6577; --line: #e3e7ee; --track: #eef1f6; --accent: #4f46e5;
  --good: #0f9d6b; --warn: #b7791f; --bad: #c8344b;
  --chat: #4f46e5; --completion: #0d9488; --models: #9333ea; --auth: #d97706; --search: #db2777; --telemetry: #94a3b8; --other: #64748b; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #0f131a; --card: #171d27; --ink: #e6eaf2; --soft: #98a3b7; --line: #263041; --track: #1f2734; --accent: #8b87ff;
  --good: #34d399; --warn: #fbbf24; --bad: #fb7185;
  --chat: #818cf8; --completion: #2dd4bf; --models: #c084fc; --auth: #fbbf24; --search: #f472b6; --telemetry: #64748b; --other: #94a3b8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -0.02em; }
h2 { font-size: 19px; margin: 40px 0 4px; letter-spacing: -0.01em; }
h3 { font-size: 15px; margin: 0; }
p.lead { color: var(--soft); margin: 0 0 12px; max-width: 78ch; }
.mono, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; margin-top: 12px; overflow-x: auto; }
.badge { display: inline-block; border-radius: 999px; padding: 2px 10px; font-size: 13px; font-weight: 600; border: 1px solid currentColor; }
.badge.good { color: var(--good); } .badge.warn { color: var(--warn); } .badge.bad { color: var(--bad); }
nav { display: flex; flex-wrap: wrap; gap: 6px 16px; margin: 16px 0 0; font-size: 14px; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin-top: 20px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; }
.tile b { display: block; font-size: 24px; line-height: 1.25; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 12.5px; padding: 4px 12px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.path { overflow-wrap: anywhere; min-width: 220px; }
.bar { position: relative; height: 8px; min-width: 120px; background: var(--track); border-radius: 4px; overflow: hidden; margin-top: 7px; }
.bar i { position: absolute; left: 0; top: 0; bottom: 0; background: var(--accent); border-radius: 4px; }
.bar i.second { background: var(--good); }
.chip { display: inline-block; border: 1px solid var(--line); background: var(--track); border-radius: 6px; padding: 0 7px; margin: 0 4px 4px 0; font-size: 12.5px; line-height: 20px; }
.chip.alert { color: var(--bad); border-color: currentColor; background: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; color: var(--soft); margin-bottom: 8px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
svg.wide { min-width: 720px; } svg .lane { stroke: var(--line); } svg .host { fill: var(--ink); }
.f-chat { fill: var(--chat); background: var(--chat); } .f-completion { fill: var(--completion); background: var(--completion); }
.f-models { fill: var(--models); background: var(--models); } .f-auth { fill: var(--auth); background: var(--auth); }
.f-search { fill: var(--search); background: var(--search); } .f-telemetry { fill: var(--telemetry); background: var(--telemetry); }
.f-other { fill: var(--other); background: var(--other); }
.f-reused { fill: var(--good); background: var(--good); } .f-fresh { fill: var(--accent); background: var(--accent); } .f-broken { fill: var(--bad); background: var(--bad); }
details > summary { cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
details > summary::before { content: "▸"; color: var(--soft); } details[open] > summary::before { content: "▾"; }
.turn { border-left: 3px solid var(--line); padding: 2px 0 2px 16px; margin: 16px 0 0 4px; }
.asked { font-weight: 600; margin: 0 0 6px; overflow-wrap: anywhere; }
.round { display: grid; grid-template-columns: 230px 1fr 64px; gap: 2px 12px; align-items: center; padding: 4px 0; font-size: 14px; }
.round > .who { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.track { position: relative; height: 12px; background: var(--track); border-radius: 6px; }
.track i { position: absolute; top: 0; bottom: 0; min-width: 3px; border-radius: 6px; background: var(--chat); }
.track i.wait { background: repeating-linear-gradient(135deg, var(--line) 0 4px, transparent 4px 8px); border-radius: 0; }
.round .below { grid-column: 2 / 4; } .said { color: var(--soft); font-size: 13.5px; overflow-wrap: anywhere; }
.sev-high { color: var(--bad); font-weight: 700; } .sev-medium { color: var(--warn); font-weight: 700; } .sev-low { color: var(--soft); }
pre.diff { margin: 6px 0 0; padding: 8px 10px; background: var(--track); border-radius: 8px; overflow-x: auto; font-size: 12.5px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.diff .del { color: var(--bad); } pre.diff .ins { color: var(--good); }
footer { margin-top: 48px; color: var(--soft); font-size: 13px; border-top: 1px solid var(--line); padding-top: 16px; }
@media print { body { background: #fff; } .card, .tile { break-inside: avoid; } nav { display: none; } }
@media (max-width: 640px) { .round { grid-template-columns: 1fr; } .round .below { grid-column: 1; } main { padding: 20px 14px 48px; } }
`;
