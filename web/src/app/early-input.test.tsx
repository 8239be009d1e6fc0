import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { stopRecording, useEarlyInput } from "./early-input";

const submitted = vi.fn();

/** The screen as React draws it over the prerendered one. */
function SignIn() {
  useEarlyInput();
  const [email, setEmail] = useState("");
  return (
    <>
      <input aria-label="Email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <button type="button" onClick={() => submitted(email)}>
        Continue
      </button>
    </>
  );
}

/** What index.html noted on the prerendered page. React has replaced its elements by now. */
function early(html: string) {
  const page = document.createElement("div");
  page.innerHTML = html;
  const recording = new AbortController();
  const field = page.querySelector("input") as HTMLInputElement;
  const button = page.querySelector("button") as HTMLButtonElement;
  window.teesmithEarly = { taps: [button, button], fields: new Map(), focused: field, recording };
  return { notes: window.teesmithEarly, field, button, recording };
}

afterEach(() => {
  delete window.teesmithEarly;
  submitted.mockClear();
});

test("text typed before the program arrived is in the field, and React knows it", () => {
  const { notes, field, recording } = early('<input aria-label="Email"><button>Continue</button>');
  notes.taps = [];
  notes.fields.set(field, "ada@teesmith.example");
  render(<SignIn />);
  expect(screen.getByLabelText("Email")).toHaveProperty("value", "ada@teesmith.example");
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  expect(recording.signal.aborted).toBe(true);
  screen.getByRole("button").click();
  expect(submitted).toHaveBeenCalledExactlyOnceWith("ada@teesmith.example");
});

test("a button tapped twice is clicked once", () => {
  early('<input aria-label="Email"><button>Continue</button>');
  render(<SignIn />);
  expect(submitted).toHaveBeenCalledTimes(1);
  expect(window.teesmithEarly).toBeUndefined();
});

test("a press that ends on the drawn button is a click, once", () => {
  const { notes, button } = early('<input aria-label="Email"><button>Continue</button>');
  Object.assign(notes, { taps: [], pressed: button });
  render(<SignIn />);
  expect(submitted).not.toHaveBeenCalled();
  fireEvent.mouseUp(screen.getByRole("button"));
  fireEvent.mouseUp(screen.getByRole("button"));
  expect(submitted).toHaveBeenCalledTimes(1);
});

test("a press that ends beside the drawn button is none", () => {
  const { notes, button } = early('<input aria-label="Email"><button>Continue</button>');
  Object.assign(notes, { taps: [], pressed: button });
  render(<SignIn />);
  fireEvent.mouseUp(screen.getByLabelText("Email"));
  fireEvent.mouseUp(screen.getByRole("button"));
  expect(submitted).not.toHaveBeenCalled();
});

test("a press that ended unseen does not double the next click", () => {
  const { notes, button } = early('<input aria-label="Email"><button>Continue</button>');
  Object.assign(notes, { taps: [], pressed: button });
  render(<SignIn />);
  const drawn = screen.getByRole("button");
  fireEvent.mouseDown(drawn);
  fireEvent.mouseUp(drawn);
  fireEvent.click(drawn);
  expect(submitted).toHaveBeenCalledTimes(1);
});

test("what the drawn page no longer has is left out", () => {
  const { notes, field } = early('<input name="coupon"><button>Try a demo</button>');
  notes.fields.set(field, "SUMMER");
  render(<SignIn />);
  expect(submitted).not.toHaveBeenCalled();
  expect(screen.getByLabelText("Email")).toHaveProperty("value", "");
});

test("a page without early input is drawn as it is", () => {
  stopRecording();
  render(<SignIn />);
  expect(submitted).not.toHaveBeenCalled();
});
