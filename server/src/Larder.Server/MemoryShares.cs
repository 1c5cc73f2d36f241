using Larder.Store;

namespace Larder.Server;

/// <summary>
/// Divides the memory limit of a server between the store and the buffers of all connections (responses, uploads, batches, idle connections).
/// </summary>
/// <param name="StoreBytes">The memory limit of the store, in bytes.</param>
/// <param name="BufferBytes">The limit for the buffers of all connections together, in bytes.</param>
internal sealed record MemoryShares(long StoreBytes, long BufferBytes)
{
    // One connection may use half of it. With 16 MiB it can always send a message of the maximum size (10.5 MiB): 12 MiB for its array, 2 MiB for the
    // window after it, and its responses.
    private const long MinBufferBytes = 32L << 20;

    // Enough for 200 of the largest values at once. More would only reduce the cache.
    private const long MaxBufferBytes = 1L << 30;

    // A call without a token holds at most 20 KB (RequestLimits.TokenBytes in a buffer that doubles, and its stream): enough for 200 of them.
    private const long MaxUnauthenticatedBytes = 4L << 20;

    /// <summary>
    /// Gets the part of <see cref="BufferBytes"/> that connections without a known token may use together: 1/16, at most 4 MiB. With a memory limit
    /// of 256 MiB that is 2 MiB. The buffers that such a connection needs for its first call are its own and not part of this.
    /// </summary>
    public long UnauthenticatedBytes => Math.Min(BufferBytes / 16, MaxUnauthenticatedBytes);

    /// <summary>Returns the division for a gateway. It stores no items, so everything except the minimum store size is for buffers.</summary>
    public static MemoryShares OfGateway(long memoryBytes) => new(CacheStoreOptions.MinMemoryBytes, memoryBytes - CacheStoreOptions.MinMemoryBytes);

    /// <summary>
    /// Returns the division for a server: 1/8 for buffers, clamped to 32 MiB to 1 GiB, and at most half. With 256 MiB that is 32 MiB. With the
    /// minimum of 16 MiB it is 8 MiB, and messages are limited to 4 MiB.
    /// </summary>
    public static MemoryShares Of(long memoryBytes)
    {
        long buffers = Math.Min(Math.Clamp(memoryBytes / 8, MinBufferBytes, MaxBufferBytes), memoryBytes / 2);
        return new MemoryShares(memoryBytes - buffers, buffers);
    }
}
