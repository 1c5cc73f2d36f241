namespace Larder.Client.Leases;

/// <summary>A value that a factory has created, and how the factory wants it to be stored.</summary>
/// <param name="Value">The bytes of the value.</param>
/// <param name="Ttl">The time to live that the factory has set, or null.</param>
/// <param name="Tags">Tags in addition to those of the call.</param>
/// <param name="DoNotStore">Whether the value is returned but not stored.</param>
internal readonly record struct CreatedItem(byte[] Value, TimeSpan? Ttl, IReadOnlyList<CacheBytes> Tags, bool DoNotStore);
