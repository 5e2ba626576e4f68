/** Finds the proxy for a target: HTTP_PROXY for `http:`, and HTTPS_PROXY for `https:`. */
import type { TransportSettings } from "../settings/types.ts";

export interface Proxy {
  readonly url: string;
  /** The environment variable that has the address of the proxy. */
  readonly variable: "HTTP_PROXY" | "HTTPS_PROXY";
  /** True for `https:` targets: requests go through a tunnel (CONNECT). For other targets, the proxy forwards each request. */
  readonly tunnel: boolean;
}

/** Whether an entry of NO_PROXY matches a host. An entry is `*`, a host, a host with a port, or `.` or `*` with the end of a host name. */
function isExcepted(entry: string, hostname: string, port: string): boolean {
  if (entry === "*") return true;
  const [, host = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const name = host.toLowerCase();
  return /^[.*]/.test(name) ? hostname.endsWith(name.replace(/^\*/, "")) : hostname === name;
}

/** Returns the proxy for a base URL, or null if the suite needs no proxy. */
export function proxyFor(baseUrl: string, { httpProxy, httpsProxy, noProxy }: TransportSettings): Proxy | null {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  const url = isSecure ? httpsProxy : httpProxy;
  if (url === null) return null;
  const actualPort = port === "" ? (isSecure ? "443" : "80") : port;
  const entries = noProxy.split(/[,\s]+/).filter((entry) => entry !== "");
  if (entries.some((entry) => isExcepted(entry, hostname, actualPort))) return null;
  return { url, variable: isSecure ? "HTTPS_PROXY" : "HTTP_PROXY", tunnel: isSecure };
}

/** Matches the beginning of an error that the proxy has caused. */
const UNREACHABLE = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/;
const REFUSED_TUNNEL = /Proxy response \((\d+)\)/;

/** Returns the reason why a request through a proxy failed. The reason names the address of the proxy, without its credentials. */
export function throughProxy(reason: string, { url, variable }: Proxy): string {
  const shown = `the proxy ${new URL(url).origin} (${variable})`;
  const [, status] = REFUSED_TUNNEL.exec(reason) ?? [];
  if (status !== undefined) return `${shown} answered ${status} when it was asked to connect to the target`;
  if (UNREACHABLE.test(reason)) return `${shown} cannot be reached: ${reason}`;
  return `${reason} (through ${shown})`;
}
