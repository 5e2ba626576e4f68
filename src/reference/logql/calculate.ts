/** Computes calculations with two numbers, and comparisons of two numbers. */
import type { Calculation, Comparison } from "./ast.ts";

export function calculate(operator: Calculation, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "^":
      return left ** right;
  }
}

export function compare(operator: Comparison, left: number, right: number): boolean {
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
  }
}
