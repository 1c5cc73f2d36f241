using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Notifies the change watch of changes. If there is no watch, a write costs only one additional check.</summary>
public sealed partial class Cache
{
    /// <summary>Returns the ticket of a key.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public uint TicketOf(ReadOnlySpan<byte> key)
    {
        ShardOf(key, out ulong hash);
        return KeyTicket.Of(hash);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Changed(ulong hash)
    {
        if (_store.ChangeWatch is { } watch)
        {
            Tell(watch, hash);
        }
    }

    // The fence ensures that the write is visible before the watch looks up the clients to notify. CacheStore.Watch contains the matching fence.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Tell(IChangeWatch watch, ulong hash)
    {
        Interlocked.MemoryBarrier();
        watch.Changed(KeyTicket.Of(hash));
    }
}
