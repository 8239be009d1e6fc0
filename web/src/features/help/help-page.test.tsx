import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { HelpPage } from "./help-page";
import { searchTopics } from "./search";
import { TOPICS } from "./topics";

test("a search keeps the questions that hold all its words", () => {
  const questions = searchTopics(TOPICS, "  Refund  LONG ").flatMap((topic) => topic.questions);
  expect(questions.map((each) => each.question)).toEqual(["How long does a refund take?"]);
  expect(searchTopics(TOPICS, "")).toBe(TOPICS);
});

test("the help centre says how many answers a search found, and what to do without one", async () => {
  render(<HelpPage />);
  const field = screen.getByRole("searchbox", { name: "Search the help center" });
  await userEvent.type(field, "american express");
  expect(screen.getByRole("status").textContent).toBe("1 answer");
  expect(screen.getByText("How can I pay?")).toBeTruthy();
  expect(screen.queryByText("Which sizes are there?")).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, "submarine");
  expect(screen.getByRole("status").textContent).toBe("No answer found");
  expect(screen.getAllByRole("link", { name: "support@teesmith.example" }).length).toBeGreaterThan(
    0,
  );
});
