import { type RefObject, useEffect, useReducer, useRef, useState } from "react";
import { readSetting } from "@/lib/settings-block";
import { AT_REST, nextState, type VideoState } from "./video-state";

const PATH = "/storage/v1/object/public/videos/demo-video.mp4";

interface VideoHandle {
  ref: RefObject<HTMLVideoElement | null>;
  state: VideoState;
  /** Set once the block is near the viewport: visitors who do not scroll there load no video. */
  source: string | undefined;
  watch: () => void;
  toggleSound: () => void;
  events: {
    onPlay: () => void;
    onPause: () => void;
    onVolumeChange: () => void;
    onError: () => void;
  };
}

/** The tutorial's player: loads near the screen, plays muted by itself unless motion is unwelcome. */
export function useVideo(): VideoHandle {
  const ref = useRef<HTMLVideoElement>(null);
  const [state, dispatch] = useReducer(nextState, AT_REST);
  const [source, setSource] = useState<string>();

  useEffect(() => {
    const video = ref.current;
    if (!video || !("IntersectionObserver" in window)) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        video.muted = true;
        video.autoplay = !still;
        setSource((readSetting("SUPABASE_URL") ?? "").replace(/\/+$/, "") + PATH);
      },
      { rootMargin: "200px" },
    );
    observer.observe(video);
    return () => observer.disconnect();
  }, []);

  const watch = () => {
    const video = ref.current;
    if (!video) return;
    video.muted = false;
    video.currentTime = 0;
    dispatch({ type: "chosen" });
    video.play().catch(() => dispatch({ type: "paused" }));
  };
  const toggleSound = () => {
    if (ref.current) ref.current.muted = !ref.current.muted;
  };
  const events = {
    onPlay: () => dispatch({ type: "played" }),
    onPause: () => dispatch({ type: "paused" }),
    onVolumeChange: () => dispatch({ type: "volume", muted: ref.current?.muted ?? true }),
    onError: () => dispatch({ type: "failed" }),
  };
  return { ref, state, source, watch, toggleSound, events };
}
