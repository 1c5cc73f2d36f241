namespace Larder.Client;

/// <summary>An item of a typed <c>SetBatchAsync</c>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value; may be null.</param>
/// <param name="Ttl">The time to live. If null, the time to live of the batch applies, otherwise the client's default time to live.</param>
public readonly record struct TypedSetBatchItem<T>(CacheBytes Key, T? Value, TimeSpan? Ttl = null);
