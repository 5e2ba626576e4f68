import { expect, test } from "vitest";
import { withoutAnalytics } from "./allure-html.ts";

test("scripts from outside and the analytics they need are taken out, the report's own scripts stay", () => {
  const own =
    '<script src="data:text/javascript;base64,AAAA"></script><script>window.allureReportData = {};</script><script src="app.js"></script>';
  const analytics = [
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
    "<script>\n  window.dataLayer = window.dataLayer || [];\n  gtag('js', new Date());\n</script>",
  ].join("\n");
  expect(withoutAnalytics(`<head>${analytics}</head>${own}`).replaceAll("\n", "")).toBe(`<head></head>${own}`);
});
