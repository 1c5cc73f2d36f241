using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Which near streams must be notified of changes of which ticket: one bit per stream (128) in each slot, 16 MiB in total. A stream sets its bit
/// before it reads, and a writer takes all bits after its write is visible, so no write is missed in between (NEAR-4). Thread-safe.
/// </summary>
internal sealed class NearSlots
{
    /// <summary>The maximum number of near streams.</summary>
    public const int MaxStreams = 2 * BitsOfWord;

    private const int BitsOfWord = 64;

    private readonly ulong[] _words = new ulong[2 * KeyTicket.Count];

    /// <summary>
    /// Registers that a stream must be notified of the ticket's next change. A read after this call sees at least the write of the last taker.
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

    /// <summary>Returns whether any stream is registered.</summary>
    public bool HasAny(uint ticket) => (Volatile.Read(ref _words[2 * ticket]) | Volatile.Read(ref _words[(2 * ticket) + 1])) != 0;

    /// <summary>Takes the registered streams as a bit set and clears them, so that each is notified once.</summary>
    public UInt128 Take(uint ticket)
    {
        ulong low = Interlocked.Exchange(ref _words[2 * ticket], 0);
        ulong high = Interlocked.Exchange(ref _words[(2 * ticket) + 1], 0);
        return new UInt128(high, low);
    }

    /// <summary>Removes all registrations of a stream.</summary>
    /// <param name="stream">The stream's number.</param>
    /// <param name="noted">The blocks with its registrations.</param>
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
