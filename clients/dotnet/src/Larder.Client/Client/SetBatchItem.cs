namespace Larder.Client;

/// <summary>An item of <c>SetBatchAsync</c>.</summary>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value.</param>
/// <param name="Ttl">The time to live. If null, the time to live of the batch applies. If that is also null, the client's default time to live applies.</param>
public readonly record struct SetBatchItem(CacheBytes Key, CacheBytes Value, TimeSpan? Ttl = null);
