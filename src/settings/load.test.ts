import { expect, test } from "vitest";
import { parseDotenv } from "./load.ts";

test("entries, comments and values with several lines are read", () => {
  const text =
    '\uFEFFTLS_CA_FILE = ca.pem\n# a comment\n\nexport BASE_URL=https://x.example # where\r\nAPI_TOKEN="two\nlines = 2"\nSEED = 7\nPROFILE=\n';
  expect(parseDotenv(text)).toEqual({
    TLS_CA_FILE: "ca.pem",
    BASE_URL: "https://x.example",
    API_TOKEN: "two\nlines = 2",
    SEED: "7",
    PROFILE: "",
  });
});

test.each(["BASE_URL https://x.example", "secret-token-1", '"API_TOKEN"=x'])(
  "a line that is no entry is refused and not shown: %s",
  (line) => {
    expect(() => parseDotenv(`SEED=7\n${line}\n`)).toThrow(
      ".env line 2 is neither NAME=value nor a comment; for example BASE_URL=https://gateway.example.com",
    );
  },
);
