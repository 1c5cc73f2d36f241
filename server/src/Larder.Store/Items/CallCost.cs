namespace Larder.Store;

/// <summary>
/// Estimates the duration of a call before it begins, from nanoseconds per element or byte. They were measured with 1 to 1,000,000 elements of 8 to 100 bytes
/// on a processor of 2023, for the slowest layout, and rounded up. The estimate only decides which thread runs a call, so an error by a factor of two is
/// harmless.
/// </summary>
public static class CallCost
{
    /// <summary>Visiting one element of a sequential scan, such as removing a value from a list.</summary>
    private const long ScanNs = 25;

    /// <summary>Finding an element by name, or copying it into a response.</summary>
    private const long ShowNs = 100;

    /// <summary>Adding or removing an element: hash table and, for sorted sets, tree.</summary>
    private const long ChangeNs = 400;

    /// <summary>Processing an element of a union: finding, weighting and adding it to a sorted set.</summary>
    private const long UnionNs = 2_700;

    /// <summary>Removing an element from a list together with its leaf.</summary>
    private const long CutNs = 10;

    /// <summary>SHA-256 of one byte.</summary>
    private const long HashNsPerByte = 2;

    /// <summary>Bytes copied per nanosecond from memory that is in no processor cache.</summary>
    private const long CopiedBytesPerNs = 4;

    /// <summary>Returns the time to scan elements sequentially, in nanoseconds.</summary>
    public static long ToScan(long elements) => elements * ScanNs;

    /// <summary>Returns the time to find and copy elements, in nanoseconds.</summary>
    public static long ToShow(long elements, long bytes) => (elements * ShowNs) + ToCopy(bytes);

    /// <summary>Returns the time to add or remove elements, in nanoseconds.</summary>
    public static long ToChange(long elements, long bytes) => (elements * ChangeNs) + ToCopy(bytes);

    /// <summary>Returns the time to unite elements of sorted sets, in nanoseconds.</summary>
    public static long ToUnite(long elements) => elements * UnionNs;

    /// <summary>Returns the time to cut elements off a list, in nanoseconds.</summary>
    public static long ToCut(long elements) => elements * CutNs;

    /// <summary>Returns the time to hash bytes, in nanoseconds.</summary>
    public static long ToHash(long bytes) => bytes * HashNsPerByte;

    /// <summary>Returns the time to copy bytes, in nanoseconds.</summary>
    public static long ToCopy(long bytes) => bytes / CopiedBytesPerNs;
}
