namespace Larder.Client;

/// <summary>An item of <c>SetBatchAsync</c>.</summary>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value.</param>
/// <param name="Ttl">The time to live. If null, the batch's applies, or the client's default.</param>
public readonly record struct SetBatchItem(CacheBytes Key, CacheBytes Value, TimeSpan? Ttl = null);
