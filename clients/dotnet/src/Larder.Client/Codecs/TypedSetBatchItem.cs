namespace Larder.Client;

/// <summary>An item of a typed <c>SetBatchAsync</c>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value, which may be null.</param>
/// <param name="Ttl">The time to live. If null, the time to live of the batch applies. If that is also null, the client's default time to live applies.</param>
public readonly record struct TypedSetBatchItem<T>(CacheBytes Key, T? Value, TimeSpan? Ttl = null);
