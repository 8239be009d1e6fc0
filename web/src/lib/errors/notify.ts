/** Toasts, in the two kinds the shop uses. Components call these; requests never do. */
import type { toast } from "sonner";

/** No page waits for the library: the app has it, with the place where toasts appear, once the page stands. */
function withToasts(show: (toasts: typeof toast) => void): void {
  void import("sonner").then((library) => show(library.toast));
}

export function notify(title: string, description?: string): void {
  withToasts((toasts) => toasts.success(title, { description }));
}

export function notifyProblem(title: string, description?: string): void {
  withToasts((toasts) => toasts.error(title, { description, duration: 8000 }));
}

/** Removes earlier toasts: a new attempt begins. */
export function clearNotices(): void {
  withToasts((toasts) => toasts.dismiss());
}

export function notifyInfo(title: string, description?: string): void {
  withToasts((toasts) => toasts(title, { description, duration: 10_000 }));
}
