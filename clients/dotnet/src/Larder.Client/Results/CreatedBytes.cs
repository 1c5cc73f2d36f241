namespace Larder.Client;

/// <summary>The result of a get-or-create of bytes.</summary>
internal sealed class CreatedBytes : GetOrCreateResult<CacheValue>
{
    private static readonly object s_created = new();

    private readonly byte[] _value;
    private int _isTaken;

    private CreatedBytes(byte[] value, object? origin, object? read)
        : base(origin)
    {
        _value = value;
        Read = read;
    }

    public override CacheValue Value => new(_value);

    /// <summary>Gets the value that a typed cache decoded from the bytes, or null if the bytes were not decoded. It is not shared with other callers.</summary>
    public object? Read { get; }

    public static CreatedBytes Hit(byte[] value, object? read) => new(value, origin: null, read);

    public static CreatedBytes Stale(byte[] value, TimeSpan expired, object? read) => new(value, expired, read);

    public static CreatedBytes Created(byte[] value) => new(value, s_created, read: null);

    public static CreatedBytes Uncached(byte[] value, CacheError error) => new(value, error, read: null);

    /// <summary>Returns this result for the first caller, and a copy for every other caller.</summary>
    public CreatedBytes Take() => Interlocked.Exchange(ref _isTaken, 1) == 0 ? this : Copy();

    /// <summary>Returns a copy of this result with its own bytes, for another caller. A typed cache decodes the copied bytes again.</summary>
    public CreatedBytes Copy() => new([.. _value], Origin, read: null);

    /// <summary>Returns the source and the value's length.</summary>
    public override string ToString() => ResultText.Of(Source.ToString(), Value);
}
