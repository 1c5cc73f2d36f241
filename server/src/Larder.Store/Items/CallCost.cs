namespace Larder.Store;

/// <summary>
/// Estimates the duration of a call before the call begins. The constants are nanoseconds per element or byte. They were measured with 1 to 1,000,000 elements
/// of 8 to 100 bytes on a processor from 2023. The results of the slowest layout are used, rounded up. The estimate only decides which thread runs a call, so
/// an error by a factor of two is harmless.
/// </summary>
public static class CallCost
{
    /// <summary>The cost to visit one element of a sequential scan, for example when a value is removed from a list.</summary>
    private const long ScanNs = 25;

    /// <summary>The cost to find an element by name, or to copy an element into a response.</summary>
    private const long ShowNs = 100;

    /// <summary>The cost to add an element to a hash table or to remove it. For sorted sets, this includes the change of the tree.</summary>
    private const long ChangeNs = 400;

    /// <summary>The cost to process an element of a union. The element is found, weighted and added to a sorted set.</summary>
    private const long UnionNs = 2_700;

    /// <summary>The cost to remove an element from a list together with its leaf.</summary>
    private const long CutNs = 10;

    /// <summary>The cost to compute SHA-256, per byte.</summary>
    private const long HashNsPerByte = 2;

    /// <summary>The number of bytes copied per nanosecond from memory that is not in a processor cache.</summary>
    private const long CopiedBytesPerNs = 4;

    /// <summary>Returns the time to scan elements sequentially, in nanoseconds.</summary>
    public static long ToScan(long elements) => elements * ScanNs;

    /// <summary>Returns the time to find and copy elements, in nanoseconds.</summary>
    public static long ToShow(long elements, long bytes) => (elements * ShowNs) + ToCopy(bytes);

    /// <summary>Returns the time to add or remove elements, in nanoseconds.</summary>
    public static long ToChange(long elements, long bytes) => (elements * ChangeNs) + ToCopy(bytes);

    /// <summary>Returns the time to process the elements of a union of sorted sets, in nanoseconds.</summary>
    public static long ToUnite(long elements) => elements * UnionNs;

    /// <summary>Returns the time to remove elements from the end of a list, in nanoseconds.</summary>
    public static long ToCut(long elements) => elements * CutNs;

    /// <summary>Returns the time to hash bytes, in nanoseconds.</summary>
    public static long ToHash(long bytes) => bytes * HashNsPerByte;

    /// <summary>Returns the time to copy bytes, in nanoseconds.</summary>
    public static long ToCopy(long bytes) => bytes / CopiedBytesPerNs;
}
