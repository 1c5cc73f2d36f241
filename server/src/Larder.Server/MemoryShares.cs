using Larder.Store;

namespace Larder.Server;

/// <summary>
/// Divides the memory limit of a server between the store and the buffers of all connections. The buffers are used for responses, uploads, batches and idle
/// connections.
/// </summary>
/// <param name="StoreBytes">The memory limit of the store, in bytes.</param>
/// <param name="BufferBytes">The limit for the buffers of all connections together, in bytes.</param>
internal sealed record MemoryShares(long StoreBytes, long BufferBytes)
{
    // The minimum size of the buffers. One connection may use half of the buffers, that is 16 MiB. This is enough to receive a message of the maximum size
    // (10.5 MiB), which needs an array of 12 MiB, plus 2 MiB for the receive window after the message, plus the responses.
    private const long MinBufferBytes = 32L << 20;

    // The maximum size of the buffers: enough for 200 values of the maximum size. A larger size would only make the cache smaller.
    private const long MaxBufferBytes = 1L << 30;

    // This size is enough for 200 calls without a known token. Such a call uses at most 20 KB for its stream and for a buffer of RequestLimits.TokenBytes. The
    // size of the buffer doubles whenever it grows.
    private const long MaxUnauthenticatedBytes = 4L << 20;

    /// <summary>
    /// Gets the part of <see cref="BufferBytes"/> that all connections without a known token may use together: 1/16, at most 4 MiB. With a memory limit of 256
    /// MiB, it is 2 MiB. It does not include the buffers that each such connection needs for its first call.
    /// </summary>
    public long UnauthenticatedBytes => Math.Min(BufferBytes / 16, MaxUnauthenticatedBytes);

    /// <summary>Returns the division for a gateway. A gateway stores no items, so the buffers get everything except the minimum store size.</summary>
    public static MemoryShares OfGateway(long memoryBytes) => new(CacheStoreOptions.MinMemoryBytes, memoryBytes - CacheStoreOptions.MinMemoryBytes);

    /// <summary>
    /// Returns the division for a server. The buffers get 1/8 of the memory limit, but at least 32 MiB, at most 1 GiB, and never more than half of the limit.
    /// With a limit of 256 MiB, they get 32 MiB. With the minimum limit of 16 MiB, they get 8 MiB, and messages are limited to 4 MiB.
    /// </summary>
    public static MemoryShares Of(long memoryBytes)
    {
        long buffers = Math.Min(Math.Clamp(memoryBytes / 8, MinBufferBytes, MaxBufferBytes), memoryBytes / 2);
        return new MemoryShares(memoryBytes - buffers, buffers);
    }
}
