using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Stores for each ticket which near streams must be notified when a key with this ticket changes. Each ticket has a slot with one bit per stream. All slots
/// together take 16 MiB. A stream sets its bit before it reads. A writer takes all bits after its write is visible. No change is therefore missed (NEAR-4).
/// Thread-safe.
/// </summary>
internal sealed class NearSlots
{
    /// <summary>The maximum number of near streams.</summary>
    public const int MaxStreams = 2 * BitsOfWord;

    private const int BitsOfWord = 64;

    private readonly ulong[] _words = new ulong[2 * KeyTicket.Count];

    /// <summary>
    /// Registers a stream for a notification about the next change of a ticket. If another thread has taken the bits before this call, a read after this call
    /// sees the write of that thread.
    /// </summary>
    public void Note(uint ticket, int stream)
    {
        ref ulong word = ref _words[(2 * ticket) + (uint)(stream / BitsOfWord)];
        ulong bit = 1UL << (stream % BitsOfWord);
        if ((Volatile.Read(ref word) & bit) == 0)
        {
            Interlocked.Or(ref word, bit);
        }
    }

    /// <summary>Returns whether any stream is registered for a ticket.</summary>
    public bool HasAny(uint ticket) => (Volatile.Read(ref _words[2 * ticket]) | Volatile.Read(ref _words[(2 * ticket) + 1])) != 0;

    /// <summary>
    /// Returns the streams that are registered for a ticket as a bit set, and removes their registrations, so that each stream is notified once.
    /// </summary>
    public UInt128 Take(uint ticket)
    {
        ulong low = Interlocked.Exchange(ref _words[2 * ticket], 0);
        ulong high = Interlocked.Exchange(ref _words[(2 * ticket) + 1], 0);
        return new UInt128(high, low);
    }

    /// <summary>Removes all registrations of a stream.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="noted">The blocks that contain its registrations.</param>
    public void Forget(int stream, NearBlocks noted)
    {
        ulong bit = 1UL << (stream % BitsOfWord);
        foreach (uint first in noted)
        {
            for (uint ticket = first; ticket < first + NearBlocks.Tickets; ticket++)
            {
                ref ulong word = ref _words[(2 * ticket) + (uint)(stream / BitsOfWord)];
                if ((Volatile.Read(ref word) & bit) != 0)
                {
                    Interlocked.And(ref word, ~bit);
                }
            }
        }
    }
}
