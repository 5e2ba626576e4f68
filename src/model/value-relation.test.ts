/** Tests that a wrong value is described by its relation to the right value. */
import { expect, test } from "vitest";
import { numberRelation, textRelation } from "./value-relation.ts";

test.each([
  [620, 108, " (620 modulo 2^8)"],
  [200, -56, " (200 as a signed integer of 8 bits)"],
  [2 ** 32 + 7, 7, " (4294967303 modulo 2^32)"],
  [2 ** 33, 2 ** 31 - 1, " (the largest number of 31 bits)"],
  [16_777_217, 16_777_216, " (16777217 as a floating-point number of 32 bits)"],
  [2.5, 2, " (2.5 without its fraction)"],
  [-5, 5, " (the opposite sign)"],
  [5, 300, " (60 times larger)"],
  [7_000, 7, " (1000 times smaller)"],
  [280_151, 280_000, " (280151 rounded to a multiple of 10000)"],
  [361_014, 361_000, " (361014 rounded to a multiple of 1000)"],
  [1_500_000_005, 1_000_000_000, " (1500000005 rounded down to a multiple of 1000000000)"],
  [1_200_000, 2_000_000, " (1200000 rounded up to a multiple of 1000000)"],
  [150, 100, ""],
  [9_592, 9_590, ""],
  [7, 8, ""],
  [4, 0.25, " (1 divided by the right value)"],
  [0, 7, ""],
  [7, 0, ""],
  [7, NaN, ""],
])("%d and %d", (right, wrong, words) => {
  expect(numberRelation(right, wrong)).toBe(words);
});

test.each([
  ["arn:aws:key/12", "arn:aws", " (the beginning of the right value)"],
  ["arn:aws:key/12", "key/12", " (the end of the right value)"],
  ["arn:aws:key/12", "aws", " (a part of the right value)"],
  ["Local", "LOCAL", " (the right value in another letter case)"],
  ["a  b", "a b ", " (the right value with other whitespace)"],
  ["local", "localx", " (the right value with further text)"],
  ["a return \r in a text with many characters", "a return  in a text with many characters", ' (without "\\r" at character 10)'],
  ["a + in a text with very many characters", "a   in a text with very many characters", ' (with " " in place of "+" at character 3)'],
  ["a pair in a text with many characters", "a pair in a  text with many characters", ' (with a further " " at character 13)'],
  [
    "1 + 2 + 3 and so on, a text with many characters",
    "1   2   3 and so on, a text with many characters",
    ' (with " " in place of each "+")',
  ],
  ["1 + 2 + 3 and so on, a text with many characters", "1  2  3 and so on, a text with many characters", ' (without each "+")'],
  ["a name with many characters and number 7 of 9", "a name with many characters and number 8 of 9", ""],
  ["local", "global", ""],
  ["limits 70", "limits 7", ""],
  ["local", "", ""],
  ["local", "local", ""],
])("%j and %j", (right, wrong, words) => {
  expect(textRelation(right, wrong)).toBe(words);
});
