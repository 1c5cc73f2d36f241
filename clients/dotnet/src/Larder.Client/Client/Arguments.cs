namespace Larder.Client;

/// <summary>
/// Checks arguments before a call is sent. A check returns null or the error of the call. The error code is the code that the server would return (ERR-4).
/// </summary>
internal static partial class Arguments
{
    /// <summary>The longest TTL that any server can be configured to accept (TTL-15). A server may have a lower limit.</summary>
    public static readonly TimeSpan MaxTtl = TimeSpan.FromDays(365);

    private const int MaxTags = 128;
    private const int MaxTagBytes = 1_024;
    private const int MaxValidatorBytes = 1_024;

    /// <summary>The maximum number of keys or items in a batch. If a caller passes an endless list, reading stops one item after this limit.</summary>
    public const int MaxBatchItems = 1_000_000;

    private const int MaxCacheNameLength = 255;

    /// <summary>
    /// Returns null if the cache's name is valid, otherwise the error. A valid name is 1 to 255 characters of printable ASCII, not all spaces. The characters
    /// are restricted because the name is sent in a header.
    /// </summary>
    public static CacheError? CheckCache(string? cache)
    {
        if (string.IsNullOrWhiteSpace(cache) || cache.Length > MaxCacheNameLength)
        {
            return Invalid($"A cache name must be 1 to {MaxCacheNameLength} characters and not blank.");
        }

        return cache.AsSpan().ContainsAnyExceptInRange(' ', '~') ? Invalid("A cache name must be printable ASCII, because it is sent in a header.") : null;
    }

    /// <summary>Returns null if the key is valid (at least one byte), otherwise the error.</summary>
    public static CacheError? CheckKey(in CacheBytes key) =>
        !key.IsWellFormed ? Invalid("The key is not valid Unicode text.") : key.Length == 0 ? Invalid("A key must be at least 1 byte.") : null;

    /// <summary>Returns null if the value is valid (any bytes, but not null), otherwise the error.</summary>
    public static CacheError? CheckValue(in CacheBytes value) =>
        value.IsNull ? Invalid("The value must not be null.") : value.IsWellFormed ? null : Invalid("The value is not valid Unicode text.");

    /// <summary>Returns null if the topic is valid (at least one character), otherwise the error. The server checks the maximum length.</summary>
    public static CacheError? CheckTopic(in CacheBytes topic) =>
        !topic.IsWellFormed ? Invalid("The topic is not valid Unicode text.") : topic.Length == 0 ? Invalid("A topic must be at least 1 character.") : null;

    /// <summary>
    /// Converts a TTL to milliseconds (TTL-15). A TTL below 1 ms becomes 1 ms. Returns an error if the TTL is not positive or exceeds <see cref="MaxTtl"/>.
    /// </summary>
    public static CacheError? CheckTtl(TimeSpan ttl, out ulong ttlMs)
    {
        ttlMs = 0;
        if (ttl <= TimeSpan.Zero || ttl > MaxTtl)
        {
            return Invalid($"A time to live must be greater than 0 and at most {MaxTtl.TotalDays} days; the server's --max-ttl may be lower.");
        }

        ttlMs = Math.Max(1, (ulong)(ttl.Ticks / TimeSpan.TicksPerMillisecond));
        return null;
    }

    /// <summary>Returns null if the validator is valid (at most 1,024 bytes), otherwise the error.</summary>
    public static CacheError? CheckValidator(in CacheBytes validator) =>
        !validator.IsWellFormed ? Invalid("The ETag is not valid Unicode text.")
            : validator.Length > MaxValidatorBytes ? Invalid($"An ETag must have at most {MaxValidatorBytes} bytes.")
            : null;

    /// <summary>Returns null if the tags are valid (at most 128 tags, each of 1 to 1,024 bytes), otherwise the error.</summary>
    /// <param name="tags">The tags.</param>
    /// <param name="isSome">True if at least one tag is required.</param>
    public static CacheError? CheckTags(IReadOnlyList<CacheBytes> tags, bool isSome)
    {
        if (tags is null || tags.Count > MaxTags || (isSome && tags.Count == 0))
        {
            return Invalid($"The number of tags must be {(isSome ? 1 : 0)} to {MaxTags}.");
        }

        return tags.All(static tag => tag.IsWellFormed && tag.Length is > 0 and <= MaxTagBytes) ? null : Invalid($"A tag must be 1 to {MaxTagBytes} bytes.");
    }

    /// <summary>Returns null if the arguments of a scan are valid, otherwise the error. The prefix may be empty, and the count must be 0 or more.</summary>
    public static CacheError? CheckScan(in CacheBytes prefix, int count) =>
        !prefix.IsWellFormed ? Invalid("The prefix is not valid Unicode text.") : count < 0 ? Invalid($"The count must be at least 0, but is {count}.") : null;

    /// <summary>Returns null if every key is valid, otherwise the error.</summary>
    public static CacheError? CheckKeys(IReadOnlyList<CacheBytes> keys)
    {
        foreach (CacheBytes key in keys)
        {
            if (CheckKey(key) is { } error)
            {
                return error;
            }
        }

        return null;
    }

    /// <summary>Returns null if every item is valid, otherwise the error.</summary>
    public static CacheError? CheckItems(IReadOnlyList<SetBatchItem> items)
    {
        foreach (SetBatchItem item in items)
        {
            CacheError? error = CheckKey(item.Key) ?? CheckValue(item.Value) ?? (item.Ttl is { } ttl ? CheckTtl(ttl, out _) : null);
            if (error is not null)
            {
                return error;
            }
        }

        return null;
    }

    /// <summary>
    /// Reads the list of a batch once and returns a copy in <paramref name="items"/>. Returns an error if the list has more than <see cref="MaxBatchItems"/>
    /// items. The rest of such a list is not read.
    /// </summary>
    public static CacheError? TryRead<T>(IReadOnlyList<T> list, out T[] items)
    {
        items = [.. list.Take(MaxBatchItems + 1)];
        return items.Length > MaxBatchItems ? Invalid($"A batch must have at most {MaxBatchItems} items; split it.") : null;
    }

    private static CacheError Invalid(string reason) => new(CacheErrorCode.InvalidArgument, reason);
}
