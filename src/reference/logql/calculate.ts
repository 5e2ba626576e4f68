/** Calculates with two numbers. */
import type { Calculation } from "./ast.ts";

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
