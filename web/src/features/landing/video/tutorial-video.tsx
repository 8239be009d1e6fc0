import { Play, Volume2, VolumeX } from "lucide-react";
import poster from "../pictures/demo-poster.webp";
import captions from "./demo-video.vtt?url";
import { useVideo } from "./use-video";
import { overlayShown, spokenState } from "./video-state";

export function TutorialVideo() {
  const { ref, state, source, watch, toggleSound, events } = useVideo();
  return (
    <figure>
      <div className="relative aspect-video overflow-hidden rounded-card border-[1.5px] border-ink bg-sunk shadow-plate-lg dark:border-line-strong">
        <video
          ref={ref}
          src={source}
          poster={poster}
          width={1280}
          height={720}
          muted
          loop
          playsInline
          preload="none"
          controls={state.controls}
          aria-label="How a shirt is made at Teesmith, from an idea to the order"
          className="size-full object-cover"
          {...events}
        >
          <track kind="captions" srcLang="en" label="English" src={captions} />
          Your browser doesn't support HTML5 video. Please upgrade your browser to view this
          content.
        </video>
        {overlayShown(state) ? (
          <button
            type="button"
            onClick={watch}
            aria-label="Play the video with sound"
            className="group absolute inset-0 grid place-items-center bg-[#1b1714]/10 outline-offset-[-6px]"
          >
            <span className="grid size-18 place-items-center rounded-full border-[1.5px] border-[#1b1714] bg-tomato text-[#1b1714] shadow-[3px_3px_0_#1b1714] transition-transform group-hover:scale-105 motion-reduce:transition-none sm:size-22">
              <Play aria-hidden="true" fill="currentColor" className="ml-1 size-8 sm:size-9" />
            </span>
          </button>
        ) : null}
        {state.playing ? (
          <button
            type="button"
            onClick={toggleSound}
            aria-label={state.muted ? "Unmute the video" : "Mute the video"}
            className="absolute top-3 right-3 grid size-11 place-items-center rounded-full border border-[#1b1714] bg-[#fbf7ef] text-[#1b1714]"
          >
            {state.muted ? (
              <VolumeX aria-hidden="true" className="size-5" />
            ) : (
              <Volume2 aria-hidden="true" className="size-5" />
            )}
          </button>
        ) : null}
        {state.failed ? (
          <p className="absolute inset-x-0 bottom-0 bg-[#1b1714]/85 px-4 py-3 text-sm text-[#fbf7ef]">
            The film can't be loaded right now. The pictures below show the same steps.
          </p>
        ) : null}
        <span aria-live="polite" className="sr-only">
          {spokenState(state)}
        </span>
      </div>
      <figcaption className="mt-4 text-center font-display text-lg font-bold tracking-tight">
        Watch how easy it is to create your perfect shirt!
      </figcaption>
    </figure>
  );
}
