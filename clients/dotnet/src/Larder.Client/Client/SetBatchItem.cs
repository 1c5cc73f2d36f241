namespace Larder.Client;

/// <summary>One item of a setBatch.</summary>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value.</param>
/// <param name="Ttl">Its time to live; null: the batch's, or the client's default.</param>
public readonly record struct SetBatchItem(CacheBytes Key, CacheBytes Value, TimeSpan? Ttl = null);
