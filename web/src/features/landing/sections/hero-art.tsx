import { RegistrationMark } from "@/components/print/registration-mark";
import { Tee } from "@/components/print/tee";

const multiply = { mixBlendMode: "multiply" as const };

/** A shirt fresh from the press: three flat inks that overprint where they meet. */
export function HeroArt() {
  return (
    <div aria-hidden="true" className="relative mx-auto w-full max-w-[34rem]">
      <div className="crop-marks halftone rounded-sm bg-sunk px-8 py-10 [--dot:var(--line)] sm:px-12">
        <Tee
          color="#fffdf9"
          className="wipe-in w-full rotate-2 drop-shadow-[12px_12px_0_var(--plate)]"
        >
          <g className="isolate">
            <circle cx="64" cy="62" r="54" fill="#FFC53A" />
            <circle cx="98" cy="78" r="46" fill="#F0492F" style={multiply} />
            <g fill="none" stroke="#2746E6" strokeWidth="9" strokeLinecap="round" style={multiply}>
              <path d="M4 112c13-13 26-13 38 0s26 13 38 0 26-13 38 0 26 13 38 0" />
              <path d="M4 132c13-13 26-13 38 0s26 13 38 0 26-13 38 0 26 13 38 0" />
              <path d="M4 152c13-13 26-13 38 0s26 13 38 0 26-13 38 0 26 13 38 0" />
            </g>
            <text
              x="80"
              y="192"
              fill="#1b1714"
              fontSize="19"
              fontWeight="800"
              letterSpacing="-0.6"
              textAnchor="middle"
              className="font-display"
            >
              sunny side, out
            </text>
          </g>
        </Tee>
        <RegistrationMark className="absolute -top-3 left-1/2 size-6 -translate-x-1/2 bg-paper text-line-strong" />
        <RegistrationMark className="absolute -bottom-3 left-1/2 size-6 -translate-x-1/2 bg-paper text-line-strong" />
      </div>
      <div className="absolute -right-1 bottom-8 flex flex-col gap-1.5 sm:-right-5">
        {["#FFC53A", "#F0492F", "#2746E6"].map((ink) => (
          <span
            key={ink}
            className="size-7 rounded-full border-2 border-paper sm:size-9"
            style={{ backgroundColor: ink }}
          />
        ))}
      </div>
    </div>
  );
}
