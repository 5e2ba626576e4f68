import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { getting, serve, transport } from "./testing.ts";

const ignore = (): void => undefined;

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "it succeeded",
    (error: unknown) => (error as Error).message,
  );
}

test("if a service crashes, the message names the requests that were in flight", async () => {
  const server = createServer(({ url = "" }, response) => {
    if (url.startsWith("/dying")) {
      server.close();
      server.closeAllConnections();
    } else if (url !== "/slow") response.end("here");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = transport();
  await sender.repeated(getting(`${url}/first`), ignore);
  const slow = reasonOf(sender.repeated(getting(`${url}/slow`), ignore));
  const dying = reasonOf(sender.repeated(getting(`${url}/dying?query=%7Ba%3D%22b%22%7D&limit=3`), ignore));
  const told = '; the target closed the connection after GET /slow, GET /dying query={a="b"} limit=3';
  expect(await dying).toMatch(
    /^read was not answered in 6 attempts: no response, because the target closed the connection \((?:UND_ERR_SOCKET|ECONNRESET): .*\), then ECONNREFUSED: /,
  );
  for (const reason of [await slow, await dying, await reasonOf(sender.repeated(getting(`${url}/later`), ignore))])
    expect(reason.endsWith(told), reason).toBe(true);
});

test("a broken connection of a service that still answers is not reported as an interruption", async () => {
  const { url } = await serve((_request, index) => (index === 0 ? "drop" : 200));
  const sender = transport();
  await sender.repeated(getting(url), ignore);
  expect(await reasonOf(sender.repeated(getting("http://127.0.0.1:9"), ignore))).toMatch(/\(6 times\)$/);
});
