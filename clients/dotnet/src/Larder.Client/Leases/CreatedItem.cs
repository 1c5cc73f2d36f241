namespace Larder.Client.Leases;

/// <summary>A value that a factory has created, and how the factory wants it to be stored.</summary>
/// <param name="Value">The bytes of the value.</param>
/// <param name="Ttl">The time to live that the factory has set, or null.</param>
/// <param name="Tags">Tags in addition to those of the call.</param>
/// <param name="DoNotStore">Whether the value is returned but not stored.</param>
/// <param name="Validator">The ETag of the value in UTF-8, or no bytes.</param>
internal readonly record struct CreatedItem(byte[] Value, TimeSpan? Ttl, IReadOnlyList<CacheBytes> Tags, bool DoNotStore, CacheBytes Validator = default);

/// <summary>A stale value for the context of a factory. No caller may change its bytes.</summary>
/// <param name="Value">The bytes of the value.</param>
/// <param name="Validator">The validator that was stored with the value, or an empty array.</param>
internal sealed record StaleItem(byte[] Value, byte[] Validator);
