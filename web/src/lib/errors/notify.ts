/** Toasts, in the two kinds the shop uses. Components call these; requests never do. */
import { toast } from "sonner";

export function notify(title: string, description?: string): void {
  toast.success(title, { description });
}

export function notifyProblem(title: string, description?: string): void {
  toast.error(title, { description, duration: 8000 });
}

/** Removes earlier toasts: a new attempt begins. */
export function clearNotices(): void {
  toast.dismiss();
}

export function notifyInfo(title: string, description?: string): void {
  toast(title, { description, duration: 10_000 });
}
