using System.Numerics;
using Larder.Store;

namespace Larder.Server.Near;

/// <summary>
/// Which tickets one stream may have noted, by blocks of 64: 2 KB. So forgetting its notes looks at the blocks that it has used, and not at all slots of all
/// streams; whoever notes few keys is forgotten at once. For one thread at a time.
/// </summary>
internal sealed class NearBlocks
{
    /// <summary>Tickets of a block: 1 KB of slots.</summary>
    public const int Tickets = 64;

    private const int BitsOfWord = 64;

    private readonly ulong[] _words = new ulong[KeyTicket.Count / Tickets / BitsOfWord];

    /// <summary>Adds the block of a ticket.</summary>
    public void Add(uint ticket) => _words[ticket / Tickets / BitsOfWord] |= 1UL << (int)(ticket / Tickets % BitsOfWord);

    /// <summary>The first ticket of each block that was added.</summary>
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
