namespace Larder.Store;

/// <summary>
/// How long a call takes, estimated before it begins: nanoseconds for each element or byte, measured with 1 to 1,000,000 elements of 8 to 100 bytes on a
/// processor of 2023 (rounded up; the slowest shape of each). An estimate decides only which thread runs a call, so a factor of two does no harm.
/// </summary>
public static class CallCost
{
    /// <summary>An element that is looked at, one after the other: a list's remove.</summary>
    private const long ScanNs = 25;

    /// <summary>An element that is found by its name, or copied into an answer.</summary>
    private const long ShowNs = 100;

    /// <summary>An element that is added or removed: hash and, in a sorted set, tree.</summary>
    private const long ChangeNs = 400;

    /// <summary>An element of a union: found, weighted, and put into a sorted set.</summary>
    private const long UnionNs = 2_700;

    /// <summary>An element that is cut off a list together with its leaf.</summary>
    private const long CutNs = 10;

    /// <summary>Bytes of SHA-256 in a nanosecond: 0.5.</summary>
    private const long HashNsPerByte = 2;

    /// <summary>Bytes that are copied in a nanosecond, from memory that no cache holds.</summary>
    private const long CopiedBytesPerNs = 4;

    /// <summary>The time to look at elements one after the other.</summary>
    public static long ToScan(long elements) => elements * ScanNs;

    /// <summary>The time to find elements and copy them.</summary>
    public static long ToShow(long elements, long bytes) => (elements * ShowNs) + ToCopy(bytes);

    /// <summary>The time to add or remove elements.</summary>
    public static long ToChange(long elements, long bytes) => (elements * ChangeNs) + ToCopy(bytes);

    /// <summary>The time to unite elements of sorted sets.</summary>
    public static long ToUnite(long elements) => elements * UnionNs;

    /// <summary>The time to cut elements off a list.</summary>
    public static long ToCut(long elements) => elements * CutNs;

    /// <summary>The time to hash bytes.</summary>
    public static long ToHash(long bytes) => bytes * HashNsPerByte;

    /// <summary>The time to copy bytes.</summary>
    public static long ToCopy(long bytes) => bytes / CopiedBytesPerNs;
}
