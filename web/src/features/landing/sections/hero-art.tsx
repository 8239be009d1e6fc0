import { RegistrationMark } from "@/components/print/registration-mark";
import { PictureImage } from "../picture-image";
import { PICTURES } from "../pictures";

const CHOICES = ["Vintage", "Bold", "Navy"];

/** The whole shop in one picture: the words on the job ticket, and the shirt that came of them. */
export function HeroArt() {
  return (
    <figure className="relative mx-auto w-full max-w-[33rem] pt-6 pb-12 sm:pb-10">
      <div className="crop-marks relative">
        <PictureImage
          picture={PICTURES.hero}
          eager
          sizes="(min-width: 1024px) 528px, 92vw"
          alt="A navy t-shirt with a print of a fox on a bicycle before the moon, lettered Night ride"
          className="aspect-square w-full rounded-sm bg-[#efeadf]"
        />
        <RegistrationMark className="absolute -top-3 left-1/2 size-6 -translate-x-1/2 rounded-full bg-paper text-line-strong" />
        <RegistrationMark className="absolute -bottom-3 left-1/2 size-6 -translate-x-1/2 rounded-full bg-paper text-line-strong" />
      </div>
      <figcaption className="absolute -bottom-2 left-0 w-[min(19rem,82%)] -rotate-2 rounded-card border-[1.5px] border-[#1b1714] bg-sunflower p-4 text-[#1b1714] shadow-plate-lg sm:-left-6">
        <p className="text-xs font-semibold">You write</p>
        <p className="mt-1 font-display text-xl leading-tight font-extrabold tracking-tight">
          “A fox riding a bicycle under the moon”
        </p>
        <p className="mt-2.5 flex gap-1.5 text-xs font-semibold">
          {CHOICES.map((choice) => (
            <span key={choice} className="rounded-full border border-[#1b1714] px-2 py-0.5">
              {choice}
            </span>
          ))}
        </p>
      </figcaption>
      <p className="absolute top-2 -right-1 rotate-3 rounded-full border-[1.5px] border-[#1b1714] bg-[#35b38a] px-3.5 py-1.5 text-sm font-bold text-[#1b1714] sm:-right-5">
        drawn in 30 seconds
      </p>
    </figure>
  );
}
