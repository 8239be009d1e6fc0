/** The `public` schema as supabase-js reads it; sql/migrations is the truth. */

type Table<Row, Required extends keyof Row, Relationships extends unknown[] = []> = {
  Row: Row;
  Insert: Pick<Row, Required> & Partial<Omit<Row, Required>>;
  Update: Partial<Row>;
  Relationships: Relationships;
};

type BelongsTo<Column extends string, Target extends string, OneToOne extends boolean = false> = {
  foreignKeyName: string;
  columns: [Column];
  isOneToOne: OneToOne;
  referencedRelation: Target;
  referencedColumns: ["id"];
};

type Profile = {
  id: string;
  username: string | null;
  name: string | null;
  is_admin: boolean;
  public_name: string | null;
  created_at: string;
};

type UserSession = { id: string; user_id: string; login_at: string; user_agent: string | null };

type Design = {
  id: string;
  name: string;
  image_data: string | null;
  thumbnail_data: string | null;
  /** Names in the bucket `designs`. */
  image_url: string | null;
  thumbnail_url: string | null;
  printify_product_id: string | null;
  selected_colors: string[];
  user_id: string;
  /** One of the shop's, null for others. */
  style: string | null;
  created_at: string;
  updated_at: string;
  /** Whether its print product is printed on the back as well. */
  has_back: boolean;
  /** Null where the design was never adjusted. */
  current_version: string | null;
  /** Computed. */
  has_thumbnail: boolean | null;
  /** Computed, for the owner: the key in the design's link, where the bare link was ended. */
  link_key: string | null;
  /** Computed, for owner and admins. */
  takedown_reason: string | null;
};

/** What a share link shows: neither the owner's id nor the print product's. */
type SharedDesign = {
  id: string;
  name: string;
  image_data: string | null;
  thumbnail_data: string | null;
  image_url: string | null;
  selected_colors: string[];
  created_at: string;
  is_public: boolean;
  published_at: string | null;
  creator_name: string | null;
  is_owner: boolean;
};

type PublicDesign = {
  id: string;
  design_id: string;
  user_id: string;
  created_at: string;
  /** The design's, copied for the search. */
  name: string;
  /** The design's, copied. */
  style: string | null;
  /** Computed. */
  like_count: number | null;
};

/** What a function with rows of public_designs answers, as embedding needs it. */
type PublicDesigns = {
  from: "*";
  to: "public_designs";
  isOneToOne: false;
  isSetofReturn: true;
};

/** Permission to upload the picture of the design that will have this id. */
type DesignUpload = { id: string; user_id: string; created_at: string };

/** What its owner sees of a picture or print product that is being made, or was within a day. */
type DesignJob = {
  id: string;
  user_id: string;
  kind: "text_picture" | "photo_picture" | "print_product" | "scene";
  state: "running" | "done" | "failed";
  design_id: string | null;
  request: unknown;
  seed: number;
  result: unknown;
  /** The picture's name in the bucket `design-jobs`. */
  result_path: string | null;
  error: string | null;
  error_code: string | null;
  created_at: string;
  finished_at: string | null;
};

/** What its owner is drawing. */
type DesignDraft = { design_id: string; scene: unknown; revision: number; updated_at: string };

type ArtworkReview = "not_needed" | "waiting" | "passed" | "refused";

/** What was made of a scene; it never changes. */
type DesignVersion = {
  id: string;
  design_id: string;
  number: number;
  scene: unknown;
  /** The same as one picture a side. */
  flat_scene: unknown;
  has_back: boolean;
  review: ArtworkReview;
  printify_product_id: string;
  /** Names in the bucket `designs`. */
  image_url: string | null;
  thumbnail_url: string | null;
  back_url: string | null;
  /** Names in the bucket `print-files`. */
  print_files: string[];
  created_at: string;
};

/** A picture that somebody brought along: `<user_id>/<id>.png` or `.svg` in the bucket `artwork`. */
type DesignArtwork = {
  id: string;
  user_id: string;
  name: string;
  media_type: "image/png" | "image/svg+xml";
  width: number;
  height: number;
  bytes: number;
  review: ArtworkReview;
  rights_confirmed_at: string;
  created_at: string;
  /** Another artwork's id, or `design:` and the id of the design whose first picture it was. */
  made_from: string | null;
  made_by: "thicken" | "harden" | "cut_out" | "remove_specks" | "enlarge" | "drawing" | null;
};

/** What a design's picture was drawn from; its owner's alone. */
type DesignIdea = {
  design_id: string;
  kind: "text_picture" | "photo_picture";
  request: unknown;
  seed: number;
  created_at: string;
};

type DesignLike = { id: string; design_id: string; user_id: string };

type Order = {
  id: string;
  total: number;
  status: string;
  created_at: string;
  /** Null once the account was deleted. */
  user_id: string | null;
  tracking_url: string | null;
  tracking_number: string | null;
  carrier: string | null;
  shipping_address: string | null;
  printify_order_id: string | null;
};

type OrderItem = {
  id: string;
  order_id: string;
  quantity: number;
  unit_price: number;
  product_name: string | null;
  product_image_url: string | null;
  product_size: string | null;
  product_color: string | null;
};

