/** The style of the verdict page, for light and dark mode, wide and narrow screens, and paper. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1c2230;--soft:#5a6375;--line:#dfe3ea;--back:#fff;--panel:#f5f7fa;--pass:#14713a;--fail:#b3261e;--wait:#8a5a00;--known:#6a3fa0;--link:#1b5cc4}
@media (prefers-color-scheme:dark){:root{--text:#e4e8f0;--soft:#9aa5b8;--line:#343b48;--back:#171a20;--panel:#20252e;--pass:#5fcf8b;--fail:#ff8a80;--wait:#e5b454;--known:#c3a1f2;--link:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0 auto;overflow-wrap:break-word;max-width:70rem;padding:1.5rem 1rem 4rem;font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
h1{font-size:2rem;line-height:1.2;margin:0}h2{font-size:1.2rem;margin:2.2rem 0 .6rem}h3{font-size:1rem;margin:0}
a{color:var(--link)}p{margin:.3rem 0}
code,pre{font:13px/1.5 ui-monospace,monospace}
code{overflow-wrap:anywhere}
pre{margin:.5rem 0 0;padding:.7rem;background:var(--back);border:1px solid var(--line);border-radius:6px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;max-height:40rem}
header{border-left:8px solid;padding:.2rem 0 .2rem 1rem}
.conformant{border-color:var(--pass)}.conformant h1,.pass{color:var(--pass)}
.nonconformant{border-color:var(--fail)}.nonconformant h1,.fail{color:var(--fail)}
.inconclusive{border-color:var(--wait)}.inconclusive h1,td.inconclusive,span.inconclusive{color:var(--wait)}
.deviation{color:var(--known)}.soft,.not-run,.not-judged{color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.6rem 1rem;margin:1rem 0}
.open{font:inherit;font-weight:600;padding:.4rem .9rem;border:1px solid var(--link);border-radius:6px;color:var(--link);background:none;cursor:pointer;text-decoration:none}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}td:first-child code,th,td.tight{white-space:nowrap}th{color:var(--soft);font-weight:500}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
article{margin:.8rem 0;padding:.8rem 1rem;background:var(--panel);border-radius:8px;border-left:4px solid var(--fail)}
.manual h1{font-size:1.1rem}.manual h2{font-size:1rem;margin:1rem 0 .3rem}.cause{font-weight:600}.values{margin:.6rem 0}.values dd{white-space:pre-wrap}.timeline{margin:.5rem 0;padding:0;list-style:none}
tr:target{background:var(--panel)}
article.known{border-color:var(--known)}
blockquote{margin:.3rem 0;padding-left:.8rem;border-left:2px solid var(--line);color:var(--soft)}
summary{cursor:pointer}details{margin:.4rem 0}
.bars{display:block;width:100%;border-bottom:1px solid var(--line)}.bars.large{height:90px;max-width:60rem}.bars.small{height:26px;width:9rem}
.bars .ok{fill:var(--link)}.bars .limited{fill:var(--wait)}.bars .failed{fill:var(--fail)}.bars .empty{fill:transparent}
.key{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem;border-radius:2px}.key.ok{background:var(--link)}.key.limited{background:var(--wait)}.key.failed{background:var(--fail)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:1rem}figure{margin:0}figcaption{color:var(--soft)}
.scroll{overflow-x:auto}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.6rem 0}.legend svg{vertical-align:-1px;margin-right:.4rem}
.matrix{display:block;margin-bottom:1.2rem}.matrix>text{font:11px system-ui,sans-serif;fill:var(--text)}
.square{fill:var(--pass)}.square.masked{fill:var(--known)}.square.defect{fill:var(--fail)}.square.unevaluated{fill:var(--wait)}
.square text{font:700 10px system-ui,sans-serif;text-anchor:middle;fill:var(--back)}
.square.cut,.square.none{fill:none;stroke:var(--soft)}.square.cut{stroke:var(--text)}.square.cut text{stroke:none;fill:var(--text)}
@media (max-width:40rem){dl{grid-template-columns:1fr}dt{margin-top:.4rem}body{font-size:14px}h1{font-size:1.6rem}}
@media print{.open{display:none}details{display:block}}
`;
