// In place of modules that only bring types.
export {};