type UserAddress = {
  id: string;
  user_id: string;
  first_name: string;
  last_name: string;
  email: string;
  phone_country_code: string;
  phone: string;
  country: string;
  region: string | null;
  address1: string;
  address2: string | null;
  city: string;
  zip: string;
  is_default: boolean;
  created_at: string;
};

type ProductVariant = {
  id: string;
  name: string;
  color_hex: string | null;
  printify_variant_id: number;
  is_available: boolean;
  /** The printable areas, in pixels at 300 an inch. */
  front_width: number | null;
  front_height: number | null;
  back_width: number | null;
  back_height: number | null;
  /** The printer's camera that shows the back; null until a product printed there has told it. */
  back_view: number | null;
};

type UserAnalytics = {
  user_id: string;
  name: string | null;
  username: string | null;
  is_admin: boolean;
  total_orders: number;
  total_spent: number;
  total_designs: number;
  total_sessions: number;
  avg_session_duration_minutes: number;
  last_login: string | null;
  created_at: string;
};

export type Database = {
  public: {
    Tables: {
      profiles: Table<Profile, "id">;
      user_sessions: Table<UserSession, "user_id">;
      designs: Table<Design, "user_id" | "name">;
      design_uploads: Table<DesignUpload, "user_id">;
      design_jobs: Table<DesignJob, never>;
      design_drafts: Table<DesignDraft, never>;
      design_versions: Table<DesignVersion, never>;
      design_artwork: Table<DesignArtwork, never>;
      design_ideas: Table<DesignIdea, never>;
      public_designs: Table<
        PublicDesign,
        "design_id" | "user_id",
        [BelongsTo<"design_id", "designs", true>]
      >;
      design_likes: Table<DesignLike, "design_id" | "user_id", [BelongsTo<"design_id", "designs">]>;
      orders: Table<Order, "user_id">;
      order_items: Table<OrderItem, "order_id", [BelongsTo<"order_id", "orders">]>;
      user_addresses: Table<
        UserAddress,
        Exclude<keyof UserAddress, "id" | "created_at" | "is_default">
      >;
      product_variants: Table<ProductVariant, "name">;
    };
    Views: Record<never, never>;
    Functions: {
      get_shared_design: { Args: { id: string; key?: string }; Returns: SharedDesign[] };
      decide_design: {
        Args: {
          of_design: string;
          decision: string;
          reason?: string;
          note?: string;
          copies?: string[];
        };
        Returns: number;
      };
      list_design_cases: { Args: { taken_down?: boolean; most?: number }; Returns: unknown };
      get_design_case: { Args: { of_design: string }; Returns: unknown };
      release_held_order: { Args: { of_order: string }; Returns: boolean };
      save_scene: { Args: { design: string; scene: unknown; revision: number }; Returns: number };
      keep_idea: { Args: { design: string; job: string }; Returns: boolean };
      delete_artwork: { Args: { artwork: string }; Returns: undefined };
      return_to_version: { Args: { version: string }; Returns: number };
      ask_for_review: { Args: { design: string }; Returns: boolean };
      end_design_link: { Args: { design: string }; Returns: string };
      search_public_designs: {
        Args: { search: string; published_before?: string; after_id?: string; page_size?: number };
        Returns: PublicDesign[];
        SetofOptions: PublicDesigns;
      };
      most_liked_designs: {
        Args: {
          most_likes?: number;
          published_before?: string;
          before_id?: string;
          page_size?: number;
        };
        Returns: PublicDesign[];
        SetofOptions: PublicDesigns;
      };
      related_designs: {
        Args: { design: string; page_size?: number };
        Returns: PublicDesign[];
        SetofOptions: PublicDesigns;
      };
      get_design_creator_public_name: { Args: { creator_user_id: string }; Returns: string | null };
      count_public_designs: {
        Args: { search?: string };
        Returns: { total: number; is_exact: boolean }[];
      };
      get_user_analytics: {
        Args: { sort?: string; role?: string; search?: string; page_size?: number };
        Returns: UserAnalytics[];
      };
      has_password: { Args: Record<never, never>; Returns: boolean };
      get_user_email: { Args: { of_user: string }; Returns: string | null };
      get_user_stats: {
        Args: Record<never, never>;
        Returns: { users: number; admins: number; new_this_week: number; spent_cents: number }[];
      };
      get_order_stats: {
        Args: Record<never, never>;
        Returns: { revenue_cents: number; paid_orders: number; new_this_week: number }[];
      };
      get_design_stats: {
        Args: Record<never, never>;
        Returns: { total: number; printable: number; new_this_week: number }[];
      };
      get_order_progress: { Args: { of_order: string }; Returns: unknown };
      list_flagged_orders: { Args: { most?: number }; Returns: unknown };
      get_order_record: { Args: { of_order: string }; Returns: unknown };
      resolve_order_flags: {
        Args: { of_order: string; flags: string[]; note: string };
        Returns: number;
      };
      retry_order: { Args: { of_order: string }; Returns: undefined };
      revoke_order_link: { Args: { of_order: string }; Returns: undefined };
    };
    Enums: Record<never, never>;
    CompositeTypes: { shared_design: SharedDesign };
  };
};
