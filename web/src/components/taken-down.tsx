import { Link } from "react-router-dom";

/** In the place of an offer, for those who still see a design that the shop took down: its owner, and admins. */
export function TakenDown({ isOwner }: { isOwner: boolean }) {
  return (
    <div className="flex max-w-prose flex-col gap-3 border-y border-line py-5">
      <p className="font-semibold">
        We took this design off the press: nobody can order, import or publish it.
      </p>
      <p className="text-ink-soft">
        {isOwner
          ? "Only you can see it. We have written to you why; answer that mail if we are wrong."
          : "Only its owner and admins can see it."}
      </p>
      <Link
        to="/terms-of-service"
        className="self-start font-semibold text-cobalt-text underline underline-offset-4"
      >
        Read our terms
      </Link>
    </div>
  );
}
