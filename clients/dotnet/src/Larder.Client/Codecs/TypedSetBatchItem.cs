namespace Larder.Client;

/// <summary>One item of a typed setBatch.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <param name="Key">The key: at least one byte.</param>
/// <param name="Value">The value; null is one.</param>
/// <param name="Ttl">Its time to live; null: the batch's, or the client's default.</param>
public readonly record struct TypedSetBatchItem<T>(CacheBytes Key, T? Value, TimeSpan? Ttl = null);
