import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { proxyFor } from "./proxy.ts";
import { getting, serve, TRANSPORT_SETTINGS, transport } from "./testing.ts";

const SETTINGS = { ...TRANSPORT_SETTINGS, httpProxy: "http://plain:3128", httpsProxy: "http://secure:3128" };

const ignore = (): void => undefined;

test.each([
  ["http://m.example.com", "", "http://plain:3128"],
  ["https://m.example.com", "", "http://secure:3128"],
  ["https://m.example.com", "*", undefined],
  ["https://m.example.com", "other, m.example.com", undefined],
  ["https://M.example.com", "m.EXAMPLE.com", undefined],
  ["https://m.example.com", ".example.com", undefined],
  ["https://m.example.com", "*.example.com", undefined],
  ["https://m.example.com", "example.com", "http://secure:3128"],
  ["https://m.example.com", "m.example.com:443", undefined],
  ["https://m.example.com:8443", "m.example.com:443", "http://secure:3128"],
  ["http://127.0.0.1:9009", "127.0.0.1", undefined],
])("a request to %s with NO_PROXY=%j uses the proxy %s", (baseUrl, noProxy, url) => {
  expect(proxyFor(baseUrl, { ...SETTINGS, noProxy })?.url).toBe(url);
});

test("without a proxy variable there is no proxy", () => {
  expect(proxyFor("http://m", { ...SETTINGS, httpProxy: null })).toBeNull();
});

test("a request to an http target is sent to the proxy unchanged, with the address of the target", async () => {
  const { url, received } = await serve(() => 204);
  const sender = transport({ proxy: { url, variable: "HTTP_PROXY", tunnel: false } });
  const exchange = await sender.once(getting("http://target.example:81/p?a=1"), ignore);
  expect(exchange.response?.status).toBe(204);
  expect(received).toMatchObject([{ method: "GET", url: "http://target.example:81/p?a=1" }]);
});

test.each([
  ["HTTP_PROXY", "http://target.example", false],
  ["HTTPS_PROXY", "https://target.example", true],
] as const)(
  "if nothing listens at the address in %s, the message names the proxy without its credentials",
  async (variable, target, tunnel) => {
    const sender = transport({ proxy: { url: "http://user:s3cret@127.0.0.1:9", variable, tunnel } });
    const { error } = await sender.once(getting(target), ignore);
    expect(error).toMatch(new RegExp(`^the proxy http://127\\.0\\.0\\.1:9 \\(${variable}\\) cannot be reached: .*ECONNREFUSED`));
    expect(error).not.toContain("s3cret");
  },
);

test("a proxy that does not connect to the target is named with its status", async () => {
  const server = createServer((socket) => {
    socket.on("error", ignore);
    socket.once("data", () => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = transport({ proxy: { url, variable: "HTTPS_PROXY", tunnel: true } });
  const { error } = await sender.once(getting("https://target.example"), ignore);
  expect(error).toBe(`the proxy ${url} (HTTPS_PROXY) answered 407 when it was asked to connect to the target`);
});
