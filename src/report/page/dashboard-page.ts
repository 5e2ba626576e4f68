/** Writes `allure-report/dashboard/index.html`: Allure's dashboard in one file that fetches nothing, below the verdict. */
import type { Summary } from "../model.ts";
import { markup } from "./html.ts";
import { APP, type PackedReport } from "./single-page.ts";

/** Corrects Allure's layout of two columns at any width, and its cut labels. Allure's later styles make `!important` necessary. */
const STYLE = `
.run{padding:1.5rem 3.5rem 0;font:15px/1.5 system-ui,sans-serif;color:var(--color-text-primary,#1c2230);overflow-wrap:anywhere}
.run h1{font-size:1.8rem;font-weight:700;line-height:1.3;margin:0}.run p{margin:.2rem 0}.run a{color:var(--color-link-text,#1b5cc4)}
.run .conformant{color:var(--color-intent-success-text,#14713a)}
.run .nonconformant{color:var(--color-intent-danger-text,#b3261e)}
.run .inconclusive{color:var(--color-intent-warning-text,#8a5a00)}
svg{overflow:visible}
@media (max-width:40rem){.run{padding:1rem 1rem 0}[data-testid="base-layout"]{padding:4px!important}[class*="styles_grid__"]{grid-template-columns:1fr!important}div:has(>[class*="styles_grid__"]){padding:4px!important}}
`;

/** Returns the whole text of the dashboard page. `name` names the judged target, and `packed` is the dashboard as Allure generated it. */
export function dashboardPage(name: string, { verdict, run }: Summary, { page, app, files }: PackedReport): string {
  const data = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString("base64")]));
  const header = markup`<header class="run">
    <h1 class="${verdict}">${verdict.toUpperCase()}</h1>
    <p>${name}</p>
    <p>Run ${run.id}, started ${run.startedAt.slice(0, 16).replace("T", " ")} UTC</p>
    <p><a href="../../report.html">The verdict with its evidence</a></p>
  </header>`;
  return page
    .replace("</head>", `<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>`)
    .replace("<body>", () => `<body>${header.text}<script>window.allureReportData=${JSON.stringify(data)}</script>`)
    .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:,">')
    .replace(APP, () => `data:text/javascript;base64,${Buffer.from(app).toString("base64")}`);
}
