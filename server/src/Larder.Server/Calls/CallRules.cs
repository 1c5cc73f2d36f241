namespace Larder.Server.Calls;

/// <summary>The limits that are checked before a call reaches the store. Each check returns null on success.</summary>
internal sealed class CallRules(int maxItemBytes, TimeSpan maxTtl)
{
    /// <summary>Gets the maximum TTL in milliseconds.</summary>
    public long MaxTtlMs { get; } = (long)maxTtl.TotalMilliseconds;

    /// <summary>Gets the maximum size of a key and its value together, in bytes.</summary>
    public int MaxItemBytes { get; } = maxItemBytes;

    public static CallError? CheckKey(ReadOnlySpan<byte> key) => key.IsEmpty ? CallError.EmptyKey : null;

    public CallError? CheckTtl(ulong ttlMs) =>
        ttlMs == 0 || ttlMs > (ulong)MaxTtlMs ? CallError.BadTtl(ttlMs, MaxTtlMs) : null;

    public CallError? CheckItem(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong ttlMs)
    {
        long itemBytes = (long)key.Length + value.Length;
        return CheckKey(key)
            ?? (itemBytes > MaxItemBytes ? CallError.ItemTooLarge(itemBytes, MaxItemBytes) : CheckTtl(ttlMs));
    }

    /// <summary>Checks the number and size of the elements of a request.</summary>
    public CallError? CheckElements(ReadOnlySpan<byte> name, scoped in RequestItems elements)
    {
        long bytes = name.Length + elements.Bytes;
        return elements.IsOver ? CollectionErrors.TooManyElements
            : bytes > MaxItemBytes ? CollectionErrors.RequestTooLarge(bytes, MaxItemBytes)
            : null;
    }
}
