using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Which near streams are to be told of which ticket: a bit for each of 128 streams in each slot, 16 MiB. A stream's bit is noted before it reads, and
/// all bits are taken after a write is visible, so that no write falls between the two (NEAR-4). Safe from any thread.
/// </summary>
internal sealed class NearSlots
{
    /// <summary>The most near streams that there can be.</summary>
    public const int MaxStreams = 2 * BitsOfWord;

    private const int BitsOfWord = 64;

    private readonly ulong[] _words = new ulong[2 * KeyTicket.Count];

    /// <summary>The stream is to be told of the ticket's next change. What it reads after this is at least what the last taker wrote.</summary>
    public void Note(uint ticket, int stream)
    {
        ref ulong word = ref _words[(2 * ticket) + (uint)(stream / BitsOfWord)];
        ulong bit = 1UL << (stream % BitsOfWord);
        if ((Volatile.Read(ref word) & bit) == 0)
        {
            Interlocked.Or(ref word, bit);
        }
    }

    /// <summary>Whether anybody is to be told.</summary>
    public bool HasAny(uint ticket) => (Volatile.Read(ref _words[2 * ticket]) | Volatile.Read(ref _words[(2 * ticket) + 1])) != 0;

    /// <summary>Takes who is to be told: each is told once.</summary>
    public UInt128 Take(uint ticket)
    {
        ulong low = Interlocked.Exchange(ref _words[2 * ticket], 0);
        ulong high = Interlocked.Exchange(ref _words[(2 * ticket) + 1], 0);
        return new UInt128(high, low);
    }

    /// <summary>Forgets all notes of a stream.</summary>
    /// <param name="stream">Its number.</param>
    /// <param name="noted">What it has noted.</param>
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
