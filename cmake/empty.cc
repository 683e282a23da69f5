// The unit that the precompiled headers hang on.
