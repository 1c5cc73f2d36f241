namespace Larder.Server.Calls;

/// <summary>The limits that every call is held to before it reaches the store, with the verdict at each.</summary>
internal sealed class CallRules(int maxItemBytes, TimeSpan maxTtl)
{
    /// <summary>The longest TTL accepted, in milliseconds.</summary>
    public long MaxTtlMs { get; } = (long)maxTtl.TotalMilliseconds;

    /// <summary>The largest key and value together, in bytes.</summary>
    public int MaxItemBytes { get; } = maxItemBytes;

    /// <summary>Null where the key may be looked up.</summary>
    public static CallError? CheckKey(ReadOnlySpan<byte> key) => key.IsEmpty ? CallError.EmptyKey : null;

    /// <summary>Null where the TTL may be given to an item.</summary>
    public CallError? CheckTtl(ulong ttlMs) =>
        ttlMs == 0 || ttlMs > (ulong)MaxTtlMs ? CallError.BadTtl(ttlMs, MaxTtlMs) : null;

    /// <summary>Null where the item may be stored.</summary>
    public CallError? CheckItem(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong ttlMs)
    {
        long itemBytes = (long)key.Length + value.Length;
        return CheckKey(key)
            ?? (itemBytes > MaxItemBytes ? CallError.ItemTooLarge(itemBytes, MaxItemBytes) : CheckTtl(ttlMs));
    }

    /// <summary>Null where a request may carry these elements.</summary>
    public CallError? CheckElements(ReadOnlySpan<byte> name, scoped in RequestItems elements)
    {
        long bytes = name.Length + elements.Bytes;
        return elements.IsOver ? CollectionErrors.TooManyElements
            : bytes > MaxItemBytes ? CollectionErrors.RequestTooLarge(bytes, MaxItemBytes)
            : null;
    }
}
