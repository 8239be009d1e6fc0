import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { PlanTree } from "./plan-tree";

const SCAN = {
  "Node Type": "Seq Scan",
  "Relation Name": "notes",
  Filter: "(id > 1)",
  "Total Cost": 30,
  "Plan Rows": 10,
};

test("a step has its own part of the cost, without that of the steps below it", () => {
  render(
    <PlanTree
      plan={{ "Node Type": "Sort", "Total Cost": 40, "Plan Rows": 10, Plans: [SCAN] }}
      ms={undefined}
    />,
  );
  expect(screen.getByText("Cost 40")).toBeDefined();
  const [sort, scan] = screen.getAllByRole("listitem");
  expect(sort?.textContent).toContain("25 % · about 10 rows");
  expect(scan?.textContent).toBe("Seq Scan on notes75 % · about 10 rows(id > 1)");
});

test("a measured step says how far the expectation was off", () => {
  const measured = { "Actual Rows": 3, "Actual Total Time": 2, "Actual Loops": 1 };
  render(<PlanTree plan={{ ...SCAN, ...measured }} ms={2.04} />);
  expect(screen.getByText("Took 2.0 ms")).toBeDefined();
  expect(screen.getByRole("listitem").textContent).toContain("100 % · 3 rows, expected 10");
});
