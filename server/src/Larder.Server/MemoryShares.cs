using Larder.Store;

namespace Larder.Server;

/// <summary>How a server's memory limit is divided: the cache, and the buffers of all connections (answers, uploads, batches, what is idle).</summary>
/// <param name="StoreBytes">What the store holds.</param>
/// <param name="BufferBytes">What all connections together may hold.</param>
internal sealed record MemoryShares(long StoreBytes, long BufferBytes)
{
    // One connection may have half, and with 16 MiB it can always send a message of the largest size (10.5 MiB): 12 for its array, 2 for the window behind it,
    // and its answers.
    private const long LeastBufferBytes = 32L << 20;

    // Two hundred of the largest values at once. More would be taken from the cache for nothing.
    private const long MostBufferBytes = 1L << 30;

    // A call that needs no token holds at most 20 KB (RequestLimits.TokenBytes in a buffer that doubles, and its stream): two hundred of them.
    private const long MostUnauthenticatedBytes = 4L << 20;

    /// <summary>
    /// The part of <see cref="BufferBytes"/> that connections without a known token may hold together: a sixteenth, at most 4 MiB. Of 256 MiB of memory it is
    /// 2 MiB. What one such connection needs for its first call is its own and not taken from here.
    /// </summary>
    public long UnauthenticatedBytes => Math.Min(BufferBytes / 16, MostUnauthenticatedBytes);

    /// <summary>A front's: it holds no item, so all but the smallest store is for buffers.</summary>
    public static MemoryShares OfFront(long memoryBytes) => new(CacheStoreOptions.MinMemoryBytes, memoryBytes - CacheStoreOptions.MinMemoryBytes);

    /// <summary>
    /// An eighth for buffers, from 32 MiB to 1 GiB, and never more than half: of 256 MiB it is 32; of the least, 16 MiB, it is 8, and there a message is at
    /// most 4.
    /// </summary>
    public static MemoryShares Of(long memoryBytes)
    {
        long buffers = Math.Min(Math.Clamp(memoryBytes / 8, LeastBufferBytes, MostBufferBytes), memoryBytes / 2);
        return new MemoryShares(memoryBytes - buffers, buffers);
    }
}
