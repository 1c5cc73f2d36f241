using System.Numerics;
using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// The blocks of 64 tickets in which a stream may have registrations, as a bit set of 2 KB. When a stream's registrations are removed, only these blocks are
/// searched instead of all slots. This is fast for streams with few keys. Not thread-safe.
/// </summary>
internal sealed class NearBlocks
{
    /// <summary>The number of tickets per block. The words of a block take 512 bytes.</summary>
    public const int Tickets = 64;

    private const int BitsOfWord = 64;

    private readonly ulong[] _words = new ulong[KeyTicket.Count / Tickets / BitsOfWord];

    /// <summary>Adds the block that contains a ticket.</summary>
    public void Add(uint ticket) => _words[ticket / Tickets / BitsOfWord] |= 1UL << (int)(ticket / Tickets % BitsOfWord);

    /// <summary>Removes the next block after a position, in a cycle.</summary>
    /// <param name="position">The number of a word. Receives the word that contained the block.</param>
    /// <param name="first">The first ticket of the block.</param>
    /// <returns>False if there is no block.</returns>
    public bool TryTake(ref int position, out uint first)
    {
        for (int tried = 0; tried < _words.Length; tried++)
        {
            int word = (position + tried) % _words.Length;
            ulong bits = _words[word];
            if (bits != 0)
            {
                _words[word] = bits & (bits - 1);
                position = word;
                first = (uint)((word * BitsOfWord) + BitOperations.TrailingZeroCount(bits)) * Tickets;
                return true;
            }
        }

        first = 0;
        return false;
    }

    /// <summary>Enumerates the blocks that were added. Returns the first ticket of each block.</summary>
    public IEnumerator<uint> GetEnumerator()
    {
        for (uint word = 0; word < _words.Length; word++)
        {
            for (ulong bits = _words[word]; bits != 0; bits &= bits - 1)
            {
                yield return ((word * BitsOfWord) + (uint)BitOperations.TrailingZeroCount(bits)) * Tickets;
            }
        }
    }
}
