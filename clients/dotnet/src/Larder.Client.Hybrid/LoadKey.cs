using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <summary>Identifies a load in progress. Callers share a load if they request the same key and type with the same flags.</summary>
internal readonly record struct LoadKey(string Key, HybridCacheEntryFlags Flags, Type Type);
