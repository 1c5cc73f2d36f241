using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Who watches what changes is told here. While nobody does, a write pays one test.</summary>
public sealed partial class Cache
{
    /// <summary>The key's ticket.</summary>
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

    // The write is visible before the watch looks who is to be told; CacheStore.Watch has the other half.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Tell(IChangeWatch watch, ulong hash)
    {
        Interlocked.MemoryBarrier();
        watch.Changed(KeyTicket.Of(hash));
    }
}
